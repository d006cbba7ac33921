#pragma once

#include <baton/service.hpp>

/// A service: it counts the visits of the last minute.
struct visits {
  explicit visits(baton::service::context here) : here_(here) {}

  /// Notes a visit, which is forgotten after a minute.
  void add() {
    ++count_;
    here_.spawn(forget());
  }

  int count() const { return count_; }

 private:
  baton::async::task<> forget() {
    using namespace baton::literals;
    static_cast<void>(co_await baton::async::sleep_for(60_s));  // a stop ends the wait, too
    --count_;
  }

  baton::service::context here_;
  int count_ = 0;
};
