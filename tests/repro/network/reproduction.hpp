// SPDX-License-Identifier: MIT
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <baton/asio/poller.hpp>
#include <baton/service.hpp>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace async = baton::async;
using namespace baton::service;
using baton::milliseconds;
using baton::seconds;

/// The number of expectations that did not hold.
inline int failures = 0;

inline void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("failed: %s\n", what);
  std::fflush(stdout);
  ++failures;
}

/// The exit code of the program: 1 while the defect is there.
inline int outcome_of_expectations() {
  return failures != 0;
}

inline sockaddr_in loopback(uint16_t port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return to;
}

/// A blocking socket of the other side, which has nothing of Baton. A read ends after five seconds.
class peer {
 public:
  explicit peer(int descriptor = ::socket(AF_INET, SOCK_STREAM, 0)) : descriptor_(descriptor) {
    const timeval limit{5, 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }
  peer(const peer&) = delete;
  peer& operator=(const peer&) = delete;
  ~peer() { ::close(descriptor_); }

  bool connect(uint16_t port) const {
    const sockaddr_in to = loopback(port);
    return ::connect(descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      text.remove_prefix(static_cast<size_t>(sent));
    }
  }
  /// Says that nothing more will be sent.
  void end() const { ::shutdown(descriptor_, SHUT_WR); }
  /// Closes the connection by a reset.
  void reset() const {
    const linger at_once{1, 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  /// Reads until the other side closes or `last` has come.
  std::string read(std::string_view last = {}) const {
    std::string all;
    char some[4096];
    while (last.empty() || all.find(last) == std::string::npos) {
      const ssize_t got = ::recv(descriptor_, some, sizeof some, 0);
      if (got <= 0) break;
      all.append(some, static_cast<size_t>(got));
    }
    return all;
  }

 private:
  int descriptor_;
};
