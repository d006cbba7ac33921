// SPDX-License-Identifier: MIT
#include <program.hpp>

// An id names a slot and a generation; a stale id names no task.

using namespace baton;
using test::program;

TEST_CASE("each task has an id of its own, never no_task, and finds it out by my_tid") {
  program p;
  kernel::tid own[3] = {};
  kernel::tid told[3];
  for (uint8_t i = 0; i < 3; ++i) told[i] = p.task("t", 1, [&, i] { own[i] = kernel::my_tid(); });
  p.run();
  for (uint8_t i = 0; i < 3; ++i) {
    CHECK(told[i] != kernel::no_task);
    CHECK_EQ(own[i], told[i]);
    CHECK(own[i] != own[(i + 1) % 3]);
  }
}

TEST_CASE("a slot that is given away again and again gets an id that it has not had") {
  program p;
  p.task("parent", 1, [&] {
    kernel::tid last = kernel::no_task;
    for (uint16_t i = 0; i < 100; ++i) {
      const kernel::tid id = p.task("child", 2, [] {});
      CHECK(id != last);
      CHECK(p.system.find(id) == nullptr);
      last = id;
    }
  });
  p.run();
}

TEST_CASE("generations come round without naming nobody") {
  program p;
  p.system.table[0].id = static_cast<kernel::tid>(-1) << 8;  // the slot is at its last generation
  const kernel::tid last = p.task("last", 1, [] {});
  CHECK_EQ(last, static_cast<kernel::tid>(-1) << 8);
  p.run();
  const kernel::tid first = p.task("first", 1, [] {});
  CHECK_EQ(first, kernel::tid{0x100});
  CHECK(p.system.find(last) == nullptr);
  CHECK(p.system.find(kernel::no_task) == nullptr);
  p.run();
}

TEST_CASE("an id beyond the table, of a free slot or of a slot's future is nobody's") {
  program p;
  p.task("asker", 1, [&] {
    for (kernel::tid id : {kernel::tid{0}, kernel::tid{1}, kernel::tid{0x1ff}, kernel::tid{0x101}, kernel::tid{0x200},
                           static_cast<kernel::tid>(-1)}) {
      CHECK_WITH(kernel::send(id, nullptr, 0, nullptr, 0).why() == kernel::error::bad_task, id);
      CHECK_WITH(kernel::reply({id}, nullptr, 0).why() == kernel::error::no_right, id);
      CHECK_WITH(kernel::kill(id).why() == kernel::error::bad_task, id);
      CHECK_WITH(kernel::notify(id, 1).why() == kernel::error::bad_task, id);
    }
  });
  p.run();
}

TEST_CASE("parent names who has made a task or, when that has ended, its parent; main's have none") {
  program p;
  kernel::tid told = 77, own = 0, of_child = 0, of_orphan = 77;
  p.task("parent", 2, [&] {
    own = kernel::my_tid();
    told = kernel::parent();
    p.task("child", 1, [&] {
      of_child = kernel::parent();
      kernel::sleep(baton::milliseconds(2));
      of_orphan = kernel::parent();
    });
    kernel::sleep(baton::milliseconds(1));
  });
  p.run();
  CHECK_EQ(told, kernel::no_task);
  CHECK_EQ(of_child, own);
  CHECK_EQ(of_orphan, kernel::no_task);
}
