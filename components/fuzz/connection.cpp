// SPDX-License-Identifier: MIT
#include "connection.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace http_fuzz {

/// Calls the system again where libFuzzer's alarm has interrupted it.
template <typename Call>
static ssize_t whole(Call call) {
  ssize_t n = call();
  while (n < 0 && errno == EINTR) n = call();
  return n;
}

connection::connection(uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval patience = {5, 0};
  setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in at = {};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const ssize_t n = whole([&] { return connect(fd_, reinterpret_cast<const sockaddr*>(&at), sizeof at); });
  if (n != 0 && errno != EISCONN) fail("no connection", "", strerror(errno));
}
connection::~connection() {
  close(fd_);
}

void connection::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = whole([&] { return send(fd_, text.data(), text.size(), MSG_NOSIGNAL); });
    if (n <= 0) return;
    text.remove_prefix(static_cast<size_t>(n));
  }
}
void connection::end_writing() {
  shutdown(fd_, SHUT_WR);
}

bool connection::read_some(std::string& to, size_t most) {
  char some[4096];
  const ssize_t n = whole([&] { return recv(fd_, some, most < sizeof some ? most : sizeof some, 0); });
  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) fail("the connection does not end", "", to);
  if (n > 0) to.append(some, static_cast<size_t>(n));
  return n > 0;
}
std::string connection::read_to(std::string_view end) {
  std::string all;
  while (!all.ends_with(end) && read_some(all, 1)) {
  }
  return all;
}
std::string connection::rest() {
  std::string all;
  while (read_some(all, 4096)) {
  }
  return all;
}

std::string exchange(uint16_t port, std::string_view text) {
  connection to(port);
  to.write(text);
  to.end_writing();
  return to.rest();
}

void fail(const std::string& what, std::string_view text, std::string_view answer) {
  std::string all = what + "\n--- sent\n";
  all.append(text).append("\n--- answered\n").append(answer).append("\n---\n");
  std::fwrite(all.data(), 1, all.size(), stderr);
  std::abort();
}

}  // namespace http_fuzz
