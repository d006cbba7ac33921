// SPDX-License-Identifier: MIT
#include <baton/components/json_logger.hpp>
#include <baton/components/loop_timer_service.hpp>
#include <baton/service/program_events.hpp>
#include <cstdio>
#include <string>

#include "trial.hpp"

/// Programs of services without a network.
namespace want_of_memory {
namespace {

using namespace baton::components;
using baton::milliseconds;
using baton::seconds;
using baton::status;

std::string text_of(int n) {
  return "a text that is longer than a string holds, number " + std::to_string(n);
}

/// ---- Start and stop ----

struct store : counted {
  store(context here, trial* of, const std::string& path) : counted(*of), path_(path), heard(here.on<int>([](int) {})) {
    here.spawn(wait_for_end());
  }
  async::task<bool> start() {
    co_await async::sleep_for(milliseconds(1));
    co_return path_ == text_of(1);
  }
  async::task<> stop() { co_await async::sleep_for(milliseconds(1)); }
  static async::task<> wait_for_end() { static_cast<void>(co_await async::sleep_for(seconds(100))); }

  const std::string path_;
  registration heard;
};

struct cache : counted {
  cache(required<store>, optional<logger> l, trial* of) : counted(*of), log(l) {}
  void start() { text = text_of(2); }
  void stop() { text.clear(); }
  optional<logger> log;
  std::string text;
};

struct sink_of_lines : logger {
  explicit sink_of_lines(trial* of) : logger(level::info), life(*of) {}
  void write(level, std::string_view, log_fields) override {}
  counted life;
};

/// Starts as a coroutine, so that its links are made in one.
struct sink_by_coroutine : logger {
  explicit sink_by_coroutine(trial* of) : logger(level::info), life(*of) {}
  async::task<> start() { co_await async::yield(); }
  void write(level, std::string_view, log_fields) override {}
  counted life;
};

/// Ends the program when it has started.
struct ender : counted {
  ender(required<cache>, many<logger>, context here, trial* of)
      : counted(*of), started(here.on<program_started>([](const program_started&) {})) {
    of->begin_work();
    of->note(true);
    of->end_work();
    here.quit();
  }
  registration started;
};

void start_and_stop(application& app, trial& t) {
  const context c = app.main();
  c.add<store>(&t, text_of(1)).named("the store of the program").supervised();
  c.add<cache>(&t);
  c.add<sink_of_lines, logger>(&t).with("level", 3);
  c.add<sink_by_coroutine, logger>(&t);
  c.add<ender>(&t);
}

/// Is there for each service that asks, by a factory.
struct made : counted {
  explicit made(context here, trial* of) : counted(*of), name(here.requester_name()) {}
  std::string name;
};

void changes(application& app, trial& t) {
  struct user : counted {
    user(required<made> m, trial* of) : counted(*of), name(m->name) {}
    std::string name;
  };
  struct operating : counted {
    operating(context here, trial* of)
        : counted(*of),
          makes(here.make_for_each<made>([of](const request& r) { r.make<made>(of).supervised({milliseconds(1)}); })) {
      here.spawn(operate(here, of));
    }
    static async::task<> operate(context here, trial* of) {
      of->begin_work();
      for (int i = 0; i != 4; ++i) of->note(co_await attempt(here, of));
      of->end_work();
      here.quit();
    }
    static async::task<bool> attempt(context here, trial* of) {
      service_id one{};
      status started = status::closed;
      try {
        one = here.add<user>(of).may_fail();
        started = co_await here.started(one);
      } catch (const std::bad_alloc&) {
      }
      if (one.number != 0) here.remove(one);
      co_return started == status::ok;
    }
    factory makes;
  };
  app.add<operating>(&t);
}

/// ---- Events ----

struct text {
  std::string value;
};
struct large {
  std::string value;
  char bytes[2000] = {};
};

/// Hears events in each way.
struct listener : counted {
  listener(context here, trial* of)
      : counted(*of),
        by_function(here.on<text>([this](const text& t) { sum += t.value == text_of(sum + 1); })),
        by_coroutine(here.on<text>(hear)),
        of_large(here.on<large>([](const large&) {})),
        first(here.before<text>([](text&) { return verdict::pass; })),
        last(here.after<text>([](const text&) {})) {}
  static async::task<> hear(const text& t) {
    co_await async::yield();
    if (t.value.empty()) throw 1;
  }
  int sum = 0;
  registration by_function, by_coroutine, of_large, first, last;
};

void event(application& app, trial& t) {
  struct sender : counted {
    sender(required<listener>, context here, trial* of) : counted(*of) { here.spawn(send(here, of)); }
    static async::task<> send(context here, trial* of) {
      of->begin_work();
      for (int i = 0; i != 4; ++i) {
        bool is_well = false;
        try {
          static_cast<void>(here.push(large{text_of(i), {}}));
          async::task<delivery> one = here.send(text{text_of(i)});
          if (one.has_frame()) {
            const delivery d = co_await std::move(one);
            is_well = !d.failure && d.handlers == 2;
          }
        } catch (const std::bad_alloc&) {
        }
        of->note(is_well);
      }
      of->end_work();
      here.quit();
    }
  };
  app.add<listener>(&t);
  app.add<sender>(&t);
}

/// Two workers, which post to each other.
void post(application& app, trial& t) {
  struct far : counted {
    far(context here, trial* of, context back)
        : counted(*of), heard(here.on<text>([here, back](const text& t) {
            try {
              static_cast<void>(here.program().post(back, text{t.value}));
            } catch (const std::bad_alloc&) {
            }
          })) {
      static_cast<void>(here.program().post(back, text{"there"}));
    }
    registration heard;
  };
  struct near : counted {
    near(context here, trial* of, context there)
        : counted(*of), heard(here.on<text>([this](const text& t) {
            try {
              last = t.value;
            } catch (const std::bad_alloc&) {
            }
          })) {
      here.spawn(run(*this, here, of, there));
    }
    static async::task<> run(near& self, context here, trial* of, context there) {
      while (self.last.empty()) {
        const status waited = co_await async::sleep_for(milliseconds(1));
        if (waited != status::ok) co_return;
      }
      of->begin_work();
      for (int i = 0; i != 4; ++i) {
        self.last.clear();
        try {
          static_cast<void>(here.program().post(there, text{text_of(i)}));
        } catch (const std::bad_alloc&) {
        }
        for (int turns = 0; turns != 50 && self.last.empty(); ++turns) co_await async::sleep_for(milliseconds(1));
        const exempt rest;  // what the check itself allocates
        of->note(self.last == text_of(i));
      }
      of->end_work();
      here.quit();
    }
    std::string last;
    registration heard;
  };
  const context there = app.add_worker("another worker with a name");
  const context here = app.main();
  there.add<far>(&t, here);
  here.add<near>(&t, there);
}

/// ---- Timers and lines ----

void timer_and_line(application& app, trial& t) {
  struct beat : counted {
    beat(required<timer_service> by, context here, trial* of)
        : counted(*of),
          log({"the beat of the program"}, line_sink([](std::string_view) {})),
          beats(by->every(here, milliseconds(1), baton::catch_up::skip, [this, here, of] { tick(here, of); })) {}
    void tick(context here, trial* of) {
      of->begin_work();
      bool is_well = false;
      try {
        log.info(text_of(turns), {{"turn", turns}, {"text", text_of(turns)}});
        is_well = true;
      } catch (const std::bad_alloc&) {
      }
      of->note(is_well);
      if (++turns != 4) return;
      of->end_work();
      here.quit();
    }
    int turns = 0;
    json_logger log;
    timer beats;
  };
  app.add<loop_timer_service, timer_service>();
  app.add<beat>(&t);
}

constexpr scenario scenarios[] = {
    {"start_and_stop", start_and_stop}, {"changes", changes}, {"event", event}, {"post", post},
    {"timer_and_line", timer_and_line},
};

}  // namespace

std::span<const scenario> service_scenarios() {
  return scenarios;
}

}  // namespace want_of_memory
