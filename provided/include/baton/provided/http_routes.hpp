// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <baton/provided/http_message.hpp>
#include <baton/service/context.hpp>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>

namespace baton::provided {

/// A coroutine that answers a request.
using http_handler = std::function<async::task<http_response>(http_request)>;

namespace detail {

/// What a route leads to.
struct http_target {
  http_target(service::context o, http_handler h) : owner(o), handler(std::move(h)) {}

  /// Whether its coroutine can be begun: it is its owner's.
  bool is_available() const { return is_there && (owner.id() == service::service_id{} || owner.is_active(owner.id())); }

  service::context owner;
  http_handler handler;
  bool is_there = true;
};

/// Targets by path and method.
class http_routes {
 public:
  using methods = std::map<std::string, std::shared_ptr<http_target>, std::less<>>;

  void add(const std::string& method, const std::string& path, std::shared_ptr<http_target> t) {
    if (path.empty() || path[0] != '/' || path.find('?') != std::string::npos) {
      throw std::invalid_argument("'" + path + "' is no path: it begins with '/', and has no '?'");
    }
    if (method.empty()) throw std::invalid_argument("a route without a method");
    if (!all_[path].emplace(method, std::move(t)).second) {
      throw std::invalid_argument("there is a route for " + method + " " + path + " already");
    }
  }
  void remove(const std::string& method, const std::string& path) {
    const auto at = all_.find(path);
    at->second.erase(method);
    if (at->second.empty()) all_.erase(at);
  }
  /// Null: the path is unknown.
  const methods* find(std::string_view path) const {
    const auto at = all_.find(path);
    return at == all_.end() ? nullptr : &at->second;
  }

 private:
  std::map<std::string, methods, std::less<>> all_;
};

}  // namespace detail

/// While this lives, a server has the route. A coroutine that has begun goes on to its end.
class [[nodiscard("the route is gone when this is: keep it, as a member")]] http_route {
 public:
  http_route() noexcept = default;
  http_route(std::shared_ptr<detail::http_routes> in, std::string method, std::string path,
             std::shared_ptr<detail::http_target> to)
      : in_(std::move(in)), method_(std::move(method)), path_(std::move(path)), to_(std::move(to)) {
    in_->add(method_, path_, to_);
  }
  http_route(http_route &&) noexcept = default;
  http_route& operator=(http_route&& other) noexcept {
    std::swap(in_, other.in_);
    std::swap(method_, other.method_);
    std::swap(path_, other.path_);
    std::swap(to_, other.to_);
    return *this;
  }
  ~http_route() {
    if (!to_ || !in_) return;
    to_->is_there = false;
    in_->remove(method_, path_);
  }

 private:
  std::shared_ptr<detail::http_routes> in_;
  std::string method_;
  std::string path_;
  std::shared_ptr<detail::http_target> to_;
};

}  // namespace baton::provided
