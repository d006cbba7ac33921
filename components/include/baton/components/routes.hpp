// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/context.hpp>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// A segment of a request's path that stands for a parameter, as a name and a value.
struct route_parameter {
  std::string_view name;
  std::string_view value;
};

/// The targets, by path and method.
///
/// Shape    paths without parameters in a map; those with some in a list, the most specific first.
template <typename Handler>
class route_table {
 public:
  using methods = std::map<std::string, std::shared_ptr<route_target<Handler>>, std::less<>>;

  void add(const std::string& method, const std::string& path, std::shared_ptr<route_target<Handler>> t) {
    const bool has_parameters = check(path);
    if (method.empty()) throw std::invalid_argument("a route without a method");
    methods& known = has_parameters ? pattern(path).known : all_[path];
    if (!known.emplace(method, std::move(t)).second) {
      throw std::invalid_argument("there is a route for " + method + " " + path + " already");
    }
  }
  void remove(const std::string& method, const std::string& path) {
    const auto at = all_.find(path);
    if (at != all_.end()) {
      at->second.erase(method);
      if (at->second.empty()) all_.erase(at);
      return;
    }
    for (size_t i = 0; i != patterns_.size(); ++i) {
      if (!is_alike(patterns_[i].path, path)) continue;
      patterns_[i].known.erase(method);
      if (patterns_[i].known.empty()) patterns_.erase(patterns_.begin() + static_cast<ptrdiff_t>(i));
      return;
    }
  }
  /// The methods of a path, and its parameters; null if the path is unknown. The parameters are
  /// parts of `path` and of the table.
  const methods* find(std::string_view path, std::vector<route_parameter>* parameters = nullptr) const {
    const auto at = all_.find(path);
    if (at != all_.end()) return &at->second;
    for (const one_pattern& one : patterns_) {
      if (parameters) parameters->clear();
      if (matches(one.path, path, parameters)) return &one.known;
    }
    return nullptr;
  }

 private:
  struct one_pattern {
    std::string path;
    methods known;
  };

  static bool is_parameter(std::string_view segment) noexcept { return segment.starts_with('{'); }
  /// Cuts the first segment off a path, which begins with '/'.
  static std::string_view cut(std::string_view& path) noexcept {
    path.remove_prefix(1);
    const std::string_view first = path.substr(0, path.find('/'));
    path.remove_prefix(first.size());
    return first;
  }

  /// True if the path has parameters.
  static bool check(const std::string& path) {
    if (path.empty() || path[0] != '/' || path.find('?') != std::string::npos) {
      throw std::invalid_argument("'" + path + "' is no path: it begins with '/', and has no '?'");
    }
    bool has_any = false;
    for (std::string_view left = path; !left.empty();) {
      const std::string_view one = cut(left);
      if (one.find_first_of("{}") == std::string_view::npos) continue;
      const bool is_valid = one.size() > 2 && one.front() == '{' && one.find_first_of("{}", 1) == one.size() - 1;
      if (!is_valid) throw std::invalid_argument("'" + path + "': a parameter is a whole segment, as in '/users/{id}'");
      has_any = true;
    }
    return has_any;
  }

  static bool matches(std::string_view pattern, std::string_view path, std::vector<route_parameter>* parameters) {
    while (!pattern.empty() && !path.empty()) {
      const std::string_view wanted = cut(pattern);
      const std::string_view given = cut(path);
      if (!is_parameter(wanted)) {
        if (wanted != given) return false;
      } else if (given.empty()) {
        return false;
      } else if (parameters) {
        parameters->push_back({wanted.substr(1, wanted.size() - 2), given});
      }
    }
    return pattern.empty() && path.empty();
  }

  /// True if the paths differ in the names of their parameters at most.
  static bool is_alike(std::string_view a, std::string_view b) noexcept {
    while (!a.empty() && !b.empty()) {
      const std::string_view x = cut(a);
      const std::string_view y = cut(b);
      if (is_parameter(x) != is_parameter(y) || (!is_parameter(x) && x != y)) return false;
    }
    return a.empty() && b.empty();
  }

  /// The pattern of a path, which is new if there is none. A path whose first parameter comes later
  /// stands before the others.
  one_pattern& pattern(const std::string& path) {
    const auto position = [](const std::string& p) { return p.find('{'); };
    size_t at = 0;
    for (; at != patterns_.size(); ++at) {
      if (is_alike(patterns_[at].path, path)) {
        if (patterns_[at].path != path) {
          throw std::invalid_argument("'" + path + "' has other names for the parameters of '" + patterns_[at].path +
                                      "'");
        }
        return patterns_[at];
      }
    }
    for (at = 0; at != patterns_.size() && position(patterns_[at].path) >= position(path);) ++at;
    return *patterns_.insert(patterns_.begin() + static_cast<ptrdiff_t>(at), one_pattern{path, {}});
  }

  std::map<std::string, methods, std::less<>> all_;
  std::vector<one_pattern> patterns_;
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
