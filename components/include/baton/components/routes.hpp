// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/context.hpp>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace baton::BATON_VARIANT::components {

namespace detail {

/// The owner and the handler of a route.
template <typename Handler>
struct route_target {
  route_target(service::context o, Handler h) : owner(o), handler(std::move(h)) {}

  /// True if a coroutine of the owner can be begun.
  bool is_available() const { return is_there && (owner.id() == service::service_id{} || owner.is_active(owner.id())); }

  service::context owner;
  Handler handler;
  bool is_there = true;
};

/// The targets, by path and method.
template <typename Handler>
class route_table {
 public:
  using methods = std::map<std::string, std::shared_ptr<route_target<Handler>>, std::less<>>;

  void add(const std::string& method, const std::string& path, std::shared_ptr<route_target<Handler>> t) {
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
  /// The methods of a path; null if the path is unknown.
  const methods* find(std::string_view path) const {
    const auto at = all_.find(path);
    return at == all_.end() ? nullptr : &at->second;
  }

 private:
  std::map<std::string, methods, std::less<>> all_;
};

}  // namespace detail

/// A route of a server, which the server has as long as this object lives. A coroutine of it that
/// has begun runs to its end.
template <typename Handler>
class [[nodiscard("the route is gone when this is: keep it, as a member")]] basic_route {
 public:
  basic_route() noexcept = default;
  basic_route(std::shared_ptr<detail::route_table<Handler>> in, std::string method, std::string path,
              std::shared_ptr<detail::route_target<Handler>> to)
      : in_(std::move(in)), method_(std::move(method)), path_(std::move(path)), to_(std::move(to)) {
    in_->add(method_, path_, to_);
  }
  basic_route(basic_route&&) noexcept = default;
  basic_route& operator=(basic_route&& other) noexcept {
    std::swap(in_, other.in_);
    std::swap(method_, other.method_);
    std::swap(path_, other.path_);
    std::swap(to_, other.to_);
    return *this;
  }
  ~basic_route() {
    if (!to_ || !in_) return;
    to_->is_there = false;
    in_->remove(method_, path_);
  }

 private:
  std::shared_ptr<detail::route_table<Handler>> in_;
  std::string method_;
  std::string path_;
  std::shared_ptr<detail::route_target<Handler>> to_;
};

}  // namespace baton::BATON_VARIANT::components
