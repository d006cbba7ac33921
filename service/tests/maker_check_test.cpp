// SPDX-License-Identifier: MIT
//
// A check and a graph look at the services that a maker would make.
#include <baton/service/on_worker.hpp>
#include <baton/service/provider.hpp>

#include "dot.hpp"
#include "program.hpp"

using namespace baton;
using namespace baton::service;
using service_test::dot_graph;
using service_test::dot_reader;

namespace post_office {

struct stamps {};
struct scales {};
struct parcel {
  parcel(required<stamps>, optional<scales>, int) {}
};
/// Asks a service of another worker.
struct telegram {
  telegram(required<on_worker<stamps>>, int) {}
};
/// Makes parcels, which require it: that is no cycle.
struct counter {
  explicit counter(provider<struct receipt, int>) {}
};
struct receipt {
  receipt(required<counter>, int) {}
};
/// Makes services itself.
struct courier {
  courier(provider<parcel, int>, int) {}
};
template <typename Made>
struct clerk {
  explicit clerk(provider<Made, int>) {}
};

}  // namespace post_office

namespace {

using post_office::parcel;
using post_office::stamps;

/// Adds a service that has a provider of `Made`, and the maker.
template <typename Made>
added add_clerk(application& app) {
  app.add<post_office::clerk<Made>>();
  return app.add_maker<Made, Made, int>();
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// The text of the one mistake that a check finds.
std::string only_mistake(application& app, exit_code code) {
  const std::vector<mistake> found = app.check();
  CHECK_EQ(found.size(), 1u);
  if (found.empty()) return {};
  CHECK(found.front().code == code);
  return found.front().text;
}

bool accepts_red(const properties& p) {
  return p.get_or<std::string>("colour", "") == "red";
}

/// The name of the node with this label.
std::string node_of(const dot_graph& g, std::string_view label) {
  for (const auto& [name, with] : g.nodes) {
    if (with.at("label") == label) return name;
  }
  return "(no node)";
}
/// The label of the edge between two nodes.
std::string edge_between(const dot_graph& g, const std::string& from, const std::string& to) {
  for (const dot_graph::edge& e : g.edges) {
    if (e.from == from && e.to == to) return e.with.at("label");
  }
  return "(no edge)";
}

}  // namespace

TEST_CASE("a check finds what a made service requires and no service provides") {
  service_test::program app;
  add_clerk<parcel>(app);
  const std::string text = only_mistake(app, exit_code::missing_provider);
  CHECK(contains(text, "'post_office::parcel' requires 'post_office::stamps', which no service provides"));
  CHECK(contains(text, "'post_office::parcel' is made when a provider asks, and would wait for it"));
  CHECK(app.check<stamps>().empty());
  app.add<stamps>();
  CHECK(app.check().empty());
}

TEST_CASE("a run begins although a made service would wait") {
  service_test::program app;
  add_clerk<parcel>(app);
  app.main().run([here = app.main()] { here.quit(); });
  CHECK_EQ(app.run(), 0);
}

TEST_CASE("a program that waits for providers may make services that wait") {
  options o;
  o.waits_for_providers = true;
  service_test::program app(o);
  add_clerk<parcel>(app);
  CHECK(app.check().empty());
}

TEST_CASE("the filters of a maker count for what its services require") {
  service_test::program app;
  app.add<stamps>().with("colour", "blue");
  added maker = add_clerk<parcel>(app);
  CHECK(app.check().empty());
  maker.where<stamps>(accepts_red);
  CHECK(contains(only_mistake(app, exit_code::missing_provider), "'post_office::parcel' requires"));
  app.add<stamps>().with("colour", "red");
  CHECK(app.check().empty());
}

TEST_CASE("a check finds two providers of what a made service requires") {
  service_test::program app;
  add_clerk<parcel>(app);
  app.add<stamps>().named("first");
  added second = app.add<stamps>().named("second");
  CHECK(contains(only_mistake(app, exit_code::two_providers), "'second'"));
  second.rank(1);
  CHECK(app.check().empty());
}

TEST_CASE("a maker that is a stand-by makes nothing that lacks something") {
  service_test::program app;
  app.add_maker<parcel, parcel, int>().stopped();
  CHECK(app.check().empty());
}

TEST_CASE("a service that is made for the one that it requires is no cycle") {
  service_test::program app;
  app.add<post_office::counter>();
  app.add_maker<post_office::receipt, post_office::receipt, int>();
  CHECK(app.check().empty());
}

TEST_CASE("a check finds that a made service cannot make others") {
  service_test::program app;
  add_clerk<post_office::courier>(app);
  CHECK(contains(only_mistake(app, exit_code::missing_provider), "add_maker<Class, post_office::parcel, int>()"));
  app.add<stamps>();
  app.add_maker<parcel, parcel, int>();
  CHECK(app.check().empty());
}

TEST_CASE("a check finds what a made service requires of another worker") {
  service_test::program app;
  const context other = app.add_worker("other");
  add_clerk<post_office::telegram>(app);
  app.add<stamps>();
  CHECK(contains(only_mistake(app, exit_code::missing_provider), "'post_office::telegram' requires"));
  other.add<stamps>();
  CHECK(app.check().empty());
}

TEST_CASE("a check finds what is made on another worker") {
  service_test::program app;
  const context other = app.add_worker("other");
  app.add<stamps>();
  other.add<post_office::clerk<parcel>>();
  other.add_maker<parcel, parcel, int>();
  CHECK(contains(only_mistake(app, exit_code::missing_provider), "'post_office::parcel' requires"));
  other.add<stamps>();
  CHECK(app.check().empty());
}

TEST_CASE("a graph has what a maker makes, and what that depends on") {
  service_test::program app;
  add_clerk<parcel>(app).named("parcels");
  dot_graph g;
  CHECK(dot_reader::read(app.graph(), g));
  std::string made = node_of(g, "post_office::parcel\\nmade");
  CHECK_EQ(g.nodes[made]["color"], "red");
  CHECK_EQ(g.nodes[made]["style"], "dashed");
  CHECK_EQ(edge_between(g, node_of(g, "parcels\\nfresh"), made), "makes");
  CHECK_EQ(edge_between(g, made, node_of(g, "post_office::stamps")), "required post_office::stamps");
  CHECK_EQ(edge_between(g, made, node_of(g, "post_office::scales")), "optional post_office::scales");

  app.add<stamps>();
  g = {};
  CHECK(dot_reader::read(app.graph(), g));
  made = node_of(g, "post_office::parcel\\nmade");
  CHECK_EQ(g.nodes[made]["color"], "black");
  CHECK_EQ(edge_between(g, made, node_of(g, "post_office::stamps\\nfresh")), "required post_office::stamps");
}
