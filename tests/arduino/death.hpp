// SPDX-License-Identifier: MIT
#pragma once

// The reports of a process in which a requirement breaks.
namespace death {

extern int report_to;         // a file
extern const void* expected;  // the object that is to be named

/// Reports and ends the process with the code 1.
[[noreturn]] void give_up(const char* why);

}  // namespace death
