// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <baton/kernel.hpp>
#include <baton/kernel/print.hpp>
#include <baton/test/check.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string.h>
#include <string>

namespace baton {
namespace test {

/// A time of a test: a reading of the clock, in ticks since its start, and a duration.
struct test_time {
  // NOLINTBEGIN(google-explicit-constructor): a test names one time for both
  constexpr operator tick() const { return count; }
  constexpr operator duration() const { return ticks(count); }
  constexpr operator time_limit() const { return ticks(count); }
  // NOLINTEND(google-explicit-constructor)
  tick count;
};

/// Virtual milliseconds.
constexpr test_time ms(uint32_t n) {
  return {static_cast<tick>(n) * (port::ticks_per_second / 1000)};
}

/// A message as the log prints it.
struct message {
  kernel::ipc_result result;
  kernel::reply_token client;
  kernel::tid from;
  char text[16];

  explicit operator bool() const { return result.is_ok(); }
};

/// A kernel in virtual time whose tasks are lambdas, and a log of their calls and results, with the
/// time whenever it has moved.
///
/// Context  a task may be killed while it waits: then the objects on its stack are never destroyed,
///          so no owner of memory may live there over a call.
class program {
 public:
  using body = std::function<void()>;

  /// Makes a task, from main or from a task.
  kernel::tid task(const char* name, kernel::priority priority, body what) {
    kernel::created made = try_task(name, priority, std::move(what));
    CHECK(made);
    return made.id;
  }

  kernel::created try_task(const char* name, kernel::priority priority, body what, bool is_privileged = true) {
    slots_.emplace_back(new slot{this, std::move(what), {}});
    slot& p = *slots_.back();
    kernel::task_description d = kernel::describe(priority, &begin, p.stack, name, &p);
    d.is_privileged = is_privileged;
    kernel::created made = system.running ? kernel::create(d) : system.create(d);
    if (made) names_[made.id] = name;
    return made;
  }

  void run() { system.run(); }

  // The calls of tasks, which log their parameters and results.

  kernel::ipc_result send(kernel::tid to, const char* text, tick timeout = kernel::unlimited, kernel::word room = 15) {
    mark("sends " + name_of(to));
    char reply[16] = "";
    const kernel::ipc_result o = kernel::send(to, text, strlen(text), reply, room, baton::spi::limit_of_ticks(timeout));
    reply[o.length() < room ? o.length() : room] = 0;
    mark(o ? "got " + quoted(reply, o, room) : std::string("send: ") + kernel::error_name(o.why()));
    return o;
  }

  message receive(tick timeout = kernel::unlimited, kernel::word room = 15) {
    mark("receives");
    message m = {};
    const kernel::received r = kernel::receive(m.text, room, baton::spi::limit_of_ticks(timeout));
    return took(m, r, room, "receive");
  }

  kernel::ipc_result reply(kernel::reply_token client, const char* text) {
    mark("replies to " + name_of(client));
    const kernel::ipc_result o = kernel::reply(client, text, strlen(text));
    if (!o) mark(std::string("reply: ") + kernel::error_name(o.why()));
    return o;
  }

  message reply_receive(kernel::reply_token client, const char* text, tick timeout = kernel::unlimited,
                        kernel::word room = 15) {
    mark("replies to " + name_of(client) + " and receives");
    message m = {};
    const kernel::received r =
        kernel::reply_receive(client, text, strlen(text), m.text, room, baton::spi::limit_of_ticks(timeout));
    return took(m, r, room, "reply_receive");
  }

  void yield() {
    mark("yields");
    kernel::yield();
    mark("goes on");
  }

  kernel::ipc_result sleep(tick ticks) {
    mark("sleeps");
    const kernel::ipc_result o =
        kernel::ipc_result(kernel_switch::call<kernel::call_number::sleep>(0, 0, 0, 0, 0, ticks).first);
    mark(o ? std::string("wakes") : std::string("sleep: ") + kernel::error_name(o.why()));
    return o;
  }

  kernel::ipc_result wait_interrupt_event(uint8_t event, tick timeout = kernel::unlimited) {
    mark("awaits event " + std::to_string(event));
    const kernel::ipc_result o = kernel::wait_interrupt_event(event, baton::spi::limit_of_ticks(timeout));
    mark("event " + std::to_string(event) + ": " + kernel::error_name(o.why()));
    return o;
  }

  kernel::notifications wait_notification(kernel::word bits, tick timeout = kernel::unlimited) {
    mark("awaits notification");
    const kernel::notifications n = kernel::wait_notification(bits, baton::spi::limit_of_ticks(timeout));
    mark(n ? "notified " + std::to_string(n.bits) : std::string("notification: ") + kernel::error_name(n.result.why()));
    return n;
  }

  kernel::ipc_result kill(kernel::tid id) {
    mark("kills " + name_of(id));
    const kernel::ipc_result o = kernel::kill(id);
    if (!o) mark(std::string("kill: ") + kernel::error_name(o.why()));
    return o;
  }

  /// Lets time pass in the running task.
  void work(uint32_t milliseconds) {
    mark("works");
    sim::advance(ms(milliseconds));
  }

  /// Logs a line of the test's own, about the running task.
  void mark(const std::string& what) { say((system.running ? system.running->name : "main") + (" " + what)); }

  void say(const std::string& line) {
    if (port::now() != last_) {
      last_ = port::now();
      add("at " + std::to_string(last_ / ms(1)) + " ms");
    }
    add(line);
  }

  std::string name_of(kernel::tid id) const {
    const auto found = names_.find(id);
    return found != names_.end() ? found->second : id == kernel::no_task ? "nobody" : "?";
  }

  /// The name of the task that has sent a message which a task received.
  std::string name_of(kernel::reply_token client) const {
    const auto found = senders_.find(client.raw);
    return name_of(found != senders_.end() ? found->second : client.raw);
  }

  /// The log since the last call, as the text of CHECK_LOG's arguments.
  std::string log() {
    std::string all = std::move(log_);
    log_.clear();
    return all;
  }

  kernel::system<16> system;

 private:
  struct slot {
    program* of;
    body what;
    kernel::stack<65536> stack;
  };

  static void begin(void* p) {
    slot& self = *static_cast<slot*>(p);
    self.of->names_[kernel::my_tid()] = self.of->system.running->name;
    self.what();
    self.of->mark("ends");
  }

  message took(message m, const kernel::received& r, kernel::word room, const char* call) {
    m.result = r.result;
    m.client = r.client;
    m.from = r.from;
    if (r) senders_[r.client.raw] = r.from;
    mark(r ? "took " + quoted(m.text, r.result, room) + " from " + name_of(r.from)
           : std::string(call) + ": " + kernel::error_name(r.result.why()));
    return m;
  }

  static std::string quoted(const char* text, kernel::ipc_result o, kernel::word room) {
    std::string all = std::string("'") + text + "'";
    if (o.is_longer_than(room)) all += " of " + std::to_string(o.length());
    return all;
  }

  void add(const std::string& line) {
    if (!log_.empty()) log_ += ", ";
    log_ += '"' + line + '"';
  }

  std::deque<std::unique_ptr<slot>> slots_;
  std::map<kernel::tid, std::string> names_;
  std::map<kernel::word, kernel::tid> senders_;  // by the tokens of their messages
  std::string log_;
  tick last_ = 0;
};

/// A virtual interrupt that calls a lambda.
class interrupt {
 public:
  interrupt(tick when, std::function<void()> what) : what_(std::move(what)) {
    pending().push_back(this);
    sim::at(when, timed_);
  }
  ~interrupt() { forget(); }
  interrupt(const interrupt&) = delete;
  interrupt& operator=(const interrupt&) = delete;

 private:
  static std::deque<interrupt*>& pending() {
    static std::deque<interrupt*> all;
    return all;
  }

  // The clock does not say which handler it runs: it is that of the earliest interrupt, first come,
  // first served.
  static void on() {
    interrupt* first = pending().front();
    for (interrupt* i : pending()) {
      if (i->timed_.at < first->timed_.at) first = i;
    }
    first->forget();
    first->what_();
  }

  void forget() {
    auto& all = pending();
    all.erase(std::remove(all.begin(), all.end(), this), all.end());
  }

  std::function<void()> what_;
  sim::interrupt timed_ = {0, &on, nullptr};
};

}  // namespace test
}  // namespace baton

/// Compares the whole log since the start, or since the last CHECK_LOG, with its arguments, and
/// starts anew.
#define CHECK_LOG(program, ...) BATON_TEST_CHECK_SAME((program).log(), #__VA_ARGS__)
