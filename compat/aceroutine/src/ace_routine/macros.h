// SPDX-License-Identifier: MIT
#pragma once

// The macros of a coroutine's body. The address of a label (an extension of GCC and clang) says
// where the body goes on, so a wait point may be inside a switch of the body. A local variable has
// no value after a wait point: a variable that must live across one is static or a member.

/// Defines a coroutine object. The body follows: `COROUTINE(name) { ... }`, or
/// `COROUTINE(Class, name) { ... }` for an object whose type derives from `Class`.
#define COROUTINE(...) BATON_ACE_PICK_(__VA_ARGS__, BATON_ACE_TWO_, BATON_ACE_ONE_, )(__VA_ARGS__)

/// Declares a coroutine object that another file defines by COROUTINE with the same arguments.
#define EXTERN_COROUTINE(...) BATON_ACE_PICK_(__VA_ARGS__, BATON_ACE_EXTERN_TWO_, BATON_ACE_EXTERN_ONE_, )(__VA_ARGS__)

/// Opens a body that COROUTINE_END closes.
#define COROUTINE_BEGIN() BATON_ACE_BEGIN_()

/// Opens a body that runs for ever: `COROUTINE_LOOP() { ... }`.
#define COROUTINE_LOOP() \
  COROUTINE_BEGIN();     \
  while (true)

/// Closes the body: the coroutine has ended, until `reset()`.
#define COROUTINE_END() BATON_ACE_END_(__COUNTER__)

/// Lets the other coroutines run, then goes on.
#define COROUTINE_YIELD() BATON_ACE_YIELD_(__COUNTER__)

/// Lets the others run, then goes on when `condition` is true. Each visit tests the condition.
#define COROUTINE_AWAIT(...) BATON_ACE_AWAIT_(__COUNTER__, (__VA_ARGS__))

/// Lets the others run, then goes on when a visit finds that the delay is over. The maximum is
/// 32767.
#define COROUTINE_DELAY(milliseconds) BATON_ACE_DELAY_(__COUNTER__, setDelayMillis, isDelayExpired, milliseconds)
#define COROUTINE_DELAY_MICROS(microseconds) \
  BATON_ACE_DELAY_(__COUNTER__, setDelayMicros, isDelayMicrosExpired, microseconds)
#define COROUTINE_DELAY_SECONDS(seconds) BATON_ACE_DELAY_(__COUNTER__, setDelaySeconds, isDelaySecondsExpired, seconds)

/// Returns from the body, which goes on here at the next visit: for a wait macro of the program,
/// which sets the status itself.
#define COROUTINE_YIELD_INTERNAL() BATON_ACE_RETURN_(__COUNTER__, )

// ---- implementation
// clang-format off

#define BATON_ACE_PICK_(first, second, picked, ...) picked

// A body may exist only once: a label that one copy has stored is no valid address in another copy.
#if __has_attribute(noclone)
#define BATON_ACE_BODY_ __attribute__((noinline, noclone))
#else
#define BATON_ACE_BODY_ __attribute__((noinline))
#endif

#define BATON_ACE_TYPE_(Base, Type)                \
  struct Type : Base {                             \
    Type();                                        \
    int runCoroutine() override BATON_ACE_BODY_;   \
  }
#define BATON_ACE_DEFINE_(Base, Type, name) \
  BATON_ACE_TYPE_(Base, Type) name;         \
  Type::Type() {}                           \
  int Type::runCoroutine()
#define BATON_ACE_DECLARE_(Base, Type, name) \
  BATON_ACE_TYPE_(Base, Type);               \
  extern Type name

#define BATON_ACE_ONE_(name) BATON_ACE_DEFINE_(::ace_routine::Coroutine, Coroutine_##name, name)
#define BATON_ACE_TWO_(Class, name) BATON_ACE_DEFINE_(Class, Class##_##name, name)
#define BATON_ACE_EXTERN_ONE_(name) BATON_ACE_DECLARE_(::ace_routine::Coroutine, Coroutine_##name, name)
#define BATON_ACE_EXTERN_TWO_(Class, name) BATON_ACE_DECLARE_(Class, Class##_##name, name)

#define BATON_ACE_LABEL_(n) baton_ace_point_##n

#define BATON_ACE_BEGIN_()                                        \
  do {                                                            \
    void* baton_ace_jump_ = this->getJump();                      \
    if (baton_ace_jump_) __extension__({ goto *baton_ace_jump_; }); \
  } while (0)

// The status is set last: all places of a body that set the same one share the end of a step.
#define BATON_ACE_RETURN_(n, ...)                         \
  do {                                                    \
    this->setJump(__extension__ && BATON_ACE_LABEL_(n));  \
    __VA_ARGS__;                                          \
    return 0;                                             \
    BATON_ACE_LABEL_(n) : ;                               \
  } while (0)

#define BATON_ACE_YIELD_(n)                       \
  do {                                            \
    BATON_ACE_RETURN_(n, this->setYielding());    \
    this->setRunning();                           \
  } while (0)

#define BATON_ACE_AWAIT_(n, condition)            \
  do {                                            \
    BATON_ACE_RETURN_(n, this->setYielding());    \
    if (!(condition)) return 0;                   \
    this->setRunning();                           \
  } while (0)

#define BATON_ACE_DELAY_(n, begin, is_over, count) \
  do {                                             \
    this->begin(count);                            \
    BATON_ACE_RETURN_(n, this->setDelaying());     \
    if (!this->is_over()) return 0;                \
    this->setRunning();                            \
  } while (0)

#define BATON_ACE_END_(n)                                 \
  do {                                                    \
    this->setEnding();                                    \
    this->setJump(__extension__ && BATON_ACE_LABEL_(n));  \
    BATON_ACE_LABEL_(n) : return 0;                       \
  } while (0)
// clang-format on
