// SPDX-License-Identifier: MIT
// error g++ avr-g++: use of deleted function
// error clang++: call to (deleted|implicitly-deleted) (copy )?constructor
// lines: 8
#include <baton/core.hpp>

using thing = baton::isr_signal;

thing first;
#if FAILS
thing second(first);
#else
thing& second = first;
#endif
