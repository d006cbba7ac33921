// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/scheduler.hpp>
#include <baton/kernel/domain_place.hpp>
#include <baton/kernel/servers/clients.hpp>
#include <baton/kernel/system.hpp>

namespace baton {
namespace kernel {

/// What every `coroutine_domain` is, whatever its sizes.
class domain_core {
 public:
  domain_core(const domain_core&) = delete;
  domain_core& operator=(const domain_core&) = delete;

  /// Lets tasks reach a primitive, until it is destroyed.
  /// Context  main before the kernel runs, or a coroutine.
  void open(domain_door& d) {
    d.next = doors_;
    d.list = &doors_;
    doors_ = &d;
  }

  /// How many places no operation has.
  uint8_t free_places() const {
    uint8_t free = 0;
    for (uint8_t i = 0; i < count_; ++i)
      free = static_cast<uint8_t>(free + (places_[i].state == domain_place::use::free));
    return free;
  }

  /// The domain's task; no_task before it was made.
  tid id() const { return id_; }

 protected:
  /// `request` and `answer` have room for their headers and `bytes`.
  domain_core(domain_place* places, uint8_t count, void* request, void* answer, word bytes)
      : places_(places),
        count_(count),
        bytes_(bytes),
        request_(static_cast<unsigned char*>(request)),
        answer_(static_cast<unsigned char*>(answer)) {}

  /// Gives each place, which has been constructed, its memory.
  void furnish(unsigned char* values) {
    for (uint8_t i = 0; i < count_; ++i) {
      places_[i].domain = this;
      places_[i].ended = &ended;
      places_[i].data = values + i * bytes_;
    }
  }

  static void begin(void* self) { static_cast<domain_core*>(self)->serve(); }

  tid id_ = no_task;

 private:
  /// Runs the coroutines; where none is ready, waits for a request of another task or for what the coroutines wait for.
  void serve() {
    listen(attention_notice | ended_notice);
    for (;;) {
      scheduler::run_until_idle();
      const received m = kernel::receive(request_, static_cast<word>(sizeof(domain_request) + bytes_));
      if (m) {
        take(m.from, m.length());
      } else if (await_notice(attention_notice | ended_notice, 0).bits & ended_notice) {
        drop_those_that_ended();
      }
    }
  }

  void take(tid client, word length) {
    drop_former(client);
    const domain_request& r = *reinterpret_cast<const domain_request*>(request_);
    const domain_operation* o = length < sizeof r ? nullptr : find(r);
    if (!o || length != sizeof r + o->in) return static_cast<void>(answer(client, status::no_right));
    if (o->result == domain_result::settles) return settle_held(client, r, *o);
    const bool now = r.timeout == 0;
    if (o->at_once && (now || !o->begin)) return do_at_once(client, r, *o);
    if (now && !o->release) return static_cast<void>(answer(client, status::timed_out));  // it takes two steps
    if (r.timeout != forever && r.timeout > longest_delay) return static_cast<void>(answer(client, status::no_right));
    domain_place* p = free_place();
    if (!p) return static_cast<void>(answer(client, status::full));
    p->what = o;
    p->door = r.door;
    p->client = client;
    p->is_now = now;
    p->is_timed = !now && r.timeout != forever;
    p->due = port::now() + r.timeout;
    p->state = domain_place::use::waits;
    ++p->uses;
    if (o->release) __builtin_memset(p->data, 0, bytes_);  // it holds nothing yet
    copy(p->data, request_ + sizeof r, o->in);
    p->restart();
  }

  /// Null: there is no such primitive, or no such operation. Nothing that came from a client is followed before it was found here.
  const domain_operation* find(const domain_request& r) const {
    for (const domain_door* d = doors_; d; d = d->next) {
      if (d == r.door) return r.operation < d->count ? d->operations + r.operation : nullptr;
    }
    return nullptr;
  }

  void do_at_once(tid client, const domain_request& r, const domain_operation& o) {
    unsigned char* value = request_ + sizeof r;
    const status how = o.at_once(*r.door, value, nullptr);
    if (!answer(client, how, value, how == status::ok ? o.out : 0) && how == status::ok) count_dropped_value(o);
  }

  /// The reply to a request that a place holds for the client.
  void settle_held(tid client, const domain_request& r, const domain_operation& o) {
    domain_place* p = r.place < count_ ? places_ + r.place : nullptr;
    if (!p || p->state != domain_place::use::held || p->uses != r.uses || p->client != client || p->door != r.door) {
      return static_cast<void>(answer(client, status::no_right));
    }
    const status how = o.at_once(*r.door, request_ + sizeof r, p->data);
    p->state = domain_place::use::free;
    answer(client, how);
  }

  static void ended(domain_place& p) { static_cast<domain_core*>(p.domain)->finish(p); }

  void finish(domain_place& p) {
    const domain_operation& o = *p.what;
    const status how = p.result();
    const bool is_ok = how == status::ok;
    p.state = is_ok && o.release ? domain_place::use::held : domain_place::use::free;
    if (answer(p.client, how, o.answer(p), is_ok ? o.out : 0, &p) || !is_ok) return;
    if (o.release) return p.drop();
    count_dropped_value(o);
  }

  /// false: the client waits no more.
  bool answer(tid client, status how, const void* value = nullptr, word bytes = 0, const domain_place* p = nullptr) {
    domain_answer& a = *reinterpret_cast<domain_answer*>(answer_);
    a.how = how;
    a.place = p ? static_cast<uint8_t>(p - places_) : uint8_t{0};
    a.uses = p ? p->uses : uint16_t{0};
    copy(answer_ + sizeof a, value, bytes);
    return kernel::reply(client, answer_, static_cast<word>(sizeof a + bytes)).is_ok();
  }

  static void count_dropped_value(const domain_operation& o) {
    if (o.result == domain_result::value) baton::detail::count_dropped_value();
  }

  static void copy(void* to, const void* from, word bytes) {
    if (bytes) __builtin_memcpy(to, from, bytes);
  }

  domain_place* free_place() {
    for (uint8_t i = 0; i < count_; ++i) {
      if (places_[i].state == domain_place::use::free) return places_ + i;
    }
    return nullptr;
  }

  /// A client that asks anew does not wait any more: it gave up what it asked for before.
  void drop_former(tid client) {
    for (uint8_t i = 0; i < count_; ++i) {
      domain_place& p = places_[i];
      if (p.state == domain_place::use::waits && p.client == client) p.drop();
    }
  }

  void drop_those_that_ended() {
    for (uint8_t i = 0; i < count_; ++i) {
      domain_place& p = places_[i];
      if (p.state != domain_place::use::free && !is_alive(p.client)) p.drop();
    }
  }

  domain_place* const places_;
  const uint8_t count_;
  const word bytes_;
  unsigned char* const request_;
  unsigned char* const answer_;
  domain_door* doors_ = nullptr;
};

}  // namespace kernel
}  // namespace baton
