// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <baton/components/websocket.hpp>
#include <deque>
#include <string_view>

namespace baton::BATON_VARIANT::components::detail {

/// The messages that have come and were not received, in their order.
class websocket_inbox {
 public:
  explicit websocket_inbox(size_t most) : most_(most == 0 ? 1 : most) {}

  bool is_full() const noexcept { return waiting_.size() >= most_; }
  void put(websocket_message m) {
    waiting_.push_back(std::move(m));
    news_.set();
  }
  /// false: there is none.
  bool take(websocket_message& to) {
    if (waiting_.empty()) return false;
    to = std::move(waiting_.front());
    waiting_.pop_front();
    room_.set();
    return true;
  }
  /// Waits until a message is put or the connection ends.
  auto news() {
    news_.reset();
    return news_.wait();
  }
  /// Waits until a message is taken or the connection ends.
  auto room() {
    room_.reset();
    return room_.wait();
  }
  /// Wakes who waits, at the connection's end.
  void end() {
    news_.set();
    room_.set();
  }

 private:
  std::deque<websocket_message> waiting_;
  const size_t most_;
  async::manual_event news_;
  async::manual_event room_;
};

/// True if a text ends within a character. Its other characters have to be whole: Beast checks
/// them, but not the end of a text whose last fragment is empty.
/// Source   RFC 3629, 3; RFC 6455, 8.1.
inline bool ends_within_character(std::string_view text) noexcept {
  for (size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xc0) == 0x80) continue;
    const size_t whole = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return whole > back;
  }
  return false;
}

}  // namespace baton::BATON_VARIANT::components::detail
