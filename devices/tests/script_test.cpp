// SPDX-License-Identifier: MIT
#include <baton/devices/fakes.hpp>
#include <baton/devices/script_player.hpp>
#include <baton/test/check.hpp>

using namespace baton;
using devices::script_event;

namespace {

using in = devices::fake_pin<0>;
using out = devices::fake_pin<1>;
using level = devices::fake_adc<0>;
using line = devices::fake_uart<0, 128, 512>;

bool same(const char* left, const char* right) {
  for (; *left == *right; ++left, ++right) {
    if (!*left) return true;
  }
  return false;
}

size_t length_of(const char* text) {
  size_t n = 0;
  while (text[n]) ++n;
  return n;
}

struct world {
  static constexpr uint32_t recorded = 512;
  static uint32_t unmet_lines[8];
  static uint8_t unmet_count;

  static const devices::script_pin* pin(const char* name) {
    static const devices::script_pin pins[] = {devices::script_pin_of<in>("in"), devices::script_pin_of<out>("out")};
    for (const auto& each : pins) {
      if (same(each.name, name)) return &each;
    }
    return nullptr;
  }
  static bool supply(const char* name, uint8_t percent) {
    if (!same(name, "level")) return false;
    level::supply(static_cast<uint16_t>(static_cast<uint32_t>(level::full_scale) * percent / 100));
    return true;
  }
  static void receive(uint8_t byte) { line::feed(byte); }
  static uint32_t sent() { return line::sent(); }
  static const char* text() { return line::text(); }
  static void unmet(const script_event& event) { unmet_lines[unmet_count++ % 8] = event.line; }
};
constexpr uint32_t world::recorded;
uint32_t world::unmet_lines[8];
uint8_t world::unmet_count;

using player = devices::script_player<world, 4>;

/// Sends "on" or "off" some milliseconds after an edge, and gives the level to `out`.
struct follower : coroutine<follower, timed_waiting> {
  explicit follower(uint16_t late_ms) : late_ms_(late_ms) {}
  point step(point at) {
    BATON_BEGIN();
    in::listen(&changed_);
    for (;;) {
      BATON_WAIT(changed_.wait());
      BATON_DELAY_MS(late_ms_);
      out::write(in::read());
      say(in::read() ? "on" : "off");
    }
    BATON_END();
  }
  static void say(const char* text) {
    for (; *text; ++text) static_cast<void>(line::write(static_cast<uint8_t>(*text)));
  }

 private:
  isr_signal changed_;
  uint16_t late_ms_;
};

/// Plays a script over a follower, on a clock that began some time ago.
struct rig {
  explicit rig(const char* script, uint16_t late_ms = 5)
      : the_player(script, length_of(script)), the_follower(late_ms) {
    in::reset();
    out::reset();
    line::reset();
    line::forget();
    world::unmet_count = 0;
    out::configure(devices::pin_mode::output);
    line::open();
    sim::advance(milliseconds(7));
    began = port::now();
    the_player.play();
    the_follower.start();
    scheduler::run();
  }
  ~rig() { in::listen(nullptr); }
  bool is_unmet(uint8_t number, uint32_t at_line) const { return world::unmet_lines[number] == at_line; }
  tick lasted_us() const { return static_cast<tick>(port::now() - began) / microseconds(4) * 4; }

  tick began = 0;
  player the_player;
  follower the_follower;
};

const char good[] =
    "20ms pin in high\n"
    "+0us expect uart \"on\" within 5ms\n"
    "+0us expect pin out high within 5ms\n"
    "40ms pin in low\n"
    "+0us expect uart \"off\" within 5ms\n"
    "+0us expect pin out low within 5ms\n"
    "50ms expect silence for 10ms\n";

}  // namespace

TEST_CASE("a script is passed if all that it expects comes in time") {
  rig r(good, 4);
  CHECK(!r.the_player.error());
  CHECK_EQ(r.the_player.met(), 5);
  CHECK_EQ(r.the_player.unmet(), 0);
  CHECK_EQ(r.lasted_us(), 60000u);
}

TEST_CASE("what comes too late is not met, and the lines are told in the order of the script") {
  rig r(good, 6);
  CHECK_EQ(r.the_player.met(), 1);
  CHECK_EQ(world::unmet_count, 4);
  CHECK((r.is_unmet(0, 2) && r.is_unmet(1, 3) && r.is_unmet(2, 5) && r.is_unmet(3, 6)));
}

TEST_CASE("bytes that came before an expectation, or that have met one, meet none") {
  rig r(
      "1ms pin in high\n"
      "+0us expect uart \"on\" within 9ms\n"
      "+0us expect uart \"on\" within 9ms\n"
      "20ms expect uart \"on\" within 9ms\n");
  CHECK_EQ(r.the_player.met(), 1);
  CHECK((r.is_unmet(0, 3) && r.is_unmet(1, 4)));
}

TEST_CASE("an expectation of the script's start counts what is sent at once") {
  struct first : coroutine<first> {
    point step(point at) {
      BATON_BEGIN();
      follower::say("hello");
      BATON_END();
    }
  };
  line::reset();
  line::forget();
  world::unmet_count = 0;
  follower::say("before");
  const char script[] = "0ms expect uart \"hello\" within 1ms\n0ms expect uart \"before\" within 1ms";
  player p(script, sizeof script - 1);
  first f;
  p.play();
  f.start();
  scheduler::run();
  CHECK_EQ(p.met(), 1);
  CHECK_EQ(world::unmet_lines[0], 2u);
}

TEST_CASE("a short pulse at a pin is seen, and one before the expectation is not") {
  struct pulse : coroutine<pulse, timed> {
    point step(point at) {
      BATON_BEGIN();
      BATON_DELAY_MS(10);
      out::write(true);
      BATON_DELAY_MS(1);
      out::write(false);
      BATON_END();
    }
  };
  out::reset();
  out::configure(devices::pin_mode::output);
  world::unmet_count = 0;
  const char script[] = "5ms expect pin out high within 10ms\n12ms expect pin out high within 10ms\n";
  player p(script, sizeof script - 1);
  pulse q;
  p.play();
  q.start();
  scheduler::run();
  CHECK_EQ(p.met(), 1);
  CHECK_EQ(world::unmet_lines[0], 2u);
}

TEST_CASE("bytes come one byte time apart, and those of a later line wait until the line is free") {
  struct listener : coroutine<listener, waiting> {
    point step(point at) {
      BATON_BEGIN();
      line::listen(&arrived_);
      for (;;) {
        BATON_WAIT(arrived_.wait());
        for (; line::read(byte_) == status::ok; ++count) {
          if (count < 4) at_us[count] = (port::now() - began) / microseconds(4) * 4;
          bytes[count % 4] = static_cast<char>(byte_);
        }
      }
      BATON_END();
    }
    isr_signal arrived_;
    tick began = port::now();
    tick at_us[4] = {};
    uint8_t byte_ = 0;
    uint8_t count = 0;
    char bytes[5] = {};
  };
  line::reset();
  line::open();
  const char script[] = "1ms uart \"ab\"\n1ms uart 63\n5ms uart \"d\"";
  player p(script, sizeof script - 1);
  listener l;
  p.play();
  l.start();
  scheduler::run();
  scheduler::run_until_idle();  // the script is over with its last byte, which nobody has read yet
  CHECK_EQ(l.count, 4);
  CHECK(same(l.bytes, "abcd"));
  CHECK_EQ(l.at_us[0], 1000u);
  CHECK((l.at_us[1] >= 1084 && l.at_us[1] <= 1088));
  CHECK((l.at_us[2] >= 1168 && l.at_us[2] <= 1176));
  CHECK_EQ(l.at_us[3], 5000u);
  line::listen(nullptr);
}

TEST_CASE("a reading is a part of the converter's full scale") {
  level::reset();
  const char script[] = "0ms adc level 50%";
  player p(script, sizeof script - 1);
  p.play();
  scheduler::run();
  CHECK(level::start() == status::ok);
  CHECK_EQ(level::read(), 511);
}

TEST_CASE("a wrong line stops a script before its first event") {
  rig r("1ms pin in high\n2ms pin in medium");
  CHECK(r.the_player.error() != nullptr);
  CHECK_EQ(r.the_player.line(), 2u);
  CHECK_EQ(r.the_player.column(), 12u);
  CHECK(!in::read());
}

TEST_CASE("a name that the world lacks, and too much at a time, end the script with their line") {
  const struct {
    const char* script;
    uint32_t line;
  } wrong[] = {
      {"1ms pin door low", 1},
      {"1ms adc door 5%", 1},
      {"1ms expect pin door low within 1ms", 1},
      {"0ms expect silence for 1s\n0ms expect silence for 1s\n0ms expect silence for 1s\n0ms expect silence for 1s\n"
       "0ms expect silence for 1s\n",
       5},
  };
  for (const auto& each : wrong) {
    rig r(each.script);
    CHECK(r.the_player.error() != nullptr);
    CHECK_EQ(r.the_player.line(), each.line);
  }
}
