// SPDX-License-Identifier: MIT
//
// A sensor task has a bug: for one channel nobody has set the conversion, and it calls a null
// pointer. Its supervisor hears of the fault, prints it, and restarts the task; the display,
// whose question has ended with peer_gone, asks the new sensor for the next channel and goes on.
#include <baton/kernel/supervisor.hpp>

#include "../support/tasks.hpp"

struct question {
  uint8_t channel;
};
struct reading {
  uint32_t value;
};
using sensor_protocol = kernel::protocol<question, reading>;

BATON_KERNEL_MEMORY kernel::system<4> program;
BATON_KERNEL_MEMORY kernel::end_reports<2> reports{program};
BATON_KERNEL_MEMORY task_stack supervisor_stack, main_stack;
BATON_TASK_MEMORY task_stack sensor_stack, display_stack;

volatile kernel::tid sensor;  // the sensor of today

uint32_t to_celsius(uint32_t raw) {
  return raw / 16;
}
uint32_t to_percent(uint32_t raw) {
  return raw / 41;
}

/// The conversion of each channel. That of channel 1 was forgotten.
uint32_t (*volatile conversions[3])(uint32_t) = {to_celsius, nullptr, to_percent};

void measure(void*) {
  sensor = kernel::my_tid();
  question q;
  kernel::received m = sensor_protocol::receive(q);
  for (;;) {
    const reading answer = {conversions[q.channel](400 + 30u * q.channel)};
    m = sensor_protocol::reply_receive(m.client, answer, q);
  }
}

void show(void*) {
  for (uint8_t channel = 0; channel < 3; ++channel) {
    const kernel::tid asked = sensor;
    reading r;
    const kernel::ipc_result answered = sensor_protocol::call(asked, question{channel}, r);
    if (answered) say("channel ", channel, ": ", r.value);
    if (answered.why() == kernel::error::peer_gone) say("channel ", channel, ": no reading, the sensor has crashed");
    while (!answered && sensor == asked) kernel::sleep(baton::milliseconds(1));
  }
}

/// Tells it in a sentence. `kernel::print_end` prints the address and the registers, too.
void hear(const kernel::end_report& r) {
  if (r.how != kernel::ending::failed) return say("task ", r.name, " has exited");
  say("task ", r.name, " has failed and is restarted");
}

void supervise(void*) {
  kernel::supervisor<2> of{kernel::restart_scope::one};
  of.on_end(&hear);
  of.add(kernel::describe(2, measure, sensor_stack, "sensor"), kernel::restart_when::always);
  of.add(kernel::describe(1, show, display_stack, "display"), kernel::restart_when::on_failure);
  if (!of.run()) kernel::kill(kernel::my_tid());
}

/// Ends the program after a second.
void stop(void*) {
  kernel::sleep(baton::milliseconds(1000));
  program.stop();
}

int main() {
  baton::board::start();
  program.on_fault = nullptr;  // the supervisor tells
  program.create(kernel::describe(4, supervise, supervisor_stack, "supervisor"));
  program.create(kernel::describe_privileged(5, stop, main_stack, "stop"));
  program.run();
  say("over");
  baton::board::finish(0);
}
