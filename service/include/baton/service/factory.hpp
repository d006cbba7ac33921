// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/added.hpp>
#include <functional>
#include <memory>
#include <utility>

/// Services that are made on request.
namespace baton::BATON_VARIANT::service {

/// The request of a service for a provider that a factory makes.
class request {
 public:
  explicit request(detail::service_record& e) noexcept : by_(&e) {}
  service_id requester() const noexcept { return by_->id; }
  std::string_view name() const noexcept { return by_->name(); }
  const service::properties& properties() const noexcept { return by_->properties(); }
  /// Adds a provider for the requester alone. It is removed with the requester.
  template <typename Service, typename... Interfaces, typename... Arguments>
  added make(Arguments&&... arguments) const {
    return detail::add_service<detail::starts::any, Service, Interfaces...>(*by_->owning_registry, by_,
                                                                            std::forward<Arguments>(arguments)...);
  }

 private:
  detail::service_record* by_;
};

/// Gives a provider of its own to each service that asks for an interface that no service provides,
/// as long as the factory lives.
class [[nodiscard("nothing is made when this is gone: keep it, as a member")]] factory {
 public:
  factory() noexcept = default;
  factory(detail::registry& r, detail::interface_id of, std::function<void(detail::service_record&)> make)
      : at_(&r), made_(new detail::factory{std::move(make), of}) {
    r.set_factory(of, made_.get());
  }
  factory(factory&& other) noexcept : at_(std::exchange(other.at_, nullptr)), made_(std::move(other.made_)) {}
  factory& operator=(factory&& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(made_, other.made_);
    return *this;
  }
  ~factory() {
    if (at_ && at_->row(made_->of).made_by == made_.get()) at_->set_factory(made_->of, nullptr);
  }

 private:
  detail::registry* at_ = nullptr;
  std::unique_ptr<detail::factory> made_;
};

}  // namespace baton::BATON_VARIANT::service
