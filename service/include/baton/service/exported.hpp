// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/resume_on.hpp>
#include <baton/async/until_stop.hpp>
#include <baton/service/context.hpp>

/// The provider's side of a dependency on a service of another worker.
///
/// For each interface that a worker asks for by `on_worker<I>`, and each other worker, there are
/// two services and a bridge. The asking worker has the stand-in, an `on_worker<I>`: it runs while
/// a provider is active there, so it starts and stops its dependants by the rules of all services.
/// The other worker has an `exported<I>`, which watches the providers of `I` there.
///
///   exported, on the provider's worker            stand-in, on the asking worker
///   a provider arrives: `bind`              --->  enabled; its dependants start
///   a better one arrives: `bind`
///   the last one is about to go: `close`    --->  disabled, with a lease; its dependants stop
///   `released`: the provider stops          <---  it is destroyed, and its leases with it
///
/// Invariants:
///   - A binding holds its provider. A call that is inside keeps its binding; `leaving_` keeps the
///     last one until its lease comes back.
///   - A lease comes back once, wherever it is destroyed: with the stand-in, or with a message that
///     the asking worker took no more.
///   - Each member of the bridge belongs to one thread, but for the two workers.
namespace baton::BATON_VARIANT::service::detail {

/// A provider that calls of another worker are bound to.
template <typename I>
struct binding {
  explicit binding(held<I> p) noexcept : provider(std::move(p)) {}
  held<I> provider;
  async::stop_source ends;  // ends the calls that are inside
};

template <typename I>
class exported;

struct lease;

template <typename I>
struct worker_bridge {
  worker_bridge(worker& asking, worker& providing) noexcept : from(&asking), to(&providing) {}

  worker* const from;
  worker* const to;
  service_id stand_in;                         // of the asking worker
  std::vector<std::shared_ptr<lease>> leases;  // of the asking worker
  exported<I>* there = nullptr;                // of the provider's worker
  uint32_t closes = 0;                         // of the provider's worker; numbers the leases
};

/// Sends a coroutine to a worker's loop. A worker that has ended takes none.
inline void send_to(const worker& w, async::task<> t) {
  if (t.has_frame()) static_cast<void>(async::spawn_on(w.mailbox.handle(), std::move(t)));
}

/// The asking worker's right to a provider that is about to go, which waits for its end.
struct lease {
  lease() = default;
  lease(const lease&) = delete;
  lease& operator=(const lease&) = delete;
  virtual ~lease() = default;
};

template <typename I>
struct lease_of final : lease {
  lease_of(std::shared_ptr<worker_bridge<I>> b, uint32_t n) noexcept : of(std::move(b)), number(n) {}
  /// Without memory for the message the provider waits for its limit.
  ~lease_of() override { send_to(*of->to, give_back(of, number)); }

  static async::task<> give_back(std::shared_ptr<worker_bridge<I>> b, uint32_t n) {
    if (b->there) b->there->released(n);
    co_return;
  }

  const std::shared_ptr<worker_bridge<I>> of;
  const uint32_t number;
};

/// Enables or disables the stand-in, on its worker.
template <typename I>
async::task<> set_stand_in(std::shared_ptr<worker_bridge<I>> b, bool is_there, std::shared_ptr<lease> l) {
  registry& r = b->from->services;
  service_record* const e = r.find(b->stand_in);
  if (!e) co_return;
  r.set_enabled(*e, is_there);
  if (is_there) {
    if (e->state == phase::active) b->leases.clear();  // it goes on, with another provider
  } else if (e->is_constructed()) {
    b->leases.push_back(std::move(l));
  }
}

/// Watches the providers of an interface for another worker, and takes its calls to them.
template <typename I>
class exported {
 public:
  exported(optional<I> p, context h, std::shared_ptr<worker_bridge<I>> b)
      : provider_(p), here_(h), bridge_(std::move(b)) {
    bridge_->there = this;
    if (provider_) bind();
  }
  exported(const exported&) = delete;
  exported& operator=(const exported&) = delete;
  ~exported() { bridge_->there = nullptr; }

  void arrived(I&) { bind(); }
  void gone(I&) {
    if (!provider_) close();
  }
  async::task<> stop() {
    if (bound_) close();
    while (!leaving_.empty()) {
      const status waited = co_await all_released_.wait();
      if (waited != status::ok) break;
    }
  }

  /// The provider for a call, null if there is none.
  const std::shared_ptr<binding<I>>& bound() const noexcept { return bound_; }

  void released(uint32_t number) {
    std::erase_if(leaving_, [=](const auto& one) { return one.first <= number; });
    if (leaving_.empty()) all_released_.set();
  }

 private:
  void bind() {
    const bool is_first = !bound_;
    if (bound_) retire(std::move(bound_));
    bound_ = std::make_shared<binding<I>>(provider_.hold());
    if (is_first) send_to(*bridge_->from, set_stand_in(bridge_, true, std::shared_ptr<lease>()));
  }
  void close() {
    const uint32_t number = ++bridge_->closes;
    leaving_.emplace_back(number, bound_);
    all_released_.reset();
    retire(std::move(bound_));
    bound_ = nullptr;
    send_to(*bridge_->from, set_stand_in(bridge_, false, std::make_shared<lease_of<I>>(bridge_, number)));
  }

  /// Lets the calls that are inside a provider go on while it stays. When it leaves they have half
  /// of the limit of a stop.
  void retire(std::weak_ptr<binding<I>> b) {
    here_.spawn(end_calls(std::move(b), ticks(bridge_->to->services.options.step_limit.ticks() / 2)));
  }
  static async::task<> end_calls(std::weak_ptr<binding<I>> of, duration limit) {
    for (;;) {
      const status slept = co_await async::sleep_for(limit);
      const std::shared_ptr<binding<I>> b = of.lock();
      if (!b) co_return;
      if (slept != status::ok || b->provider.is_leaving()) {
        b->ends.stop();
        co_return;
      }
    }
  }

  optional<I> provider_;
  context here_;
  const std::shared_ptr<worker_bridge<I>> bridge_;
  std::shared_ptr<binding<I>> bound_;
  std::vector<std::pair<uint32_t, std::shared_ptr<binding<I>>>> leaving_;  // with the number of the lease
  async::manual_event all_released_;
};

}  // namespace baton::BATON_VARIANT::service::detail
