// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <Arduino.h>
#include <baton/core.hpp>
#include <memory>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

#include "death.hpp"

// A program that states that nothing dies, and checks it. CMakeLists.txt defines both macros.

namespace {

using baton::status;

/// The end of a process that ran a function.
struct ending {
  int code;
  std::string said;  // by baton_destroyed
};

/// Runs `deed` in a process of its own, because a broken requirement cannot be thrown out of a
/// destructor.
template <typename Deed>
ending run_apart(Deed deed) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    close(ends[0]);
    death::report_to = ends[1];
    deed();
    exit(0);  // destroys static objects, as the end of main() does
  }
  close(ends[1]);
  ending e{0, {}};
  char buffer[256];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) e.said.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int state = 0;
  REQUIRE(waitpid(child, &state, 0) == child);
  e.code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
  return e;
}

#define CHECK_DIES(type, deed)                               \
  do {                                                       \
    const ending e = run_apart(deed);                        \
    CHECK(e.code == 106);                                    \
    CHECK_MESSAGE(e.said.find(type) != e.said.npos, e.said); \
  } while (0)

baton::channel<uint8_t>& silent() {
  static auto* lasting = new baton::channel<uint8_t>;
  return *lasting;
}

/// Waits for a message that nobody sends.
struct receiver : baton::coroutine<receiver, baton::waiting> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      ++rounds;
      BATON_WAIT(silent().receive(value));
      last = result();
    }
    BATON_END();
  }

  uint8_t value = 0;
  uint8_t rounds = 0;
  status last = status::ok;
};

receiver& waiting_receiver() {
  auto* r = new receiver;
  r->start();
  baton::scheduler::run_until_idle();
  return *r;
}

template <typename Base>
struct yielder : baton::coroutine<yielder<Base>, Base> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) BATON_YIELD();
    BATON_END();
  }
};

template <typename Base>
struct named_yielder : baton::coroutine<named_yielder<Base>, Base> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    this->current.abandon();
    BATON_END();
  }
};

using lossless = baton::broadcast<uint8_t, 2, baton::slow_reader::holds_sender>;
using lossy = baton::broadcast<uint8_t, 2, baton::slow_reader::loses_oldest>;

template <typename T>
void ends_with_scope() {
  T local;
  static_cast<void>(local);
}

}  // namespace

TEST_CASE("each way to destroy a coroutine stops the program and names the coroutine") {
  SUBCASE("the end of a scope") {
    CHECK_DIES("receiver", [] {
      receiver local;
      local.start();
      baton::scheduler::run_until_idle();
    });
  }
  SUBCASE("a coroutine that was never started") {
    CHECK_DIES("receiver", &ends_with_scope<receiver>);
  }
  SUBCASE("a coroutine that has ended") {
    CHECK_DIES("named_yielder", (&ends_with_scope<named_yielder<baton::serving<int, int>>>));
  }
  SUBCASE("delete") {
    CHECK_DIES("receiver", [] { delete &waiting_receiver(); });
  }
  SUBCASE("reset of a pointer") {
    CHECK_DIES("receiver", [] { std::unique_ptr<receiver>(&waiting_receiver()).reset(); });
  }
  SUBCASE("reset of an optional") {
    CHECK_DIES("receiver", [] {
      auto* kept = new std::optional<receiver>(std::in_place);
      (*kept)->start();
      baton::scheduler::run_until_idle();
      kept->reset();
    });
  }
  SUBCASE("a new value of an optional") {
    CHECK_DIES("receiver", [] { (new std::optional<receiver>(std::in_place))->emplace(); });
  }
  SUBCASE("a call of the destructor") {
    CHECK_DIES("receiver", [] { waiting_receiver().~receiver(); });
  }
  SUBCASE("a temporary") {
    CHECK_DIES("receiver", [] { receiver().start(); });
  }
  SUBCASE("a member") {
    struct device {
      receiver part;
    };
    CHECK_DIES("receiver", &ends_with_scope<device>);
  }
  SUBCASE("an element of an array") {
    CHECK_DIES("receiver", [] { delete[] new receiver[2]; });
  }
  SUBCASE("an exception") {
    CHECK_DIES("receiver", [] {
      try {
        receiver local;
        local.start();
        throw 1;
      } catch (int) {
      }
    });
  }
  SUBCASE("the end of the program, for a static object") {
    CHECK_DIES("receiver", [] {
      static receiver lasting;
      lasting.start();
    });
  }
}

TEST_CASE("the message has the address of the object") {
  const ending e = run_apart([] {
    receiver& r = waiting_receiver();
    death::expected = &r;
    delete &r;
  });
  CHECK(e.code == 106);
  CHECK_MESSAGE(e.said.find("expected object") != e.said.npos, e.said);
}

TEST_CASE("a coroutine of each base is noticed") {
  CHECK_DIES("baton::plain", &ends_with_scope<yielder<baton::plain>>);
  CHECK_DIES("baton::timed", &ends_with_scope<yielder<baton::timed>>);
  CHECK_DIES("baton::long_timed", &ends_with_scope<yielder<baton::long_timed>>);
  CHECK_DIES("baton::waiting", &ends_with_scope<yielder<baton::waiting>>);
  CHECK_DIES("baton::timed_waiting", &ends_with_scope<yielder<baton::timed_waiting>>);
  CHECK_DIES("baton::deadline", &ends_with_scope<yielder<baton::deadline>>);
  CHECK_DIES("baton::selecting<", &ends_with_scope<yielder<baton::selecting<2>>>);
  CHECK_DIES("baton::periodic<", &ends_with_scope<yielder<baton::periodic<>>>);
  CHECK_DIES("baton::listed<", &ends_with_scope<yielder<baton::listed<>>>);
  CHECK_DIES("baton::returning<int", &ends_with_scope<yielder<baton::returning<int>>>);
  CHECK_DIES("baton::named<", &ends_with_scope<yielder<baton::named<>>>);
}

TEST_CASE("each primitive is noticed") {
  CHECK_DIES("::~channel()", &ends_with_scope<baton::channel<uint8_t>>);
  CHECK_DIES("::~channel()", (&ends_with_scope<baton::channel<uint8_t, 4>>));
  CHECK_DIES("::~endpoint()", (&ends_with_scope<baton::endpoint<int, int>>));
  CHECK_DIES("::~served()", (&ends_with_scope<baton::served<int, int>>));
  CHECK_DIES("::~signal()", &ends_with_scope<baton::signal>);
  CHECK_DIES("::~semaphore()", &ends_with_scope<baton::semaphore>);
  CHECK_DIES("::~event_flags()", &ends_with_scope<baton::event_flags>);
  CHECK_DIES("::~isr_signal()", &ends_with_scope<baton::isr_signal>);
  CHECK_DIES("::~isr_channel()", (&ends_with_scope<baton::isr_channel<uint8_t, 2>>));
  CHECK_DIES("::~mutex()", &ends_with_scope<baton::mutex>);
  CHECK_DIES("::~mutex_lock()", &ends_with_scope<baton::mutex_lock>);
  CHECK_DIES("::~watch()", &ends_with_scope<baton::watch<uint8_t>>);
  CHECK_DIES("::~pipe()", &ends_with_scope<baton::pipe<8>>);
  CHECK_DIES("::~broadcast()", &ends_with_scope<lossless>);
  CHECK_DIES("::~broadcast()", &ends_with_scope<lossy>);
  CHECK_DIES("::~reader()", &ends_with_scope<lossless::reader>);
  CHECK_DIES("::~reader()", &ends_with_scope<lossy::reader>);
}

TEST_CASE("a coroutine that is restarted, cancelled, suspended or closed out has not died, and leaves its list") {
  const ending e = run_apart([] {
    receiver& r = waiting_receiver();
    r.restart();
    if (silent().try_send(1) != status::full) death::give_up("the list holds a coroutine that was restarted");
    baton::scheduler::run_until_idle();
    if (r.rounds != 2) death::give_up("the restart had no effect");
    if (!r.cancel()) death::give_up("the restarted coroutine does not wait");
    if (silent().try_send(2) != status::full) death::give_up("the list holds a coroutine that was cancelled");
    baton::scheduler::run_until_idle();
    if (r.rounds != 3 || r.last != status::cancelled) death::give_up("the cancel had no effect");
    r.suspend();
    if (silent().try_send(3) != status::full) death::give_up("the list holds a coroutine that is suspended");
    r.resume();
    baton::scheduler::run_until_idle();
    if (silent().try_send(4) != status::ok) death::give_up("the resumed coroutine does not wait");
    baton::scheduler::run_until_idle();
    if (r.value != 4) death::give_up("the value is lost");
    silent().close();
    if (r.result() != status::closed) death::give_up("the close did not end the wait");
  });
  CHECK_MESSAGE(e.code == 0, e.said);
}
