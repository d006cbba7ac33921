// SPDX-License-Identifier: MIT
//
// Memory for the frames of a test program that also runs on a host, where the pool has the heap.
#include <baton/async.hpp>

namespace {

baton::async::frame_memory<32768> memory;

struct given_before_the_first_case {
  given_before_the_first_case() { baton::async::use_for_frames(memory); }
} given;

}  // namespace
