// SPDX-License-Identifier: MIT
#include <baton/components/prometheus_metrics.hpp>
#include <thread>

#include "../../service/tests/program.hpp"

using namespace baton::service;
using namespace baton::components;
namespace testing = baton::service_test;

namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

template <typename Act>
bool is_refused(Act act) {
  try {
    act();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

/// Counts its jobs.
struct worker {
  explicit worker(required<metrics> m) : jobs(m->make_counter("jobs_total", "Jobs done.", {{"who", "worker"}})) {}
  void start() { jobs.add(2); }
  counter& jobs;
};
struct reader {
  reader(required<metrics> m, required<worker>, context here) {
    testing::note(m->text());
    here.quit();
  }
};

}  // namespace

TEST_CASE("a counter and a gauge are in the text with their help, kind, labels and values") {
  prometheus_metrics held;
  metrics& m = held;
  counter& c = m.make_counter("requests_total", "Requests that came.", {{"path", "/\"a\"\n"}});
  c.add();
  c.add(2.5);
  c.add(-100);
  m.make_gauge("open", "Open doors.").set(5);
  m.make_gauge("open", "Open doors.").add(-7);
  CHECK_EQ(c.value(), 3.5);
  const std::string text = m.text();
  CHECK(has_line(text, "# HELP requests_total Requests that came."));
  CHECK(has_line(text, "# TYPE requests_total counter"));
  CHECK(has_line(text, "requests_total{path=\"/\\\"a\\\"\\n\"} 3.5"));
  CHECK(has_line(text, "# TYPE open gauge"));
  CHECK(has_line(text, "open -2"));
}

TEST_CASE("a histogram counts up to each bound, the bound included") {
  prometheus_metrics held;
  metrics& m = held;
  histogram& h = m.make_histogram("latency", "Seconds.", {0.1, 1});
  for (const double v : {0.05, 0.1, 0.5, 7.0}) h.observe(v);
  const std::string text = m.text();
  CHECK(has_line(text, "latency_bucket{le=\"0.1\"} 2"));
  CHECK(has_line(text, "latency_bucket{le=\"1\"} 3"));
  CHECK(has_line(text, "latency_bucket{le=\"+Inf\"} 4"));
  CHECK(has_line(text, "latency_count 4"));
  CHECK(has_line(text, "latency_sum 7.65"));
}

TEST_CASE("the same name and labels are the same metric, other labels another") {
  prometheus_metrics held;
  metrics& m = held;
  counter& a = m.make_counter("jobs_total", "", {{"who", "a"}});
  CHECK_EQ(&a, &m.make_counter("jobs_total", "", {{"who", "a"}}));
  CHECK(&a != &m.make_counter("jobs_total", "", {{"who", "b"}}));
  a.add();
  CHECK(has_line(m.text(), "jobs_total{who=\"a\"} 1"));
  CHECK(has_line(m.text(), "jobs_total{who=\"b\"} 0"));
}

TEST_CASE("a name that is none, one of another kind, and bounds that do not grow are refused") {
  prometheus_metrics held;
  metrics& m = held;
  m.make_counter("jobs_total", "");
  CHECK(is_refused([&] { m.make_counter("no name", ""); }));
  CHECK(is_refused([&] { m.make_counter("a", "", {{"no label", ""}}); }));
  CHECK(is_refused([&] { m.make_gauge("jobs_total", ""); }));
  CHECK(is_refused([&] { m.make_histogram("b", "", {1, 1}); }));
  CHECK(is_refused([&] { m.make_histogram("b", "", {2, 1}); }));
  CHECK(is_refused([&] { m.make_histogram("b", "", {1}, {{"le", "1"}}); }));
}

TEST_CASE("threads count together") {
  prometheus_metrics held;
  metrics& m = held;
  std::vector<std::thread> all;
  all.reserve(4);
  for (int i = 0; i < 4; ++i) {
    all.emplace_back([&m] {
      for (int n = 0; n < 1000; ++n) m.make_counter("jobs_total", "").add();
    });
  }
  for (std::thread& t : all) t.join();
  CHECK_EQ(m.make_counter("jobs_total", "").value(), 4000);
}

TEST_CASE("a service makes its metrics where it is made") {
  testing::program app;
  app.add<prometheus_metrics, metrics>();
  app.add<worker>();
  app.add<reader>();
  CHECK_EQ(app.run(), 0);
  CHECK(has_line(testing::take_log(), "jobs_total{who=\"worker\"} 2"));
}
