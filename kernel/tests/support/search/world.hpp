// SPDX-License-Identifier: MIT
#pragma once

#include <search/canonical.hpp>
#include <search/move_text.hpp>
#include <search/reports.hpp>
#include <search/results.hpp>

namespace baton {
namespace test {
namespace search {

/// A small system of tasks, in the kernel and in the reference. It makes one step at a time, and
/// compares.
///
/// Context  one at a time: the stacks' guards and the clock are the program's.
class world {
 public:
  using state = snapshot;

  explicit world(const bounds& b) : bounds_(b), moves_(moves_of(bounds_)), live_(bounds_) {
    sim::clock::get() = {};
    sim::clock::get().now = base;
    live_.expected.base = base;
    for (const kernel::priority p : bounds_.priorities) create_from_main(p);
    if (bounds_.reports != 0) hear_of_orphans();
    handle_pending();
    save();
  }
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  /// The state as bytes; after `load` of these bytes the world is in that state again.
  const snapshot& save() {
    for (uint8_t t = 0; t < most_tasks; ++t) live_.guards[t] = *stacks()[t];
    live_.clock = sim::clock::get();
    if (live_.clock.interrupts) live_.alarm = *live_.clock.interrupts;
    return live_;
  }
  void load(const void* bytes) {
    seen_.copied = 0;
    memcpy(static_cast<void*>(&live_), bytes, sizeof live_);
    for (uint8_t t = 0; t < most_tasks; ++t) *stacks()[t] = live_.guards[t];
    sim::clock::get() = live_.clock;
    if (live_.clock.interrupts) *live_.clock.interrupts = live_.alarm;
  }

  static uint64_t key(const snapshot& s) { return canonical(s).key(); }

  const char* name() const { return bounds_.name; }
  int running() const { return live_.expected.running; }
  size_t moves() const { return moves_.size(); }

  /// The words for a step, which `runner` makes.
  std::string text(size_t i, int runner) const {
    const move& m = moves_[i];
    const bool is_own = m.call || m.from == outside::overwrite || m.from == outside::fault;
    return (is_own ? "t" + std::to_string(runner) + "  " : "") + text_of(m);
  }

  /// True if the step makes sense in this state.
  bool allows(size_t i) const {
    const move& m = moves_[i];
    const reference& r = live_.expected;
    switch (m.from) {
      case outside::none:
      case outside::fault:
        return r.running != reference::nobody;
      case outside::overwrite:
        return r.running != reference::nobody && !r.at(r.running).is_overwritten;
      case outside::tick:
        return r.first_timed() != reference::nobody || (r.slice != 0 && r.running != reference::nobody);
      case outside::handle_pending:
        return port::attention::raised();
      case outside::raise_event:
      case outside::notify:
        return true;
    }
    return false;
  }

  /// Makes a step. Tells what is wrong after it; null: nothing is.
  const char* make(size_t i) {
    const move& m = moves_[i];
    reference& r = live_.expected;
    r.now = port::now() - base;
    switch (m.from) {
      case outside::none:
        return call(m);
      case outside::tick:
        return pass_a_tick();
      case outside::raise_event:
        r.raise_event(0);
        kernel::from_interrupt::raise_event(live_.state(), 0);
        return difference();
      case outside::notify:
        r.notify_from_interrupt(r.at(m.first.index).id, m.second.index);
        kernel::from_interrupt::notify(live_.state(), r.at(m.first.index).id, m.second.index);
        return difference();
      case outside::handle_pending:
        return handle_pending();
      case outside::overwrite:
        *stacks()[r.running] = 0;
        r.self().is_overwritten = true;
        return nullptr;
      case outside::fault:
        r.fail();
        kernel::fail(live_.state(), kernel::fault::other, 0);
        return difference();
    }
    return "an unknown step";
  }

  /// Tells what is wrong in this state; null: nothing is.
  const char* difference() {
    if (const char* what = comparison(live_.state(), live_.expected).difference()) return what;
    if (const char* what = difference_of_slices()) return what;
    if (const char* what = difference_of_reports(live_)) return what;
    return results(live_, seen_).difference();
  }

  /// The outcomes of all calls so far.
  const outcomes& seen() const { return seen_; }
  uint64_t copied() const { return seen_.copied; }

 private:
  static constexpr tick base = static_cast<tick>(0) - 2;  // the clock wraps soon
  static constexpr kernel::word stack_bytes = kernel_port::least_stack;

  /// The lowest word of each stack: one per slot, and one more.
  static uint32_t* const* stacks() {
    alignas(64) static uint32_t memory[most_tasks + 1][stack_bytes / sizeof(uint32_t)];
    static uint32_t* const all[] = {memory[0], memory[1], memory[2], memory[3], memory[4]};
    return all;
  }

  void create_from_main(kernel::priority p) {
    kernel::task_description d;
    const reference::creation c = describe({p, bounds_.are_privileged, kernel::error::none}, d);
    live_.expected.create(c);
    kernel::request r = {};
    r.second = reinterpret_cast<kernel::word>(&d);
    kernel::handlers::create(live_.state(), r);
  }

  void hear_of_orphans() {
    live_.expected.of_orphans = live_.expected.at(0).id;
    live_.reports().give_orphans_to(live_.expected.of_orphans);
  }

  /// Makes a description, with the stack of the slot that the task will have.
  reference::creation describe(const description& wanted, kernel::task_description& d) {
    const reference& r = live_.expected;
    int slot = 0;
    while (slot < r.size() && r.at(slot).what != kernel::state::free) ++slot;
    if (slot == r.size()) slot = most_tasks;
    if (wanted.mistake == kernel::error::bad_stack) slot = r.running;
    const bool has_entry = wanted.mistake != kernel::error::bad_buffer;
    d = {wanted.priority,
         has_entry ? [](void*) {} : static_cast<void (*)(void*)>(nullptr),
         nullptr,
         stacks()[slot],
         stack_bytes,
         "t",
         wanted.is_privileged};
    const bool is_bad_priority = wanted.priority >= small_kernel::priority_level_count;
    return {is_bad_priority ? kernel::error::bad_priority : wanted.mistake, wanted.priority, slot,
            wanted.is_privileged};
  }

  const char* call(const move& m) {
    reference& r = live_.expected;
    const int me = r.running;
    kernel::request& q = live_.requests[me];
    kernel::task_description d;
    kernel::task_report report;
    reference::creation c = {kernel::error::none, 0, 0, false};
    q = request_of(m, me);
    if (m.call->first == values::descriptions) {
      c = describe(bounds_.descriptions[m.first.index], d);
      q.second = reinterpret_cast<kernel::word>(&d);
    }
    if (m.call->first == values::slots) q.in = reinterpret_cast<kernel::word>(&report);
    kernel::end_report taken;
    const bool takes_report = m.call->number == number_of(kernel::call_number::take_end_report);
    if (takes_report) q.in = reinterpret_cast<kernel::word>(&taken);
    const void* const source = reinterpret_cast<const void*>(q.in);
    r.written = 0;
    r.call(m.call->number, q, c);
    const kernel::tcb* next = kernel::enter(live_.state(), m.call->number, q);
    if (next != live_.state().running) return "the task that a call says runs next";
    if (takes_report && q.first == 0) {
      if (const char* what = difference_of_taken(taken, r.taken)) return what;
    }
    if (const char* what = difference_of_lent(live_, source)) return what;
    if (r.at(me).what != kernel::state::ready) live_.begun[me] = q;
    if (const char* what = difference()) return what;
    // The turn of the task that runs next begins at once.
    if (r.slice != 0 && r.at(me).is_timed && !port::attention::raised()) return "a time slice that begins late";
    return port::attention::raised() ? handle_pending() : nullptr;
  }

  kernel::word value_of(const argument& a) const {
    const reference& r = live_.expected;
    switch (a.kind) {
      case values::tasks:
        return r.at(a.index).id - (a.is_former ? 0x100u : 0u);
      case values::messages:
        if (a.index >= r.size()) return kernel::no_client.raw;
        return r.at(a.index).token - (a.is_former ? 0x200u : 0u);
      case values::bits:
      case values::masks:
        return bits_of(a.index);
      default:
        return a.index;
    }
  }

  kernel::request request_of(const move& m, int me) {
    kernel::request q = {};
    q.first = value_of(m.first);
    q.second = m.call->has_message ? reinterpret_cast<kernel::word>(message_of(me)) : value_of(m.second);
    q.out_length = m.message_bytes;
    q.in = reinterpret_cast<kernel::word>(live_.in[me]);
    q.in_length = m.capacity;
    q.timeout = m.timeout;
    if (m.call->first == values::loans) q.first = lend(m.first, me);
    if (m.call->second == values::places) {
      q.second = places[m.second.index].offset;
      q.out_length = places[m.second.index].piece;
      if (m.call->number == number_of(kernel::call_number::copy_to))
        q.in = reinterpret_cast<kernel::word>(message_of(me));
    }
    return q;
  }

  /// Makes the task's list of leases. Returns its address.
  kernel::word lend(argument to, int me) {
    kernel::lease_list_of<2>& list = live_.leases[me];
    list.head = {value_of({values::tasks, slot_of_loan(to.index), to.is_former}), 1};
    list.pieces[0] = {live_.lent[me], lent_bytes, access_of_loan(to.index)};
    list.pieces[1] = {live_.lent[me], lent_bytes, kernel::lease_access::read_write};
    return reinterpret_cast<kernel::word>(&list);
  }

  const char* pass_a_tick() {
    reference& r = live_.expected;
    sim::advance(1);
    r.now = port::now() - base;
    const int first = r.first_timed();
    const bool is_due = first != reference::nobody && r.is_due(r.at(first).due);
    return is_due && !port::attention::raised() ? "an alarm that was not heard" : difference();
  }

  const char* handle_pending() {
    reference& r = live_.expected;
    r.now = port::now() - base;
    r.handle_pending();
    const kernel::tcb* next = kernel::handle_pending(live_.state());
    if (next != live_.state().running) return "the task that runs after an interrupt";
    if (port::attention::raised()) return "attention that is not lowered";
    return difference();
  }

  const char* difference_of_slices() const {
    const reference& r = live_.expected;
    const kernel::slicing* s = live_.state().slices;
    if (!s) return nullptr;
    if (s->owner != r.sliced) return "whose time slice it is";
    return r.sliced != kernel::no_task && s->end != r.slice_end + base ? "the end of a time slice" : nullptr;
  }

  bounds bounds_;
  std::vector<move> moves_;
  snapshot live_;
  outcomes seen_;
};

}  // namespace search
}  // namespace test
}  // namespace baton
