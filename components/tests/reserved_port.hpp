// SPDX-License-Identifier: MIT
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace network_test {

/// A free port of the loopback interface that servers can share while this lives. Nobody listens
/// through it, so it gets no connection.
class reserved_port {
 public:
  reserved_port() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int yes = 1;
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    auto* const any = reinterpret_cast<sockaddr*>(&at);
    if (::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        ::setsockopt(socket_, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) != 0 || ::bind(socket_, any, size) != 0 ||
        ::getsockname(socket_, any, &size) != 0)
      throw std::runtime_error("no port is free");
    port_ = ntohs(at.sin_port);
  }
  reserved_port(const reserved_port&) = delete;
  reserved_port& operator=(const reserved_port&) = delete;
  ~reserved_port() { ::close(socket_); }

  uint16_t port() const noexcept { return port_; }

 private:
  const int socket_;
  uint16_t port_ = 0;
};

}  // namespace network_test
