// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <baton/service/event.hpp>
#include <utility>

namespace baton::BATON_VARIANT::service::detail {

/// The progress of an event that a sender waits for. The sender, the event's header and each
/// coroutine that handles the event hold a use of it.
struct completion {
  void keep() noexcept { ++uses; }
  /// Ends a use. When only the sender's is left, the event has ended.
  void drop() noexcept {
    if (--uses == 1) ended.set();
    if (uses == 0) delete this;
  }
  void fail(std::exception_ptr why) noexcept {
    if (!result.failure) result.failure = std::move(why);
  }

  delivery result;
  uint32_t uses = 1;
  async::manual_event ended;
};

/// A use of a completion; of none, if it is null.
class completion_use {
 public:
  explicit completion_use(completion* c) noexcept : of_(c) {
    if (of_) of_->keep();
  }
  completion_use(completion_use&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
  completion_use& operator=(completion_use&&) = delete;
  ~completion_use() {
    if (of_) of_->drop();
  }
  completion* operator->() const noexcept { return of_; }
  explicit operator bool() const noexcept { return of_ != nullptr; }

 private:
  completion* of_;
};

}  // namespace baton::BATON_VARIANT::service::detail
