// SPDX-License-Identifier: MIT
//
// Two players and a referee do not know each other's ids, and find each other by name. The referee
// keeps both players waiting until it has both hands, and replies to each. When the referee ends,
// its name is removed.
#include <baton/board.hpp>
#include <baton/kernel.hpp>
#include <baton/kernel/servers/name_server.hpp>

#include "../support/tasks.hpp"

constexpr uint8_t rounds = 4;

struct play {
  const char* player;
  uint8_t hand;  // rock, paper, scissors
};
struct verdict {
  int8_t won;  // 1, 0 or -1
};
using game = kernel::protocol<play, verdict>;

const char* const hands[] = {"rock", "paper", "scissors"};

kernel::name_server<4> the_names;
BATON_KERNEL_MEMORY kernel::system<4> program;
BATON_KERNEL_MEMORY task_stack stacks[4];
const kernel::names names;  // the name server is the first task

/// 1: the first hand wins; -1: the second hand wins.
int8_t compare(uint8_t first, uint8_t second) {
  if (first == second) return 0;
  return (first + 3 - second) % 3 == 1 ? 1 : -1;
}

void referee(void*) {
  names.register_as("referee");
  for (uint8_t round = 1; round <= rounds; ++round) {
    play a, b;
    const kernel::received first = game::receive(a);
    const kernel::received second = game::receive(b);
    const int8_t won = compare(a.hand, b.hand);
    say("round ", round, ": ", a.player, " has ", hands[a.hand], ", ", b.player, " has ", hands[b.hand]);
    game::reply(first.client, verdict{won});
    game::reply(second.client, verdict{static_cast<int8_t>(-won)});
  }
}

struct player {
  const char* name;
  uint8_t hand;
  uint8_t step;
};
player players[] = {{"anna", 0, 1}, {"bert", 0, 2}};

void take_part(void* p) {
  player& self = *static_cast<player*>(p);
  const kernel::found judge = names.who_is("referee");  // waits until there is one
  uint8_t wins = 0;
  verdict v;
  while (game::call(judge.id, play{self.name, self.hand}, v)) {  // until the referee has ended
    if (v.won > 0) ++wins;
    self.hand = static_cast<uint8_t>((self.hand + self.step) % 3);
  }
  say(self.name, " has won ", wins, wins == 1 ? " round" : " rounds");
  if (names.who_is("referee", baton::duration()).result.why() == kernel::error::would_wait)
    say("  and finds no referee any more");
  if (self.step == 2) program.stop();
}

int main() {
  baton::board::start();
  program.create(the_names.describe(5, stacks[0]));
  for (uint8_t i = 0; i < 2; ++i) {
    program.create(kernel::describe_privileged(2, take_part, stacks[1 + i], players[i].name, &players[i]));
  }
  program.create(kernel::describe(1, referee, stacks[3], "referee"));
  program.run();
  baton::board::finish(0);
}
