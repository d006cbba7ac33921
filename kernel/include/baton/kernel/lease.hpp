// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/types.hpp>

namespace baton {
namespace kernel {

/// The access of a server to memory that a client lends.
enum class lease_access : uint8_t { read = 1, write = 2, read_write = 3 };

/// A piece of memory that a client lends for the time of a call. Make one by `lend_to_read`,
/// `lend_to_write` or `lend`.
/// Units    `bytes` may be more than `longest_message`: one copy is at most that long.
struct lease {
  void* address;
  word bytes;
  lease_access access;
};

/// Lends memory that the server may copy from.
constexpr lease lend_to_read(const void* address, word bytes) {
  return lease{const_cast<void*>(address), bytes, lease_access::read};
}

/// Lends memory that the server may copy to.
constexpr lease lend_to_write(void* address, word bytes) {
  return lease{address, bytes, lease_access::write};
}

/// Lends memory that the server may copy from and to.
constexpr lease lend(void* address, word bytes) {
  return lease{address, bytes, lease_access::read_write};
}

/// The head of a list of leases, which follow it. The kernel reads the list in the client's memory
/// at each copy.
struct lease_list {
  tid destination;
  word count;
};

/// A list of so many leases.
template <word Count>
struct lease_list_of {
  lease_list head;
  lease pieces[Count];
};

static_assert(sizeof(lease_list) % alignof(lease) == 0, "the leases follow the head");

}  // namespace kernel
}  // namespace baton
