// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/linked_scope.hpp>
#include <baton/test/check.hpp>
#include <baton/test/random.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Trees of stop sources, and scopes that stop with a source.
using namespace baton;
using async::linked_scope;
using async::linked_stop_source;
using async::stop_callback;
using async::stop_source;
using async::task;

TEST_CASE("a stop reaches all that is below it, the latest first, and everything of one before the next") {
  stop_source root;
  linked_stop_source left(root.token());
  linked_stop_source right(root.token());
  linked_stop_source leaf(left.token());
  std::string order;
  stop_callback at_leaf(leaf.token(), [&] { order += 'l'; });
  stop_callback at_left(left.token(), [&] { order += 'L'; });
  stop_callback at_right(right.token(), [&] { order += 'R'; });
  stop_callback at_root(root.token(), [&] { order += 'r'; });
  root.stop();
  CHECK_EQ(order, "rRLl");
  for (const stop_source* s : {&root, static_cast<stop_source*>(&left), static_cast<stop_source*>(&right)}) {
    CHECK(s->is_stopping());
  }
  CHECK(leaf.token().is_stopping());
  root.stop();
  leaf.stop();
  CHECK_EQ(order, "rRLl");
}

TEST_CASE("a child that is stopped alone leaves its parent and its sisters, and is not called again") {
  stop_source root;
  linked_stop_source child(root.token()), sister(root.token()), grandchild(child.token());
  std::string order;
  stop_callback at_root(root.token(), [&] { order += 'r'; });
  stop_callback at_child(child.token(), [&] { order += 'c'; });
  stop_callback at_sister(sister.token(), [&] { order += 's'; });
  stop_callback at_grandchild(grandchild.token(), [&] { order += 'g'; });
  child.stop();
  CHECK_EQ(order, "cg");
  CHECK(!root.is_stopping());
  CHECK(!sister.is_stopping());
  CHECK(grandchild.is_stopping());
  root.stop();
  CHECK_EQ(order, "cgrs");
}

TEST_CASE("a child of a source that has stopped is stopping from the beginning, and one of nothing is not") {
  stop_source root;
  root.stop();
  linked_stop_source late(root.token());
  CHECK(late.is_stopping());
  linked_stop_source below(late.token());
  CHECK(below.is_stopping());
  linked_stop_source alone((async::stop_token()));
  CHECK(!alone.is_stopping());
  alone.stop();
  CHECK(alone.is_stopping());
}

TEST_CASE("a child that is destroyed is not called, and one whose parent is destroyed goes on without it") {
  std::string order;
  stop_source root;
  {
    linked_stop_source gone(root.token());
    stop_callback never(gone.token(), [&] { order += '?'; });
  }
  std::optional<linked_stop_source> middle(std::in_place, root.token());
  linked_stop_source below(middle->token());
  stop_callback called(below.token(), [&] { order += 'b'; });
  middle.reset();
  root.stop();
  CHECK_EQ(order, "");
  CHECK(!below.is_stopping());
  below.stop();
  CHECK_EQ(order, "b");
}

TEST_CASE("a callback may destroy another child of the source that stops") {
  stop_source root;
  std::optional<linked_stop_source> victim(std::in_place, root.token());
  int called = 0;
  stop_callback never(victim->token(), [&] { ++called; });
  stop_callback ends(root.token(), [&] { victim.reset(); });
  root.stop();
  CHECK_EQ(called, 0);
}

TEST_CASE("a wait ends by a stop two levels above it") {
  stop_source server;
  linked_stop_source connection(server.token());
  linked_stop_source request(connection.token());
  channel<int> c;
  std::string order;
  async::scope s;
  s.spawn([](channel<int>& from, async::stop_token t, std::string& to) -> task<> {
    int value = 0;
    to += co_await async::until_stop(t, from.receive(value)) == status::cancelled ? 'c' : '?';
    to += co_await from.receive(value) == status::ok ? 'k' : '?';  // its own scope goes on
  }(c, request.token(), order));
  scheduler::run_until_idle();
  server.stop();
  scheduler::run_until_idle();
  CHECK_EQ(order, "c");
  CHECK_EQ(c.try_send(1), status::ok);
  scheduler::run_until_idle();
  CHECK_EQ(order, "ck");
}

namespace {

task<> notes_its_end(std::string& to, char name, channel<int>& from) {
  int value = 0;
  to += name;
  to += co_await from.receive(value) == status::ok ? 'k' : 'c';
}

}  // namespace

TEST_CASE("a linked scope stops with a source, or alone, and counts and joins as any scope") {
  stop_source session;
  channel<int> c;
  std::string order;
  linked_scope uploads(session.token()), downloads(session.token());
  uploads.spawn(notes_its_end(order, 'u', c));
  downloads.spawn(notes_its_end(order, 'd', c));
  scheduler::run_until_idle();
  CHECK_EQ(order, "ud");
  uploads.stop();
  scheduler::run_until_idle();
  CHECK_EQ(order, "udc");
  CHECK(!session.is_stopping());
  CHECK(!downloads.is_stopping());
  CHECK_EQ(downloads.running(), 1u);
  session.stop();
  CHECK(downloads.is_stopping());
  scheduler::run_until_idle();
  CHECK_EQ(order, "udcc");
  CHECK_EQ(downloads.running(), 0u);
}

TEST_CASE("a linked scope of a source that has stopped ends each wait, and one that outlives its source goes on") {
  channel<int> c;
  std::string order;
  std::optional<stop_source> session(std::in_place);
  linked_scope outlives(session->token());
  outlives.spawn(notes_its_end(order, 'o', c));
  scheduler::run_until_idle();
  session.reset();
  CHECK_EQ(c.try_send(1), status::ok);
  scheduler::run_until_idle();
  CHECK_EQ(order, "ok");
  stop_source stopped;
  stopped.stop();
  linked_scope late(stopped.token());
  late.spawn(notes_its_end(order, 'l', c));
  scheduler::run_until_idle();
  CHECK_EQ(order, "oklc");
}

TEST_CASE("a linked scope is destroyed before its source, and the source stops without it") {
  stop_source session;
  {
    linked_scope gone(session.token());
    CHECK_EQ(gone.running(), 0u);
  }
  session.stop();
  CHECK(session.is_stopping());
}

TEST_CASE("scopes linked to scopes: a stop goes down through both, and a join waits for the end") {
  channel<int> c;
  std::string order;
  async::scope outer;
  linked_scope inner(outer.token());
  inner.spawn(notes_its_end(order, 'i', c));
  outer.spawn([](async::scope& joined, std::string& to) -> task<> {
    co_await joined.join();
    to += 'j';
  }(inner, order));
  scheduler::run_until_idle();
  outer.stop();
  scheduler::run_until_idle();
  CHECK_EQ(order, "icj");
  CHECK_EQ(outer.running(), 0u);
}

namespace {

/// A node of a tree, and what a naive model knows about it.
struct node {
  stop_source& get() const { return linked ? *linked : *root; }
  bool is_alive() const { return root || linked; }

  std::unique_ptr<stop_source> root;
  std::unique_ptr<linked_stop_source> linked;
  int parent = -1;  // -1: none, or it has been destroyed
  bool is_stopping = false;
};

struct forest {
  void add_root() {
    nodes.emplace_back();
    nodes.back().root = std::make_unique<stop_source>();
  }
  void add_below(size_t parent) {
    node n;
    n.linked = std::make_unique<linked_stop_source>(nodes[parent].get().token());
    n.parent = static_cast<int>(parent);
    n.is_stopping = nodes[parent].is_stopping;
    nodes.push_back(std::move(n));
  }
  void stop(size_t at) {
    nodes[at].get().stop();
    expect_stop(at);
  }
  void destroy(size_t at) {
    nodes[at].root.reset();
    nodes[at].linked.reset();
    for (node& n : nodes) {
      if (n.parent == static_cast<int>(at)) n.parent = -1;
    }
  }

  std::vector<node> nodes;

 private:
  void expect_stop(size_t at) {
    nodes[at].is_stopping = true;
    for (size_t i = 0; i != nodes.size(); ++i) {
      if (nodes[i].is_alive() && nodes[i].parent == static_cast<int>(at)) expect_stop(i);
    }
  }
};

}  // namespace

TEST_CASE("random trees: whoever is below a source that stops is stopping, and nobody else") {
  for (uint32_t seed = 1; seed != 200; ++seed) {
    test::random chance(seed);
    forest f;
    f.add_root();
    for (int step = 0; step != 60; ++step) {
      const size_t at = chance.below(static_cast<uint16_t>(f.nodes.size()));
      if (!f.nodes[at].is_alive() || chance.one_in(20)) {
        f.add_root();
      } else if (chance.one_in(8)) {
        f.stop(at);
      } else if (chance.one_in(8)) {
        f.destroy(at);
      } else {
        f.add_below(at);
      }
      for (const node& n : f.nodes) {
        if (n.is_alive()) CHECK_WITH(n.get().is_stopping() == n.is_stopping, seed);
      }
    }
  }
}
