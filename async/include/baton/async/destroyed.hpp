// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/call_chain.hpp>

/// Coroutines that a stop has destroyed.
namespace baton::BATON_VARIANT::async {

/// The reason for which a stopped coroutine was destroyed.
enum class destroyed_because : uint8_t {
  ignored_cancels,  ///< it went on to wait, and each wait in a row ended at once with `cancelled`
  limit_reached,    ///< it had not ended at the limit of the stop
};

/// A coroutine that did not end after its stop, and is about to be destroyed with those that await
/// it.
///
/// Shape    `code` is the function that runs the innermost coroutine: a symbolizer names it.
///          `file` and `line` say where it waits, in builds that note it (`port::checked`); null
///          and 0 in others.
struct destroyed_coroutine {
  destroyed_because why;
  const void* code;
  const char* file;
  uint32_t line;
};

/// The function that is told of a destroyed coroutine of this domain. Null: the port prints a line,
/// if it has a console for that.
///
///     async::on_destroyed() = [](const async::destroyed_coroutine& c) { log(c.code); };
///
/// Context  the loop's thread, before the frames are destroyed. The function must not throw, and
///          must not spawn, stop or destroy coroutines.
using destroyed_hook = void (*)(const destroyed_coroutine&) noexcept;
BATON_INLINE destroyed_hook& on_destroyed() noexcept {
  return domain::variable<struct on_destroyed_name, destroyed_hook>::get();
}

namespace detail {

template <typename Port>
auto print_destroyed_in(const destroyed_coroutine& c,
                        int) -> decltype(Port::print_destroyed_coroutine(c.code, c.file, c.line)) {
  return Port::print_destroyed_coroutine(c.code, c.file, c.line);
}
template <typename Port>
void print_destroyed_in(const destroyed_coroutine&, long) {}

/// Names a chain that is about to be destroyed.
BATON_NOINLINE inline void tell_destroyed(call_chain& c, destroyed_because why) noexcept {
  const promise_base& innermost = promise_base::of(c.other);
  const destroyed_coroutine what{why, *static_cast<const void* const*>(c.other), innermost.site.file(),
                                 innermost.site.line()};
  if (on_destroyed()) return on_destroyed()(what);
  print_destroyed_in<port>(what, 0);
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
