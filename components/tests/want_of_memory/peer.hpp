// SPDX-License-Identifier: MIT
#pragma once

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace want_of_memory {

/// A blocking socket that has nothing of Baton. A read ends after five seconds.
class peer {
 public:
  peer() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval limit{5, 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  explicit peer(uint16_t port) : peer() { connect(port); }
  peer(const peer&) = delete;
  peer& operator=(const peer&) = delete;
  ~peer() { close(); }

  void connect(uint16_t port) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = ::connect(descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }

  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

  bool is_connected() const noexcept { return is_connected_; }
  /// True if a read had to be given up.
  bool has_waited() const noexcept { return has_waited_; }

  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      text.remove_prefix(static_cast<size_t>(sent));
    }
  }
  /// Reads until `last` has come, or the other side has closed.
  std::string read(std::string_view last) {
    std::string all;
    char some[4096];
    while (all.find(last) == std::string::npos) {
      const ssize_t got = ::recv(descriptor_, some, sizeof some, 0);
      has_waited_ = has_waited_ || (got < 0 && errno == EAGAIN);  // a reset is an end
      if (got <= 0) break;
      all.append(some, static_cast<size_t>(got));
    }
    return all;
  }

 private:
  int descriptor_;
  bool is_connected_ = false;
  bool has_waited_ = false;
};

}  // namespace want_of_memory
