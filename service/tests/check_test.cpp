// SPDX-License-Identifier: MIT
#include <baton/service/on_worker.hpp>

#include "dot.hpp"
#include "program.hpp"

using namespace baton;
using namespace baton::service;
using service_test::dot_graph;
using service_test::dot_reader;
using service_test::note;
using service_test::take_log;

// `check` and `graph`: the mistakes of a program, and a drawing of it, without a start.

namespace shop {

struct logger {};
struct console_logger : logger {
  console_logger() { note("constructed"); }
};
struct store {
  explicit store(required<logger>) { note("constructed"); }
};
struct cart {
  cart(required<store>, optional<struct discount>) { note("constructed"); }
};
struct discount {};
struct chicken {
  explicit chicken(required<struct egg>) {}
};
struct egg {
  explicit egg(current<chicken>) {}
};
struct loggers {
  explicit loggers(context here)
      : makes(here.make_for_each<logger>([](const request& r) { r.make<console_logger, logger>(); })) {}
  factory makes;
};

}  // namespace shop

namespace {

void add_shop(application& app) {
  app.add<shop::cart>();
  app.add<shop::store>();
  app.add<shop::console_logger, shop::logger>();
}

/// The one mistake that `check` finds, which a run has to report in the same words. A run that
/// reports several lacks heads them with their number.
mistake only_mistake(service_test::program& app) {
  const std::vector<mistake> found = app.check();
  CHECK_EQ(found.size(), 1u);
  if (found.size() != 1) return {exit_code::success, ""};
  CHECK_EQ(take_log(), "");
  CHECK_EQ(app.run(), static_cast<int>(found[0].code));
  CHECK(app.told.find(found[0].text) != std::string::npos);
  return found[0];
}

dot_graph drawn(const std::string& text) {
  dot_graph all;
  CHECK(dot_reader::read(text, all));
  return all;
}
/// The name of the node whose label begins so; empty if there is none.
std::string node_of(const dot_graph& g, std::string_view label) {
  for (const auto& [name, with] : g.nodes) {
    if (with.at("label").substr(0, label.size()) == label) return name;
  }
  return {};
}
/// The edge between the nodes whose labels begin so; one without names if there is none.
dot_graph::edge edge_of(const dot_graph& g, std::string_view from, std::string_view to) {
  for (const dot_graph::edge& e : g.edges) {
    if (e.from == node_of(g, from) && e.to == node_of(g, to)) return e;
  }
  return {};
}
bool has_edge(const dot_graph& g, std::string_view from, std::string_view to) {
  return !edge_of(g, from, to).from.empty();
}
std::string of_node(const dot_graph& g, std::string_view label, const std::string& attribute) {
  const auto found = g.nodes.find(node_of(g, label));
  return found == g.nodes.end() ? "(no node)" : found->second.at(attribute);
}

}  // namespace

TEST_CASE("a program that can start has no mistakes, and runs after a check") {
  service_test::program app;
  add_shop(app);
  CHECK(app.check().empty());
  CHECK(!app.graph().empty());
  CHECK(app.check().empty());
  CHECK_EQ(take_log(), "");
  app.main().run([here = app.main()] { here.quit(); });
  CHECK_EQ(app.run(), 0);
  CHECK_EQ(take_log(), "constructed constructed constructed");
}

TEST_CASE("a check names the missing provider and the way to it") {
  service_test::program app;
  app.add<shop::store>();
  const mistake m = only_mistake(app);
  CHECK_EQ(m.code, exit_code::missing_provider);
  CHECK(m.text.find("'shop::store' requires 'shop::logger', which no service provides") != std::string::npos);
}

TEST_CASE("a check names a cycle once") {
  service_test::program app;
  app.add<shop::chicken>();
  app.add<shop::egg>();
  const mistake m = only_mistake(app);
  CHECK_EQ(m.code, exit_code::cycle);
  CHECK(m.text.find("shop::chicken -> shop::egg -> shop::chicken") != std::string::npos);
}

TEST_CASE("a check finds two providers at one rank, and passes over ranks and stand-bys") {
  service_test::program app;
  add_shop(app);
  added second = app.add<shop::console_logger, shop::logger>().named("second");
  second.rank(1);
  CHECK(app.check().empty());
  second.rank(0).stopped();
  CHECK(app.check().empty());
  second.rank(2);
  app.add<shop::console_logger, shop::logger>().named("third").rank(2);
  CHECK(app.check().empty());
  app.main().start(second);
  const mistake m = only_mistake(app);
  CHECK_EQ(m.code, exit_code::two_providers);
  CHECK(m.text.find("'second' (number 4) and 'third' (number 5)") != std::string::npos);
}

TEST_CASE("a check asks filters and names") {
  service_test::program app;
  app.add<shop::console_logger, shop::logger>().with("level", 1);
  app.add<shop::console_logger, shop::logger>().with("level", 2);
  auto of_level = [](int level) {
    return [level](const properties& p) { return p.get_or<int64_t>("level", 0) == level; };
  };
  app.add<shop::store>().where<shop::logger>(of_level(2));
  CHECK(app.check().empty());
  app.add<shop::store>().named("deaf").where<shop::logger>(of_level(3));
  CHECK(only_mistake(app).text.find("'deaf' requires 'shop::logger'") != std::string::npos);
}

TEST_CASE("a check takes an interface that a service provides later as provided") {
  service_test::program app;
  app.add<shop::loggers>();
  app.add<shop::store>();
  CHECK_EQ(app.check().size(), 1u);
  CHECK(app.check<shop::logger>().empty());
  app.main().run([here = app.main()] { here.quit(); });
  CHECK_EQ(app.run(), 0);
}

TEST_CASE("a check knows a factory that is there") {
  service_test::program app;
  const factory makes =
      app.main().make_for_each<shop::logger>([](const request& r) { r.make<shop::console_logger, shop::logger>(); });
  app.add<shop::store>();
  CHECK(app.check().empty());
}

TEST_CASE("a program that waits for providers lacks none") {
  options o;
  o.waits_for_providers = true;
  service_test::program app(o);
  app.add<shop::store>();
  CHECK(app.check().empty());
}

TEST_CASE("a graph has each service, and each dependency in its style") {
  service_test::program app;
  add_shop(app);
  app.add<shop::discount>().named("a \"quoted\\name").stopped().rank(-2);
  const dot_graph g = drawn(app.graph());
  CHECK_EQ(g.clusters.size(), 1u);
  CHECK_EQ(g.nodes.size(), 4u);
  CHECK_EQ(g.edges.size(), 3u);
  CHECK(!node_of(g, "a \\\"quoted\\\\name\\nfresh, stand-by, rank -2").empty());
  dot_graph::edge needed = edge_of(g, "shop::cart", "shop::store");
  CHECK_EQ(needed.with["label"], "required shop::store");
  CHECK_EQ(needed.with.count("style"), 0u);
  CHECK_EQ(edge_of(g, "shop::cart", "a \\\"quoted").with["style"], "dashed");
}

TEST_CASE("a graph shows in red what is missing, and who cannot start") {
  service_test::program app;
  app.add<shop::cart>();
  app.add<shop::store>();
  app.add<shop::discount>();
  const dot_graph g = drawn(app.graph());
  CHECK_EQ(of_node(g, "shop::logger", "fontcolor"), "red");
  CHECK_EQ(edge_of(g, "shop::store", "shop::logger").with["color"], "red");
  CHECK_EQ(of_node(g, "shop::cart", "color"), "red");
  CHECK_EQ(of_node(g, "shop::discount", "color"), "black");
}

TEST_CASE("the graph of a running worker has the providers that are bound, and the states") {
  service_test::program app;
  add_shop(app);
  app.add<shop::console_logger, shop::logger>().named("spare").rank(-1);
  std::string text;
  app.main().run([&text, here = app.main()] {
    text = here.worker().graph();
    here.quit();
  });
  CHECK_EQ(app.run(), 0);
  const dot_graph g = drawn(text);
  CHECK_EQ(of_node(g, "shop::store\\nactive", "color"), "darkgreen");
  CHECK(has_edge(g, "shop::store", "shop::console_logger"));
  CHECK(!has_edge(g, "shop::store", "spare"));
  CHECK_EQ(of_node(g, "shop::discount", "fontcolor"), "gray");
}

namespace {

struct asker {
  explicit asker(required<on_worker<shop::logger>>) {}
};

}  // namespace

TEST_CASE("a check finds the provider that is on another worker, and the lack of it") {
  service_test::program app;
  context other = app.add_worker("other");
  app.add<asker>();
  app.add<shop::console_logger, shop::logger>();
  const std::vector<mistake> found = app.check();
  CHECK_EQ(found.size(), 1u);
  CHECK(found.front().code == exit_code::missing_provider);
  other.add<shop::console_logger, shop::logger>();
  CHECK(app.check().empty());
}

TEST_CASE("the reader of these tests refuses what is no graph") {
  dot_graph g;
  for (const char* text : {"", "digraph a {", "digraph a { b -> ; }", "digraph a { b [c=] ; }", "digraph a { \"b }",
                           "digraph a { b }", "digraph a {} }", "graph a {}"}) {
    CHECK(!dot_reader::read(text, g));
  }
  CHECK(dot_reader::read("digraph a { b -> c [d=\"e\"]; }", g));
}
