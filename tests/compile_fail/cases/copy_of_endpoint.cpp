// SPDX-License-Identifier: MIT
// error g++ avr-g++: use of deleted function
// error clang++: call to (deleted|implicitly-deleted) (copy )?constructor
// lines: 10
#include <baton/core.hpp>

using thing = baton::endpoint<int, int>;

thing first;
#if FAILS
thing second(first);
#else
thing& second = first;
#endif
