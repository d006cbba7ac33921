// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/ring.hpp>
#include <baton/kernel/servers/serial_queues.hpp>
#include <baton/kernel/system.hpp>

namespace baton {
namespace kernel {

/// A UART as three tasks. The server has the queues. A notifier waits for the interrupt's event and
/// brings the server the bytes that have arrived. A transmitter asks the server for bytes and
/// writes them. The clients use `serial`.
///
///     struct uart {
///       static void listen(void (*on_byte)(uint8_t)) { baton::board::serial_in::listen(on_byte); }
///       static void put(uint8_t byte) { baton::board::console::put(static_cast<char>(byte)); }
///     };
///     baton::kernel::serial_server<uart> line{system, 0};   // event 0
///     line.create(system, 6, 1, stacks);
///
/// Shape    `Uart` has `listen(handler)`, which calls the handler for each byte from an interrupt,
///          and `put(byte)`, which sends a byte and may wait, in the kernel or by polling the
///          device. The queues are inline; no heap. One object per `Uart`.
/// Context  bounded everywhere. A writer waits for its reply while the queue is full. While no
///          client reads, the notifier waits for its reply, the interrupt's ring fills, and further
///          bytes count as lost. The transmitter is privileged. It must be less urgent than tasks
///          that must not wait for a polled line.
/// Cost     a message per chunk of `serial_chunk` bytes, and three stacks.
template <typename Uart, uint8_t Received = 64, uint8_t ToSend = 64, uint8_t Waiters = 4, uint8_t InInterrupt = 32>
class serial_server {
 public:
  /// Takes the kernel's event that the interrupt raises.
  serial_server(kernel_state& m, uint8_t event) : kernel_(m), event_(event) {}

  /// The stacks of the three tasks.
  template <word Bytes>
  struct stacks {
    stack<Bytes> server, notifier, transmitter;
  };

  /// Makes the tasks, the server and its notifier at `level`, and begins to listen.
  /// Context  main, before the kernel runs.
  /// Errors   those of `create`.
  template <typename System, word Bytes>
  created create(System& system, priority level, priority transmits_at, stacks<Bytes>& s) {
    const created made = system.create(describe(level, &serve, s.server, "serial", this));
    if (!made) return made;
    server_ = made.id;
    const created notifier = system.create(describe(level, &bring, s.notifier, "serial in", this));
    if (!notifier) return notifier;
    notifier_ = notifier.id;
    const created transmitter =
        system.create(describe_privileged(transmits_at, &transmit, s.transmitter, "serial out", this));
    if (!transmitter) return transmitter;
    transmitter_ = transmitter.id;
    instance() = this;
    Uart::listen(&on_byte);
    return made;
  }

 private:
  static serial_server*& instance() {
    static serial_server* only;
    return only;
  }

  /// Called in the interrupt.
  static void on_byte(uint8_t byte) {
    serial_server& self = *instance();
    if (self.came_.push(byte) != status::ok) self.lost_ = self.lost_ + 1;
    from_interrupt::raise_event(self.kernel_, self.event_);
  }

  static void serve(void* p) {
    serial_server& self = *static_cast<serial_server*>(p);
    serial_request q;
    for (;;) {
      const received m = serial_protocol::receive(q);
      if (m) self.queues_.take(m, q, m.from == self.notifier_, m.from == self.transmitter_, self.lost_);
    }
  }

  static void bring(void* p) {
    serial_server& self = *static_cast<serial_server*>(p);
    serial_reply a;
    for (;;) {
      serial_request q = {serial_call::received, 0, {}};
      while (q.count < serial_chunk && self.came_.pop(q.bytes[q.count]) == status::ok) ++q.count;
      if (q.count) {
        if (!serial_protocol::call(self.server_, q, a)) return;
      } else {
        wait_interrupt_event(self.event_);
      }
    }
  }

  static void transmit(void* p) {
    serial_server& self = *static_cast<serial_server*>(p);
    serial_reply a;
    while (serial_protocol::call(self.server_, serial_request{serial_call::to_send, 0, {}}, a)) {
      for (uint8_t i = 0; i < a.count; ++i) Uart::put(a.bytes[i]);
    }
  }

  kernel_state& kernel_;
  const uint8_t event_;
  tid server_ = no_task, notifier_ = no_task, transmitter_ = no_task;
  ring<uint8_t, InInterrupt> came_;  // the interrupt pushes, the notifier pops
  volatile uint32_t lost_ = 0;       // written by the interrupt alone
  serial_queues<Received, ToSend, Waiters> queues_;
};

}  // namespace kernel
}  // namespace baton
