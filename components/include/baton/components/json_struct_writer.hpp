// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_names.hpp>
#include <baton/components/json_text.hpp>
#include <baton/components/json_writer.hpp>

namespace baton::BATON_VARIANT::components::detail {

/// Writes structs to a text, without values between.
///
/// Shape    the text is in a buffer, and in a string from the time that it is longer. An object or
///          array has a comma behind each member, and its last one becomes the bracket.
class json_struct_writer {
 public:
  template <typename T>
  void write(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      put(value ? std::string_view("true") : std::string_view("false"));
    } else if constexpr (std::is_floating_point_v<T>) {
      write_real(static_cast<double>(value));
    } else if constexpr (std::is_integral_v<T>) {
      write_integer(value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      write_text(value);
    } else if constexpr (is_optional<T>) {
      value ? write(*value) : put("null");
    } else if constexpr (is_vector<T>) {
      write_array(value);
    } else {
      write_object(value, std::make_index_sequence<count_of_fields<T>>());
    }
  }
  std::string str() && {
    if (long_.empty()) [[likely]]
      return std::string(buffer_, next_);
    spill();
    return std::move(long_);
  }

 private:
  static constexpr size_t longest_number = 32, longest_escape = 6;

  char* end() noexcept { return buffer_ + sizeof buffer_; }
  /// Makes room for `n` characters, and for a comma or bracket behind them. Returns where: a store
  /// through a pointer to char would make the compiler load a member again.
  char* room(size_t n) {
    if (static_cast<size_t>(end() - next_) <= n) [[unlikely]]
      spill();
    return next_;
  }
  [[gnu::noinline]] void spill() {
    long_.append(buffer_, next_);
    next_ = buffer_;
  }
  /// The next character, which has its room.
  void add(char c) noexcept {
    char* const p = next_++;
    *p = c;
  }
  void put(char c) {
    static_cast<void>(room(1));
    add(c);
  }
  void put(std::string_view t) {
    if (t.size() >= sizeof buffer_) [[unlikely]] {
      spill();
      long_.append(t);
      return;
    }
    char* const p = room(t.size());
    next_ = p + t.size();
    std::memcpy(p, t.data(), t.size());
  }
  void close(char bracket, bool is_empty) {
    if (is_empty) return put(bracket);
    next_[-1] = bracket;  // the comma, which is in the buffer
    static_cast<void>(room(0));
  }

  template <typename T>
  void write_integer(T value) {
    char* p = room(longest_number);
    if (value >= 0 && value < 100) {
      if (value >= 10) *p++ = static_cast<char>('0' + value / 10);
      *p++ = static_cast<char>('0' + value % 10);
    } else {
      p = std::to_chars(p, end(), value).ptr;
    }
    next_ = p;
  }
  void write_real(double value) { next_ = real_to_chars(room(longest_number), end(), finite(value)); }
  template <typename T>
  void write_array(const std::vector<T>& all) {
    put('[');
    for (const auto& one : all) {
      write(static_cast<const T&>(one));
      add(',');
    }
    close(']', all.empty());
  }
  template <typename T, size_t... I>
  void write_object(const T& value, std::index_sequence<I...>) {
    static_assert(check_fields<T>());
    put('{');
    bool is_empty = true;
    (write_field<T, I>(value, is_empty), ...);
    close('}', is_empty);
  }
  template <typename T, size_t I>
  void write_field(const T& value, bool& is_empty) {
    const auto& member = value.*field_of<T, I>.at;
    if constexpr (is_optional<value_of_field<T, I>>) {
      if (!member) return;
    }
    is_empty = false;
    put(std::string_view(key_of<T, I>.data(), key_of<T, I>.size()));
    write(member);
    add(',');
  }

  void write_text(std::string_view t) {
    if (t.size() > sizeof buffer_ - 3 || !is_plain(t)) [[unlikely]]
      return write_long_text(t);
    char* p = room(t.size() + 2);
    *p++ = '"';
    std::memcpy(p, t.data(), t.size());
    p += t.size();
    *p++ = '"';
    next_ = p;
  }
  void write_long_text(std::string_view t);

  char* next_ = buffer_;
  std::string long_;  // what is before the buffer
  char buffer_[512];
};

/// A text that needs escapes, has characters that are not ASCII, or is longer than the buffer.
[[gnu::noinline]] inline void json_struct_writer::write_long_text(std::string_view t) {
  const char* p = t.data();
  const char* const last = p + t.size();
  put('"');
  for (const char* from = p;;) {
    p = find_special(p, last);
    if (p != last && !is_ascii(*p)) {
      p = after_utf8(p, last);
      if (!p) refuse_text();
      continue;
    }
    put(std::string_view(from, static_cast<size_t>(p - from)));
    if (p == last) break;
    next_ = write_escape(room(longest_escape), *p++);
    from = p;
  }
  put('"');
}

}  // namespace baton::BATON_VARIANT::components::detail
