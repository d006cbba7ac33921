// SPDX-License-Identifier: MIT
#include <baton/components/console_logger.hpp>
#include <baton/components/formatted.hpp>
#include <baton/components/json_logger.hpp>
#include <baton/components/logger_factory.hpp>
#include <baton/components/null_logger.hpp>
#include <baton/components/spdlog_logger.hpp>
#include <spdlog/sinks/ostream_sink.h>
#include <sstream>

#include "../../service/tests/program.hpp"

using namespace baton;
using namespace baton::service;
using namespace baton::components;
namespace testing = baton::service_test;
using testing::take_log;

namespace {

line_sink noting() {
  return [](std::string_view line) { testing::note(std::string(line.substr(0, line.size() - 1)) + "|"); };
}

/// Logs a line at its start and at its stop.
struct speaker {
  explicit speaker(required<logger> l) : log(l) { log->info("starts"); }
  void start() { log->debug("details"); }
  void stop() { log->warning("stops"); }
  required<logger> log;
};

struct counted {
  int* formats;
};

}  // namespace

template <>
struct fmt::formatter<counted> : fmt::formatter<int> {
  auto format(const counted& c, fmt::format_context& to) const { return fmt::formatter<int>::format(++*c.formats, to); }
};

TEST_CASE("a line is written from the lowest level on, and nothing when it is off") {
  take_log();
  console_logger log(logger_settings{"clock", "warning"}, noting());
  log.trace("1");
  log.debug("2");
  log.info("3");
  log.warning("4");
  log.error("5");
  log.critical("6");
  log.log(level::off, "7");
  CHECK_EQ(take_log(), "warning clock: 4| error clock: 5| critical clock: 6|");
  CHECK(log.enabled(level::error));
  CHECK(!(log.enabled(level::info)));
  log.set_lowest(level::trace);
  log.trace("8");
  CHECK_EQ(take_log(), "trace clock: 8|");
  log.set_lowest(level::off);
  log.critical("9");
  CHECK_EQ(take_log(), "");
  CHECK(!(log.enabled(level::off)));
}

TEST_CASE("a level that there is not is named, with those that there are") {
  std::string said;
  try {
    const console_logger log(logger_settings{"clock", "loud"});
  } catch (const std::invalid_argument& e) {
    said = e.what();
  }
  CHECK_EQ(said, "the log_level of 'clock' is 'loud'; there are trace, debug, info, warning, error, critical and off");
}

TEST_CASE("a console logger writes whole lines to a file of C's library") {
  std::FILE* const file = std::tmpfile();
  CHECK(file != nullptr);
  {
    console_logger log(logger_settings{"clock"}, file);
    log.info("a");
    console_logger nameless(logger_settings{}, file);
    nameless.error("");
  }
  std::rewind(file);
  char text[64] = {};
  const size_t length = std::fread(text, 1, sizeof text - 1, file);
  static_cast<void>(std::fclose(file));
  CHECK_EQ(std::string(text, length), "info clock: a\nerror: \n");
}

TEST_CASE("values are formatted when the level is enabled, and only then") {
  take_log();
  console_logger log(logger_settings{"clock"}, noting());
  int formats = 0;
  components::log(log, level::debug, "{} of {}", counted{&formats}, 2);
  CHECK_EQ(formats, 0);
  components::log(log, level::info, "{} of {}", counted{&formats}, 2);
  CHECK_EQ(formats, 1);
  CHECK_EQ(take_log(), "info clock: 1 of 2|");
}

TEST_CASE("the null logger writes nothing") {
  null_logger log(logger_settings{"clock", "trace"});
  CHECK(!(log.enabled(level::critical)));
  log.critical("nobody reads this");
  CHECK_EQ(log.lowest(), level::off);
}

TEST_CASE("spdlog writes what is enabled, in its pattern, and two of one name do not collide") {
  std::ostringstream text;
  const auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text);
  {
    spdlog_logger a(logger_settings{"clock", "trace"}, sink);
    spdlog_logger b(logger_settings{"clock", "error"}, sink);
    sink->set_pattern("%n %l %v");
    for (uint8_t l = 0; l <= static_cast<uint8_t>(level::off); ++l) {
      a.log(static_cast<level>(l), "a {}");
      b.log(static_cast<level>(l), "b");
    }
  }
  CHECK_EQ(text.str(),
           "clock trace a {}\nclock debug a {}\nclock info a {}\nclock warning a {}\nclock error a {}\nclock error b\n"
           "clock critical a {}\nclock critical b\n");
}

TEST_CASE("each service gets a logger of its own, with its name and its level") {
  testing::program app;
  app.add<logger_factory<console_logger>>(noting()).with("log_level", "warning");
  app.add<speaker>().named("one").with("log_level", "debug");
  app.add<speaker>().named("two").with("log_level", "info");
  app.add<speaker>().named("three");
  app.add<testing::ender>();
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(),
           "info one: starts| debug one: details| info two: starts| warning three: stops| warning two: stops| warning "
           "one: stops|");
}

TEST_CASE("a service that asks while the program runs gets its logger, which goes with it") {
  testing::program app;
  app.add<logger_factory<console_logger>>(noting());
  const context c = app.main();
  const auto live = [](context here) -> async::task<> {
    const service_id first = here.add<speaker>().named("first");
    static_cast<void>(co_await here.started(first));
    here.remove(first);
    static_cast<void>(co_await here.stopped(first));
    const service_id second = here.add<speaker>().named("second");
    static_cast<void>(co_await here.started(second));
    here.quit();
  };
  CHECK_EQ(c.run(live(c)), status::ok);
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "info first: starts| warning first: stops| info second: starts| warning second: stops|");
}

TEST_CASE("a requester's level that there is not ends the program with its name") {
  for (const bool is_number : {false, true}) {
    testing::program app;
    app.add<logger_factory<console_logger>>(noting());
    if (is_number) {
      app.add<speaker>().named("one").with("log_level", 3);
    } else {
      app.add<speaker>().named("one").with("log_level", "loud");
    }
    CHECK_EQ(app.run(), static_cast<int>(exit_code::start_failed));
    CHECK(app.told.find(is_number ? "the log_level of 'one' is '3'" : "the log_level of 'one' is 'loud'") !=
          std::string::npos);
    CHECK_EQ(take_log(), "");
  }
}

TEST_CASE("loggers that write nothing can take the place of others") {
  testing::program app;
  app.add<logger_factory<null_logger>>();
  app.add<speaker>().with("log_level", "trace");
  app.add<testing::ender>();
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(app.told, "");
}

namespace {

std::string noon() {
  return "12:00";
}

/// The line that a logger writes for a text and a field.
template <typename Logger>
std::string line_of(std::string_view text, std::string_view value) {
  take_log();
  Logger log(logger_settings{"web"}, noting(), noon);
  log.info(text, {{"said", value}});
  return take_log();
}

}  // namespace

TEST_CASE("fields stand behind the text, by their kinds") {
  take_log();
  console_logger log(logger_settings{"web"}, noting(), noon);
  log.info("request", {{"path", "/a"},
                       {"bytes", 512u},
                       {"left", -3},
                       {"is_good", true},
                       {"load", 0.5},
                       {"who", std::string("a b")},
                       {"none", ""}});
  CHECK_EQ(take_log(),
           "12:00 info web: request path=/a bytes=512 left=-3 is_good=true load=0.5 who=\"a b\" none=\"\"|");
  log.debug("not written", {{"bytes", 1}});
  CHECK_EQ(take_log(), "");
}

TEST_CASE("no text begins another line, and none changes what a terminal shows") {
  CHECK_EQ(line_of<console_logger>("hello\nerror web: forged\r", "x\ny"),
           "12:00 info web: hello\\nerror web: forged\\r said=x\\ny|");
  CHECK_EQ(line_of<console_logger>("\x1b[2J\x7f", "a\"b\\ c"), "12:00 info web: \\x1b[2J\\x7f said=\"a\\\"b\\\\ c\"|");
  CHECK_EQ(line_of<console_logger>("\xc2\x9b"
                                   "1m",
                                   "\xe2\x80\xae"
                                   "cod"),
           "12:00 info web: \\x9b1m said=\\u202ecod|");
  CHECK_EQ(line_of<console_logger>("\xe2\x80\xa8\x80\xed\xa0\x80", "\xc3\xbc \xf0\x9f\x98\x80"),
           "12:00 info web: \\u2028\\x80\\xed\\xa0\\x80 said=\"\xc3\xbc \xf0\x9f\x98\x80\"|");
  take_log();
  console_logger named(logger_settings{"a\nb"}, noting());
  named.info("c", {{"d\ne", 1}});
  CHECK_EQ(take_log(), "info a\\nb: c d\\ne=1|");
}

TEST_CASE("any bytes are one line, to each logger") {
  for (int first = 0; first != 256; ++first) {
    for (const int second : {0, 10, 0x80, 0x9b, 0xbf, 0xff}) {
      const std::string text = {static_cast<char>(first), static_cast<char>(second), '\n', 'x'};
      for (const std::string& line : {line_of<console_logger>(text, text), line_of<json_logger>(text, text)}) {
        CHECK(line.find('\n') == std::string::npos);
        for (std::string_view rest = line; !rest.empty();) {
          const utf8_character c = first_character(rest);
          CHECK(c.bytes != 0);
          CHECK(c.code >= 0x20);
          CHECK((line.front() == '{' || c.code < 0x7f || c.code > 0x9f));
          rest.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
        }
      }
    }
  }
}

TEST_CASE("a line is an object of JSON, with the time first") {
  take_log();
  json_logger log(logger_settings{"web", "trace"}, noting(), noon);
  log.warning("no \"paper\"\n", {{"tray", 2}, {"text", true}, {"load", 0.5}, {"of", 1.0 / 0.0}, {"who", "\xff"}});
  CHECK_EQ(take_log(),
           "{\"time\":\"12:00\",\"level\":\"warning\",\"service\":\"web\",\"text\":\"no \\\"paper\\\"\\n\","
           "\"tray\":2,\"text_\":true,\"load\":0.5,\"of\":null,\"who\":\"\xef\xbf\xbd\"}|");
}

TEST_CASE("the time of day has the form of RFC 3339") {
  const std::string now = utc_time();
  CHECK_EQ(now.size(), 24u);
  CHECK(now.find_first_not_of("0123456789-T:.Z") == std::string::npos);
  CHECK((now[4] == '-' && now[10] == 'T' && now[19] == '.' && now[23] == 'Z'));
}
