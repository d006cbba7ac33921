// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <baton/test/check.hpp>

namespace baton {
namespace test {

/// Records the calls of the trace hook, with names, and the tests' marks, and prints them as text.
///
/// Shape    fixed: on a device 44 lines, 10 names. More are replaced by a last line "...", which no
///          test expects.
class recorder {
 public:
  static recorder& get() {
    static recorder instance;
    return instance;
  }

  void start() {
    used_ = names_ = 0;
    overflowed_ = false;
    sim::clock::get().trace = &on;
  }

  template <typename T>
  void name(const T& object, flash_text text) {
    if (!sim::clock::get().trace) start();
    if (names_ < most_names) name_[names_++] = {&object, identity(&object), sizeof object, text};
  }

  void mark(flash_text text) { add({marked, false, text, nullptr, 0}); }
  void mark(flash_text text, uint32_t number) { add({numbered, false, text, nullptr, number}); }

  /// Prints the lines as the text of CHECK_TRACE's arguments: in quotes, with commas between.
  template <typename Sink>
  void print(Sink& sink) const {
    for (uint16_t i = 0; i < used_; ++i) {
      if (i) put_literal(sink, BATON_TEST_TEXT(", "));
      sink.put('"');
      print_line(sink, line_[i]);
      sink.put('"');
    }
    if (overflowed_) put_literal(sink, BATON_TEST_TEXT(", \"...\""));
  }

  void clear() { used_ = 0; }

 private:
  enum kind : uint8_t { ready_, runs, waits, done, marked, numbered };
  static constexpr uint16_t most_lines = is_small_target ? 44 : 1000;
  static constexpr uint8_t most_names = is_small_target ? 10 : 40;

  struct line {
    uint8_t what;
    bool is_case;
    const void* who;  // a job, or the text of a mark
    const void* other;
    uint32_t number;
  };
  struct named_object {
    const void* object;
    const void* job_in_it;
    uint16_t bytes;
    flash_text text;
  };

  static const void* identity(const job* j) { return j; }
  static const void* identity(const void*) { return nullptr; }

  static void on(transition what, const job* who, const void* on_what) {
    get().add({static_cast<uint8_t>(what), who->at == select_case_mark, who, on_what, 0});
  }

  void add(const line& l) {
    if (used_ < most_lines) {
      line_[used_++] = l;
    } else {
      overflowed_ = true;
    }
  }

  const named_object* find(const void* p) const {
    for (uint8_t i = 0; i < names_; ++i) {
      const char* from = static_cast<const char*>(name_[i].object);
      if (p >= from && p < from + name_[i].bytes) return &name_[i];
    }
    return nullptr;
  }

  template <typename Sink>
  static void put_literal(Sink& sink, flash_text text) {
    for (char c; (c = read_flash(text)) != 0; ++text) sink.put(c);
  }

  template <typename Sink>
  static void put_number(Sink& sink, uint32_t n) {
    char digits[10];
    uint8_t used = 0;
    do {
      digits[used++] = static_cast<char>('0' + n % 10);
      n /= 10;
    } while (n);
    while (used) sink.put(digits[--used]);
  }

  template <typename Sink>
  void put_name(Sink& sink, const named_object* found) const {
    put_literal(sink, found ? found->text : BATON_TEST_TEXT("?"));
  }

  template <typename Sink>
  void print_line(Sink& sink, const line& l) const {
    if (l.what >= marked) {
      put_literal(sink, static_cast<flash_text>(l.who));
      if (l.what == marked) return;
      sink.put(' ');
      put_number(sink, l.number);
      return;
    }
    const named_object* who = find(l.who);
    put_name(sink, who);
    if (who && l.who != who->job_in_it) {
      put_literal(sink, l.is_case ? BATON_TEST_TEXT("'s case") : BATON_TEST_TEXT("'s timer"));
    }
    const named_object* other = find(l.other);
    if (l.what == waits && who && other == who) return put_literal(sink, BATON_TEST_TEXT(" selects"));
    put_literal(sink, l.what == ready_  ? BATON_TEST_TEXT(" ready")
                      : l.what == runs  ? BATON_TEST_TEXT(" runs")
                      : l.what == waits ? BATON_TEST_TEXT(" waits")
                                        : BATON_TEST_TEXT(" done"));
    if (!l.other) return;
    sink.put(' ');
    put_name(sink, other);
  }

  line line_[most_lines];
  named_object name_[most_names];
  uint16_t used_ = 0;
  uint8_t names_ = 0;
  bool overflowed_ = false;
};

inline void mark(flash_text text) {
  recorder::get().mark(text);
}
template <typename Number>
void mark(flash_text text, Number number) {
  recorder::get().mark(text, static_cast<uint32_t>(number));
}

}  // namespace test
}  // namespace baton

/// Gives an object its name in the trace, and starts the trace if it has not started.
#define NAME(object) ::baton::test::recorder::get().name(object, BATON_TEST_TEXT(#object))

/// Adds a line of the test's own to the trace: `MARK("got", value)`.
#define MARK(...) BATON_TEST_MARK(__VA_ARGS__, ~)
#define BATON_TEST_MARK(...) BATON_TEST_MARK_OF(__VA_ARGS__, BATON_TEST_MARK_2, BATON_TEST_MARK_1, ~)(__VA_ARGS__)
#define BATON_TEST_MARK_OF(a, b, c, chosen, ...) chosen
#define BATON_TEST_MARK_1(text, end) ::baton::test::mark(BATON_TEST_TEXT(text))
#define BATON_TEST_MARK_2(text, number, end) ::baton::test::mark(BATON_TEST_TEXT(text), number)

/// Compares the whole trace since the start, or since the last CHECK_TRACE, with its arguments, and
/// starts anew.
#define CHECK_TRACE(...) BATON_TEST_CHECK_TRACE(#__VA_ARGS__)
