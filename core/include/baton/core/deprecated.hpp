// SPDX-License-Identifier: MIT
#pragma once

/// Marks a function, type, alias or variable that a later release takes away. `text` is the remedy,
/// "use X". It stands before a function or variable, and before the name of a type or alias:
///
///     BATON_DEPRECATED("use g") int f();
///     struct BATON_DEPRECATED("use s") old_s;
///     using old_name BATON_DEPRECATED("use name") = name;
///
/// Errors   a use is a warning, no error unless the program asks for one. It has the text; avr-g++
///          5.4 shows the text for functions alone.
#define BATON_DEPRECATED(text) __attribute__((deprecated(text)))
