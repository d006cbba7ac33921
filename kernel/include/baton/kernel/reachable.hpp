// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/channel.hpp>
#include <baton/core/endpoint.hpp>
#include <baton/core/event_flags.hpp>
#include <baton/core/isr_signal.hpp>
#include <baton/core/semaphore.hpp>
#include <baton/core/signal.hpp>
#include <baton/kernel/operation_slot.hpp>

/// Access to core's primitives for tasks other than the coroutine server.
namespace baton {
namespace kernel {

namespace detail {

/// The operations of a primitive, in a table. The values of `which` are its indices.
template <typename Primitive>
struct operations_of;

}  // namespace detail

/// One of core's primitives that tasks can reach, too: coroutines use it directly, tasks through a
/// `coroutine_server`.
///
///     baton::kernel::reachable<baton::channel<uint16_t, 4>> readings;
///     coroutines.open(readings);
///
/// Shape    the primitive and four words.
/// Context  the coroutine server's task; other tasks pass it by reference and access nothing of it.
template <typename Primitive>
struct reachable : Primitive, reachable_base {
  template <typename... Arguments>
  constexpr explicit reachable(Arguments... arguments)
      : Primitive(arguments...),
        reachable_base(detail::operations_of<Primitive>::table, detail::operations_of<Primitive>::count) {}
};

namespace detail {

/// Makes an object in given memory.
template <typename T>
struct in_place : T {
  static void* operator new(decltype(sizeof(int)), void* where) { return where; }
  static void operator delete(void*) {}
};
template <typename T>
T& construct(void* where) {
  return *new (where) in_place<T>();
}

template <typename Primitive>
Primitive& behind(reachable_base& d) {
  return static_cast<reachable<Primitive>&>(d);
}
template <typename Primitive>
Primitive& behind(operation_slot& p) {
  return behind<Primitive>(*p.door);
}

inline const void* data_of(operation_slot& p) {
  return p.data;
}

template <typename T, uint16_t Capacity>
struct operations_of<channel<T, Capacity>> {
  using primitive = channel<T, Capacity>;
  enum which : uint8_t { send, receive, close, count };

  static status send_now(reachable_base& d, void* data, void*) {
    return behind<primitive>(d).try_send(*static_cast<const T*>(data));
  }
  static bool begin_send(operation_slot& p) { return p.await(behind<primitive>(p).send(p.as<T>())); }
  static status receive_now(reachable_base& d, void* data, void*) {
    return behind<primitive>(d).try_receive(*static_cast<T*>(data));
  }
  static bool begin_receive(operation_slot& p) { return p.await(behind<primitive>(p).receive(p.as<T>())); }
  static status close_now(reachable_base& d, void*, void*) {
    behind<primitive>(d).close();
    return status::ok;
  }

  static const reachable_operation table[count];
};
template <typename T, uint16_t Capacity>
const reachable_operation operations_of<channel<T, Capacity>>::table[count] = {
    {sizeof(T), 0, result_disposal::none, &send_now, &begin_send, &data_of, nullptr},
    {0, sizeof(T), result_disposal::value, &receive_now, &begin_receive, &data_of, nullptr},
    {0, 0, result_disposal::none, &close_now, nullptr, &data_of, nullptr},
};

template <typename Request, typename Reply>
struct operations_of<endpoint<Request, Reply>> {
  using primitive = endpoint<Request, Reply>;
  using exchange_type = typename primitive::exchange_type;
  using served_type = typename primitive::served_type;
  enum which : uint8_t { call, receive, reply, close, count };

  static bool begin_call(operation_slot& p) {
    const Request question = p.as<Request>();
    exchange_type& x = construct<exchange_type>(p.data);
    x.request = question;
    return p.await(behind<primitive>(p).call(x));
  }
  static const void* reply_of(operation_slot& p) { return &p.as<exchange_type>().reply; }

  static bool begin_receive(operation_slot& p) {
    served_type& s = construct<served_type>(p.data);
    if (!p.is_now) return p.await(behind<primitive>(p).receive(s));
    p.end(behind<primitive>(p).try_receive(s));
    return false;
  }
  static const void* request_of(operation_slot& p) { return &p.as<served_type>().request(); }
  static void abandon(void* data) { static_cast<served_type*>(data)->abandon(); }

  static status reply_now(reachable_base& d, void* data, void* held) {
    return behind<primitive>(d).reply(*static_cast<served_type*>(held), *static_cast<const Reply*>(data));
  }
  static status close_now(reachable_base& d, void*, void*) {
    behind<primitive>(d).close();
    return status::ok;
  }

  static const reachable_operation table[count];
};
template <typename Request, typename Reply>
const reachable_operation operations_of<endpoint<Request, Reply>>::table[count] = {
    {sizeof(Request), sizeof(Reply), result_disposal::none, nullptr, &begin_call, &reply_of, nullptr},
    {0, sizeof(Request), result_disposal::right, nullptr, &begin_receive, &request_of, &abandon},
    {sizeof(Reply), 0, result_disposal::replies, &reply_now, nullptr, &data_of, nullptr},
    {0, 0, result_disposal::none, &close_now, nullptr, &data_of, nullptr},
};

/// The operations that `signal` and `isr_signal` have in common.
template <typename Signal>
struct operations_of_signal {
  enum which : uint8_t { wait, set, count };

  static status wait_now(reachable_base& d, void*, void*) {
    return behind<Signal>(d).try_take() ? status::ok : status::empty;
  }
  static bool begin_wait(operation_slot& p) { return p.await(behind<Signal>(p).wait()); }
  static status set_now(reachable_base& d, void*, void*) {
    behind<Signal>(d).set();
    return status::ok;
  }

  static const reachable_operation table[count];
};
template <typename Signal>
const reachable_operation operations_of_signal<Signal>::table[count] = {
    {0, 0, result_disposal::none, &wait_now, &begin_wait, &data_of, nullptr},
    {0, 0, result_disposal::none, &set_now, nullptr, &data_of, nullptr},
};
template <>
struct operations_of<signal> : operations_of_signal<signal> {};
template <>
struct operations_of<isr_signal> : operations_of_signal<isr_signal> {};

template <typename Semaphore>
struct operations_of_semaphore {
  enum which : uint8_t { acquire, release, count };

  static status acquire_now(reachable_base& d, void*, void*) {
    return behind<Semaphore>(d).try_acquire() ? status::ok : status::empty;
  }
  static bool begin_acquire(operation_slot& p) { return p.await(behind<Semaphore>(p).acquire()); }
  static status release_now(reachable_base& d, void*, void*) { return behind<Semaphore>(d).release(); }

  static const reachable_operation table[count];
};
template <typename Semaphore>
const reachable_operation operations_of_semaphore<Semaphore>::table[count] = {
    {0, 0, result_disposal::value, &acquire_now, &begin_acquire, &data_of, nullptr},
    {0, 0, result_disposal::none, &release_now, nullptr, &data_of, nullptr},
};
template <>
struct operations_of<semaphore> : operations_of_semaphore<semaphore> {};

template <typename Flags>
struct operations_of_flags {
  enum which : uint8_t { wait, set, clear, count };

  static status wait_now(reachable_base& d, void* data, void*) {
    return behind<Flags>(d).try_wait(*static_cast<flags_wait*>(data)) ? status::ok : status::empty;
  }
  static bool begin_wait(operation_slot& p) { return p.await(behind<Flags>(p).wait(p.as<flags_wait>())); }
  static status set_now(reachable_base& d, void* data, void*) {
    behind<Flags>(d).set(*static_cast<uint16_t*>(data));
    return status::ok;
  }
  static status clear_now(reachable_base& d, void* data, void*) {
    behind<Flags>(d).clear(*static_cast<uint16_t*>(data));
    return status::ok;
  }

  static const reachable_operation table[count];
};
template <typename Flags>
const reachable_operation operations_of_flags<Flags>::table[count] = {
    {sizeof(flags_wait), sizeof(flags_wait), result_disposal::none, &wait_now, &begin_wait, &data_of, nullptr},
    {sizeof(uint16_t), 0, result_disposal::none, &set_now, nullptr, &data_of, nullptr},
    {sizeof(uint16_t), 0, result_disposal::none, &clear_now, nullptr, &data_of, nullptr},
};
template <>
struct operations_of<event_flags> : operations_of_flags<event_flags> {};

}  // namespace detail
}  // namespace kernel
}  // namespace baton
