// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// A client that writes bytes to a server of this process.
namespace http_fuzz {

/// A connection over the loopback interface. The process is aborted if the other side does not
/// accept it, or is silent for five seconds.
class connection {
 public:
  explicit connection(uint16_t port);
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  ~connection();

  /// Writes as much as the other side takes: one that refuses need not read all.
  void write(std::string_view text);
  void end_writing();
  /// Returns what comes up to these characters, and with them; all there is if they do not come.
  std::string read_to(std::string_view end);
  /// Returns all that comes until the other side ends the connection.
  std::string rest();

 private:
  /// Appends what has come. false: the other side has ended the connection.
  bool read_some(std::string& to, size_t most);

  int fd_;
};

/// Writes a text to a new connection, ends that direction, and returns all that comes back.
std::string exchange(uint16_t port, std::string_view text);

/// Prints a finding and aborts.
[[noreturn]] void fail(const std::string& what, std::string_view text, std::string_view answer);

}  // namespace http_fuzz
