// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/scheduler.hpp>
#include <baton/kernel/operation_slot.hpp>
#include <baton/kernel/servers/clients.hpp>
#include <baton/kernel/system.hpp>

namespace baton {
namespace kernel {

/// The part of a `coroutine_server` that does not depend on its sizes.
class coroutine_server_core {
 public:
  coroutine_server_core(const coroutine_server_core&) = delete;
  coroutine_server_core& operator=(const coroutine_server_core&) = delete;

  /// Lets tasks reach a primitive, until it is destroyed.
  /// Context  main before the kernel runs, or a coroutine.
  void open(reachable_base& d) {
    d.next = doors_;
    d.list = &doors_;
    doors_ = &d;
  }

  /// The number of slots without an operation.
  uint8_t free_slots() const {
    uint8_t free = 0;
    for (uint8_t i = 0; i < count_; ++i)
      free = static_cast<uint8_t>(free + (slots_[i].state == operation_slot::use::free));
    return free;
  }

  /// The id of the coroutine server's task; no_task before it was made.
  tid id() const { return id_; }

 protected:
  /// `request` and `answer` have room for their headers and `bytes`.
  coroutine_server_core(operation_slot* slots, uint8_t count, void* request, void* answer, word bytes)
      : slots_(slots),
        count_(count),
        bytes_(bytes),
        request_(static_cast<unsigned char*>(request)),
        answer_(static_cast<unsigned char*>(answer)) {}

  /// Gives each slot, which has been constructed, the memory for its values.
  void furnish(unsigned char* values) {
    for (uint8_t i = 0; i < count_; ++i) {
      slots_[i].server = this;
      slots_[i].ended = &ended;
      slots_[i].data = values + i * bytes_;
    }
  }

  static void begin(void* self) { static_cast<coroutine_server_core*>(self)->serve(); }

  tid id_ = no_task;

 private:
  /// Runs the coroutines. When none is ready, waits for a request of another task and for
  /// attention.
  void serve() {
    set_notification_mask(attention_notification | ended_notification);
    for (;;) {
      scheduler::run_until_idle();
      const received m = kernel::receive(request_, static_cast<word>(sizeof(operation_request) + bytes_));
      if (m) {
        take(m);
      } else if (wait_notification(attention_notification | ended_notification, duration()).bits & ended_notification) {
        drop_those_that_ended();
      }
    }
  }

  void take(const received& m) {
    const reply_token client = m.client;
    const word length = m.length();
    drop_former(m.from);
    const operation_request& r = *reinterpret_cast<const operation_request*>(request_);
    const reachable_operation* o = length < sizeof r ? nullptr : find(r);
    if (!o || length != sizeof r + o->in) return static_cast<void>(answer(client, status::no_right));
    if (o->result == result_disposal::replies) return reply_to_held(m, r, *o);
    const bool is_now = r.timeout == 0;
    if (o->at_once && (is_now || !o->begin)) return do_at_once(client, r, *o);
    if (is_now && !o->release) return static_cast<void>(answer(client, status::timed_out));  // it takes two steps
    if (r.timeout != unlimited && r.timeout > longest_delay) return static_cast<void>(answer(client, status::no_right));
    operation_slot* p = free_slot();
    if (!p) return static_cast<void>(answer(client, status::full));
    p->what = o;
    p->door = r.door;
    p->client = m.from;
    p->asked = client;
    p->is_now = is_now;
    p->is_timed = !is_now && r.timeout != unlimited;
    p->due = port::now() + r.timeout;
    p->state = operation_slot::use::waits;
    ++p->uses;
    if (o->release) __builtin_memset(p->data, 0, bytes_);  // the slot holds nothing yet
    copy(p->data, request_ + sizeof r, o->in);
    p->restart();
  }

  /// The operation that a request names; null if there is no such primitive, or no such operation.
  /// A pointer that came from a client is followed only after it was found here.
  const reachable_operation* find(const operation_request& r) const {
    for (const reachable_base* d = doors_; d; d = d->next) {
      if (d == r.door) return r.operation < d->count ? d->operations + r.operation : nullptr;
    }
    return nullptr;
  }

  void do_at_once(reply_token client, const operation_request& r, const reachable_operation& o) {
    unsigned char* value = request_ + sizeof r;
    const status how = o.at_once(*r.door, value, nullptr);
    if (!answer(client, how, value, how == status::ok ? o.out : 0) && how == status::ok) count_dropped_value(o);
  }

  /// Replies to a request that a slot holds for the client.
  void reply_to_held(const received& m, const operation_request& r, const reachable_operation& o) {
    operation_slot* p = r.slot < count_ ? slots_ + r.slot : nullptr;
    if (!p || p->state != operation_slot::use::held || p->uses != r.uses || p->client != m.from || p->door != r.door) {
      return static_cast<void>(answer(m.client, status::no_right));
    }
    const status how = o.at_once(*r.door, request_ + sizeof r, p->data);
    p->state = operation_slot::use::free;
    answer(m.client, how);
  }

  static void ended(operation_slot& p) { static_cast<coroutine_server_core*>(p.server)->finish(p); }

  void finish(operation_slot& p) {
    const reachable_operation& o = *p.what;
    const status how = p.result();
    const bool is_ok = how == status::ok;
    p.state = is_ok && o.release ? operation_slot::use::held : operation_slot::use::free;
    if (answer(p.asked, how, o.answer(p), is_ok ? o.out : 0, &p) || !is_ok) return;
    if (o.release) return p.drop();
    count_dropped_value(o);
  }

  /// Sends a client its answer. false: the client waits no more.
  bool answer(reply_token client, status how, const void* value = nullptr, word bytes = 0,
              const operation_slot* p = nullptr) {
    operation_answer& a = *reinterpret_cast<operation_answer*>(answer_);
    a.how = how;
    a.slot = p ? static_cast<uint8_t>(p - slots_) : uint8_t{0};
    a.uses = p ? p->uses : uint16_t{0};
    copy(answer_ + sizeof a, value, bytes);
    return kernel::reply(client, answer_, static_cast<word>(sizeof a + bytes)).is_ok();
  }

  static void count_dropped_value(const reachable_operation& o) {
    if (o.result == result_disposal::value) baton::spi::count_dropped_value();
  }

  static void copy(void* to, const void* from, word bytes) {
    if (bytes) __builtin_memcpy(to, from, bytes);
  }

  operation_slot* free_slot() {
    for (uint8_t i = 0; i < count_; ++i) {
      if (slots_[i].state == operation_slot::use::free) return slots_ + i;
    }
    return nullptr;
  }

  /// Drops the former operation of a client. A client that asks anew does not wait any more: it
  /// gave up its former request.
  void drop_former(tid client) {
    for (uint8_t i = 0; i < count_; ++i) {
      operation_slot& p = slots_[i];
      if (p.state == operation_slot::use::waits && p.client == client) p.drop();
    }
  }

  void drop_those_that_ended() {
    for (uint8_t i = 0; i < count_; ++i) {
      operation_slot& p = slots_[i];
      if (p.state != operation_slot::use::free && !is_alive(p.client)) p.drop();
    }
  }

  operation_slot* const slots_;
  const uint8_t count_;
  const word bytes_;
  unsigned char* const request_;
  unsigned char* const answer_;
  reachable_base* doors_ = nullptr;
};

}  // namespace kernel
}  // namespace baton
