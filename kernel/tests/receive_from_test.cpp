// SPDX-License-Identifier: MIT
#include <program.hpp>

// A receive that takes the message of one task alone.

using namespace baton;
using kernel::error;
using test::ms;
using test::program;

namespace {

/// `receive_from`, as text: the message and its sender, or the error.
std::string take(program& p, kernel::tid from, tick timeout = kernel::unlimited,
                 kernel::reply_token* client = nullptr) {
  p.mark("awaits " + p.name_of(from));
  char text[16] = "";
  const kernel::received m = kernel::receive_from(from, text, 15, baton::spi::limit_of_ticks(timeout));
  if (!m) {
    p.mark(std::string("receive_from: ") + kernel::error_name(m.result.why()));
    return kernel::error_name(m.result.why());
  }
  CHECK_EQ(m.from, from);
  p.mark(std::string("took '") + text + "' from " + p.name_of(m.from));
  if (client) {
    *client = m.client;
  } else {
    CHECK(kernel::reply(m.client, "ok", 2));
  }
  return text;
}

/// Runs a program whose tasks must come to their ends: in virtual time a hang returns, too.
void run_until_ended(program& p, int tasks) {
  p.run();
  const std::string log = p.log();
  int ended = 0;
  for (size_t at = log.find(" ends\""); at != std::string::npos; at = log.find(" ends\"", at + 1)) ++ended;
  CHECK_EQ(ended, tasks);
}

}  // namespace

TEST_CASE("the message of one task is taken before those of others, which wait on") {
  program p;
  kernel::tid low = kernel::no_task;
  const kernel::tid server = p.task("server", 1, [&] {
    p.sleep(ms(1));
    take(p, low);
    p.reply(p.receive().client, "ok");
  });
  low = p.task("low", 2, [&] { p.send(server, "low"); });
  p.task("high", 3, [&] { p.send(server, "high"); });
  p.run();
  CHECK_LOG(p, "high sends server", "server sleeps", "low sends server", "at 1 ms", "server wakes", "server awaits low",
            "server took 'low' from low", "server receives", "server took 'high' from high", "server replies to high",
            "high got 'ok'", "high ends", "low got 'ok'", "low ends", "server ends");
}

TEST_CASE("a receiver waits for one task while others queue, and the send of that task runs it at once") {
  program p;
  kernel::tid awaited = kernel::no_task;
  const kernel::tid server = p.task("server", 4, [&] {
    take(p, awaited);
    p.reply(p.receive().client, "ok");
  });
  p.task("other", 3, [&] { p.send(server, "other"); });
  awaited = p.task("awaited", 2, [&] {
    p.sleep(ms(1));
    p.send(server, "me");
  });
  p.run();
  CHECK_LOG(p, "server awaits awaited", "awaited sleeps", "other sends server", "at 1 ms", "awaited wakes",
            "awaited sends server", "server took 'me' from awaited", "server receives",
            "server took 'other' from other", "server replies to other", "server ends", "other got 'ok'", "other ends",
            "awaited got 'ok'", "awaited ends");
}

TEST_CASE("the awaited task inherits the receiver's priority, and that of those who wait for the receiver") {
  program p;
  kernel::tid low = kernel::no_task;
  const kernel::tid server = p.task("server", 3, [&] {
    p.sleep(ms(1));
    kernel::reply_token client = {};
    take(p, low, kernel::unlimited, &client);
    CHECK_EQ(p.system.find(low)->priority, 1);
    p.reply(client, "ok");
    p.reply(p.receive().client, "ok");
  });
  low = p.task("low", 1, [&] {
    p.work(2);
    CHECK_EQ(p.system.running->priority, 3);
    p.work(2);
    CHECK_EQ(p.system.running->priority, 4);
    p.send(server, "low");
    CHECK_EQ(p.system.running->priority, 1);
  });
  p.task("urgent", 4, [&] {
    p.sleep(ms(3));
    p.send(server, "urgent");
  });
  run_until_ended(p, 3);
}

TEST_CASE("a wait for a task that ends is peer_gone, and for one that has ended, or never was, bad_task") {
  program p;
  kernel::tid child = kernel::no_task;
  p.task("server", 2, [&] {
    CHECK_EQ(take(p, kernel::no_task), "bad_task");
    CHECK_EQ(take(p, child), "peer_gone");
    CHECK_EQ(take(p, child), "bad_task");
    const kernel::tid victim = p.task("victim", 1, [&] { p.sleep(ms(9)); });
    p.task("killer", 1, [&] {
      p.sleep(ms(1));
      p.kill(victim);
    });
    CHECK_EQ(take(p, victim), "peer_gone");
  });
  child = p.task("child", 1, [&] {});
  run_until_ended(p, 3);
}

TEST_CASE("the timeout of the receiver comes, and with it ends what it has lent") {
  program p;
  kernel::tid low = kernel::no_task;
  const kernel::tid server = p.task("server", 3, [&] {
    CHECK_EQ(take(p, low, 0), "would_wait");
    CHECK_EQ(take(p, low, kernel::longest_timeout + 1), "bad_timeout");
    CHECK_EQ(take(p, low, ms(1)), "timed_out");
    CHECK_EQ(p.system.find(low)->priority, 1);
    CHECK_EQ(take(p, low, ms(5)), "late");
    p.sleep(ms(9));  // a timeout that was not disarmed would wake it
    CHECK_EQ(port::now(), ms(11));
  });
  low = p.task("low", 1, [&] {
    p.work(2);
    p.send(server, "late");
  });
  run_until_ended(p, 2);
}

TEST_CASE("a receiver may not wait for a task that waits for it") {
  program p;
  kernel::tid client = kernel::no_task, second = kernel::no_task;
  const kernel::tid server = p.task("server", 2, [&] {
    CHECK_EQ(take(p, kernel::my_tid()), "deadlock");
    kernel::reply_token held = {};
    CHECK_EQ(take(p, client, kernel::unlimited, &held), "hi");
    CHECK_EQ(take(p, client), "deadlock");  // it waits for the reply
    p.reply(held, "ok");
    CHECK_EQ(take(p, second), "again");
  });
  client = p.task("client", 3, [&] { p.send(server, "hi"); });
  second = p.task("second", 1, [&] {
    CHECK_EQ(take(p, server), "deadlock");  // the server awaits it
    p.send(server, "again");
  });
  run_until_ended(p, 3);
}

TEST_CASE("a send that would close a cycle with a receiver of one task is refused") {
  program p;
  kernel::tid low = kernel::no_task;
  const kernel::tid receiver = p.task("receiver", 4, [&] { CHECK_EQ(take(p, low), "ok now"); });
  const kernel::tid between = p.task("between", 3, [&] { p.send(receiver, "queued"); });
  low = p.task("low", 1, [&] {
    p.sleep(ms(1));
    CHECK(p.send(between, "?").why() == error::deadlock);  // low -> between -> receiver -> low
    p.send(receiver, "ok now");
  });
  p.run();
  CHECK_LOG(p, "receiver awaits low", "low sleeps", "between sends receiver", "at 1 ms", "low wakes",
            "low sends between", "low send: deadlock", "low sends receiver", "receiver took 'ok now' from low",
            "receiver ends", "between send: peer_gone", "between ends", "low got 'ok'", "low ends");
}

TEST_CASE("bits of the mask do not end it, and a bad buffer is refused") {
  program p;
  kernel::tid client = kernel::no_task;
  const kernel::tid server = p.task("server", 2, [&] {
    kernel::set_notification_mask(1);
    CHECK(kernel::receive_from(client, nullptr, 4).result.why() == error::bad_buffer);
    char buffer[4];
    CHECK(kernel::receive_from(client, buffer, kernel::longest_message + 1).result.why() == error::bad_buffer);
    CHECK_EQ(take(p, client), "hi");
    CHECK(kernel::receive(buffer, 4).result.why() == error::notified);
  });
  client = p.task("client", 1, [&] {
    kernel::notify(server, 1);
    p.send(server, "hi");
  });
  run_until_ended(p, 2);
}

TEST_CASE("the token of a receiver is no right to reply") {
  program p;
  kernel::tid client = kernel::no_task;
  const kernel::tid server = p.task("server", 2, [&] { CHECK_EQ(take(p, client), "hi"); });
  client = p.task("client", 1, [&] {
    const kernel::reply_token token = {p.system.find(server)->token};
    CHECK(kernel::reply(token, "x", 1).why() == error::no_right);
    CHECK(kernel::reply_error(token, 1).why() == error::no_right);
    p.send(server, "hi");
  });
  run_until_ended(p, 2);
}

TEST_CASE("a receiver of one task that is killed lends nothing any more") {
  program p;
  kernel::tid low = kernel::no_task;
  const kernel::tid receiver = p.task("receiver", 3, [&] { take(p, low); });
  low = p.task("low", 1, [&] {
    CHECK_EQ(p.system.running->priority, 3);
    p.kill(receiver);
    CHECK_EQ(p.system.running->priority, 1);
    CHECK(p.send(receiver, "?").why() == error::bad_task);
  });
  run_until_ended(p, 1);
}
