// SPDX-License-Identifier: MIT
//
// Lends memory, well and wrongly, between two tasks without privileges; and the other calls that
// end or choose a message.
#include "program.hpp"

namespace faults {

namespace {

using kernel::error;
using kernel::lease;
using kernel::lend;
using kernel::lend_to_read;
using kernel::lend_to_write;
using kernel::word;

constexpr word most = 5;

/// The list of a client, in memory of all: what no client should do.
struct {
  kernel::lease_list head;
  lease pieces[most];
} list;
constexpr word code = 77;
uint32_t shared_word = 6;
const uint32_t constant = 5;
kernel::ipc_result end;  // of the client's call

/// The client's call, word by word: the list is where `where` says.
void send_list(void* where) {
  const uint32_t own = 7;
  list.pieces[0] = lend_to_read(&own, 4);
  end = kernel::ipc_result(baton::kernel_switch::call<kernel::call_number::send_lending>(reinterpret_cast<word>(where),
                                                                                         0, 0, 0, 0, kernel::unlimited)
                               .first);
}

/// Makes a client that lends by the list at `where`, and receives from it.
kernel::received client_of(void* where) {
  static BATON_TASK_MEMORY kernel::stack<512> client_stack;
  const kernel::created c = kernel::create(kernel::describe(3, send_list, client_stack, "client", where));
  check(static_cast<bool>(c), "a client begins");
  return kernel::receive_from(c.id, nullptr, 0);
}

/// Ends the client; its stack is free then.
void end_client(kernel::reply_token client) {
  check(kernel::reply_error(client, code).is_ok(), "a call ends by an error");
  kernel::sleep(baton::ticks(2));
  check(end.why() == error::server_error && end.error_code() == code, "the client has the error");
}

error copies_from(kernel::reply_token client, word piece, word bytes) {
  uint32_t to[2];
  return kernel::copy_from(client, piece, 0, to, bytes).why();
}

error copies_to(kernel::reply_token client, word piece, word bytes) {
  const uint32_t from[2] = {8, 8};
  return kernel::copy_to(client, piece, 0, from, bytes).why();
}

void lend_well(kernel::reply_token client) {
  uint32_t got = 0;
  check(kernel::copy_from(client, 0, 0, &got, 4).length() == 4 && got == 7, "the client's stack is lent");
  check(kernel::copy_from(client, 1, 0, &got, 4).length() == 4 && got == 6, "a variable is lent");
  check(kernel::copy_from(client, 2, 0, &got, 4).length() == 4 && got == 5, "a constant is lent");
  got = 0x01020304;
  check(kernel::copy_to(client, 3, 1, reinterpret_cast<char*>(&got) + 1, 2).length() == 2, "half a word is written");
  uint32_t expected = 6;
  __builtin_memcpy(reinterpret_cast<char*>(&expected) + 1, reinterpret_cast<char*>(&got) + 1, 2);
  check(shared_word == expected, "half a word arrives");
  check(copies_to(client, 0, 4) == error::bad_lease, "what is lent to read is not written");
  check(copies_from(client, 0, 5) == error::bad_lease, "a copy ends with the lease");
  check(copies_from(client, 4, 1) == error::bad_lease, "there is no fifth lease");
  check(copies_from(client, static_cast<word>(-1), 1) == error::bad_lease, "no number is a lease by mistake");
  check(copies_from(client, 0x15555555, 1) == error::bad_lease, "no number wraps into the list");
  check(kernel::copy_from(client, 0, static_cast<word>(-4), &got, 8).why() == error::bad_lease, "no offset wraps");
  check(kernel::copy_from(client, 0, 0, nullptr, 4).why() == error::bad_buffer, "a copy has a buffer");
}

}  // namespace

void lend_memory(void*) {
  const word bads[] = {word{0}, kernel::largest_error_code + 1, static_cast<word>(-1)};
  for (word bad : bads) {
    check(kernel::reply_error(kernel::no_client, bad).why() == error::no_right, "no code without a client");
  }
  check(kernel::receive_from(kernel::my_tid(), nullptr, 0).result.why() == error::deadlock, "nobody awaits itself");
  check(kernel::receive_from(kernel::no_task, nullptr, 0).result.why() == error::bad_task, "nobody is awaited");
  shared_word = 6;
  list.head = {kernel::my_tid(), 4};
  list.pieces[1] = lend_to_read(&shared_word, 4);
  list.pieces[2] = lend_to_read(&constant, 4);
  list.pieces[3] = lend_to_write(&shared_word, 4);
  list.pieces[4] = lend(&shared_word, 4);
  const kernel::received m = client_of(&list);
  check(m.result.is_ok(), "a client lends");
  lend_well(m.client);
  for (word bad : bads) {
    check(kernel::reply_error(m.client, bad).why() == error::no_right, "a server gives no result of the kernel");
  }
  end_client(m.client);
  check(copies_from(m.client, 0, 4) == error::no_right, "a lease ends with the call");
  const word odds[] = {word{0}, reinterpret_cast<word>(&list) + 1, reinterpret_cast<word>(&list) + 2};
  for (word odd : odds) {
    check(client_of(reinterpret_cast<void*>(odd)).result.why() == error::peer_gone, "a bad list is refused");
    check(end.why() == error::bad_buffer, "the client hears of its list");
  }
}

void lend_what_is_not_its_own(void*) {
  check(client_of(&the_kernel).result.why() == error::peer_gone && end.why() == error::bad_buffer,
        "a list in the kernel's memory is refused");
  check(client_of(server_stack.words).result.why() == error::peer_gone && end.why() == error::bad_buffer,
        "a list on another stack is refused");
  list.head = {kernel::my_tid(), most};
  list.pieces[1] = lend(&the_kernel, 4);
  list.pieces[2] = lend(server_stack.words, 4);
  list.pieces[3] = lend(const_cast<uint32_t*>(&constant), 4);
  list.pieces[4] = lend(nullptr, ~word{0});
  const kernel::received m = client_of(&list);
  check(m.result.is_ok(), "a client lends what is not its own");
  const word pieces[] = {word{1}, word{2}, word{4}};
  for (word piece : pieces) {
    check(copies_from(m.client, piece, 4) == error::bad_lease, "what is not the client's is not read");
    check(copies_to(m.client, piece, 4) == error::bad_lease, "what is not the client's is not written");
  }
  check(copies_from(m.client, 3, 4) == error::none, "a constant is read");
  check(copies_to(m.client, 3, 4) == error::bad_lease, "a constant is not written");
  const word kernel_itself = reinterpret_cast<word>(&the_kernel);
  check(kernel::copy_from(m.client, 4, kernel_itself, list.pieces, 4).why() == error::bad_lease,
        "no offset leads to the kernel's memory");
  check(kernel::copy_from(m.client, 3, 0, &the_kernel, 4).why() == error::bad_buffer,
        "nothing is read into the kernel");
  check(kernel::copy_to(m.client, 0, 0, &the_kernel, 4).why() == error::bad_lease ||
            kernel::copy_to(m.client, 0, 0, &the_kernel, 4).why() == error::bad_buffer,
        "nothing of the kernel is written");
  // The list changes under way.
  list.pieces[0] = lend(victim_stack.words, sizeof victim_stack.words);
  check(copies_to(m.client, 0, 4) == error::bad_lease, "a list that changes lends no more than the client has");
  list.head.count = ~word{0};
  check(copies_from(m.client, 0x10000000, 4) == error::bad_lease, "a list does not go on behind the client's memory");
  end_client(m.client);
}

}  // namespace faults
