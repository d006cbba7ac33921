// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/added.hpp>
#include <functional>
#include <memory>
#include <utility>

/// Services that are made for those who ask for them.
namespace baton::BATON_VARIANT::service {

/// Who asks a factory.
class request {
 public:
  explicit request(detail::service_record& e) noexcept : by_(&e) {}
  service_id requester() const noexcept { return by_->id; }
  std::string_view name() const noexcept { return by_->name(); }
  const service::properties& properties() const noexcept { return by_->properties(); }
  /// Makes a provider for the one that asks, and for no other. It goes when that is taken out.
  template <typename Service, typename... Interfaces, typename... Arguments>
  added make(Arguments&&... arguments) const {
    return detail::add_service<Service, Interfaces...>(*by_->owning_registry, by_,
                                                       std::forward<Arguments>(arguments)...);
  }

 private:
  detail::service_record* by_;
};

/// While this lives, who asks for an interface that nobody provides is given one of its own.
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
