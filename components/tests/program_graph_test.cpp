// SPDX-License-Identifier: MIT
#include <baton/components/program_page.hpp>
#include <baton/test/check.hpp>
#include <cstdlib>

using namespace baton;
using namespace baton::components;
using service::need;
using service::phase;

// The drawing of a worker's services, read back from the text of the page.

namespace {

struct box {
  int x, y, width, height;
  std::string name;
  bool crosses(int at, int from, int to) const { return at > x && at < x + width && from < y + height && to > y; }
};
struct path {
  std::vector<int> points;  // x and y in turns
  bool is_dashed;
};
struct drawing {
  std::vector<box> boxes;
  std::vector<path> paths;

  const box& of(const std::string& name) const {
    for (const box& b : boxes) {
      if (b.name == name) return b;
    }
    static const box none{};
    CHECK(name.empty());  // there is no such box
    return none;
  }
};

/// The text behind the next `key`, to `end`.
std::string text_behind(const std::string& page, size_t at, const std::string& key, char end) {
  const size_t begin = page.find(key, at) + key.size();
  return page.substr(begin, page.find(end, begin) - begin);
}
int number_of(const std::string& text) {
  return static_cast<int>(std::strtol(text.c_str(), nullptr, 10));
}
int number_behind(const std::string& page, size_t at, const std::string& key) {
  return number_of(text_behind(page, at, key, '"'));
}

std::vector<int> numbers_in(const std::string& text) {
  std::vector<int> all;
  for (size_t at = text.find_first_of("0123456789"); at != std::string::npos;) {
    all.push_back(number_of(text.substr(at)));
    at = text.find_first_of("0123456789", text.find_first_not_of("0123456789", at));
  }
  return all;
}

drawing drawn(const worker_report& w) {
  program_report r;
  r.workers.push_back(w);
  const std::string page = program_page(r);
  drawing all;
  for (size_t at = page.find("<rect "); at != std::string::npos; at = page.find("<rect ", at + 1)) {
    all.boxes.push_back({number_behind(page, at, " x=\""), number_behind(page, at, " y=\""),
                         number_behind(page, at, " width=\""), number_behind(page, at, " height=\""),
                         text_behind(page, page.find("<text", at), ">", '<')});
  }
  for (size_t at = page.find("<path"); at != std::string::npos; at = page.find("<path", at + 1)) {
    const std::string all_of_it = page.substr(at, page.find('>', at) - at);
    all.paths.push_back(
        {numbers_in(text_behind(all_of_it, 0, " d=\"", '"')), all_of_it.find("dashed") != std::string::npos});
  }
  return all;
}

/// A worker whose services have an interface of their own name each.
struct office : worker_report {
  void add(const std::string& name) {
    service::service_snapshot s;
    s.name = name;
    s.id.number = static_cast<uint32_t>(services.size() + 1);
    s.phase = phase::active;
    s.interfaces = {name};
    services.push_back(s);
  }
  void link(const std::string& from, const std::string& to, need kind = need::required) {
    for (service::service_snapshot& s : services) {
      if (s.name == from) s.dependencies.push_back({to, kind, {to}});
      if (s.name == to) s.dependants.push_back(from);
    }
  }
};

}  // namespace

TEST_CASE("each service stands above those that it depends on") {
  office w;
  for (const char* name : {"c", "a", "b", "<alone>"}) w.add(name);
  w.link("a", "b");
  w.link("b", "c", need::current);
  w.link("a", "c", need::many);
  const drawing d = drawn(w);
  CHECK_EQ(d.boxes.size(), 4u);
  CHECK(d.of("a").y < d.of("b").y);
  CHECK(d.of("b").y < d.of("c").y);
  CHECK_EQ(d.of("&lt;alone&gt;").y, d.of("c").y);
  CHECK_EQ(d.paths.size(), 4u);  // the long one is in two parts
  CHECK_EQ(std::count_if(d.paths.begin(), d.paths.end(), [](const path& p) { return p.is_dashed; }), 2);
}

TEST_CASE("boxes do not overlap, and no line ends in a box or passes one") {
  office w;
  for (int i = 0; i != 40; ++i) w.add("service_" + std::to_string(i * i * i));
  for (size_t i = 0; i != 40; ++i) {
    for (size_t j = i + 1; j < 40; j += 3 + i) w.link(w.services[i].name, w.services[j].name);
  }
  const drawing d = drawn(w);
  CHECK_EQ(d.boxes.size(), 40u);
  for (const box& a : d.boxes) {
    for (const box& b : d.boxes) {
      if (&a != &b && a.y == b.y) CHECK((a.x + a.width < b.x || b.x + b.width < a.x));
    }
  }
  for (const path& p : d.paths) {
    const size_t n = p.points.size();
    for (const box& b : d.boxes) {
      CHECK(!b.crosses(p.points[0], p.points[1], p.points[3]));
      CHECK(!b.crosses(p.points[n - 2], p.points[n - 1] - 1, p.points[n - 1]));
    }
  }
}

TEST_CASE("services that depend on each other are drawn") {
  office w;
  for (const char* name : {"chicken", "egg", "straw"}) w.add(name);
  w.link("chicken", "egg", need::optional);
  w.link("egg", "chicken");
  w.link("egg", "straw");
  const drawing d = drawn(w);
  CHECK_EQ(d.boxes.size(), 3u);
  CHECK(d.of("egg").y < d.of("straw").y);
}

TEST_CASE("a line goes to the one of two services of a name that has the dependant") {
  office w;
  for (const char* name : {"user", "db", "db"}) w.add(name);
  w.services[0].dependencies.push_back({"db", need::required, {"db"}});
  w.services[2].dependants.push_back("user");
  CHECK_EQ(drawn(w).paths.size(), 1u);
}

TEST_CASE("a worker without services, and one with very many, have no graph") {
  office w;
  CHECK(drawn(w).boxes.empty());
  for (int i = 0; i != 201; ++i) w.add(std::to_string(i));
  CHECK(drawn(w).boxes.empty());
  w.services.pop_back();
  CHECK_EQ(drawn(w).boxes.size(), 200u);
}
