// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/tcp_place.hpp>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <systemd/sd-daemon.h>

namespace baton::BATON_VARIANT::components {

namespace detail {

/// The descriptors that systemd has passed to the program, by their names.
///
/// Context  the first call takes them out of the environment, so that no child takes them for its
///          own.
inline const std::map<std::string, int>& sockets_of_systemd() {
  static const std::map<std::string, int> all = [] {
    std::map<std::string, int> by_name;
    char** names = nullptr;
    const int count = ::sd_listen_fds_with_names(1, &names);
    for (int i = 0; i < count; ++i) by_name.emplace(names[i], SD_LISTEN_FDS_START + i);
    for (int i = 0; names && i < count; ++i) std::free(names[i]);  // NOLINT(cppcoreguidelines-no-malloc): sd-daemon's
    std::free(names);                                              // NOLINT(cppcoreguidelines-no-malloc)
    return by_name;
  }();
  return all;
}

}  // namespace detail

/// The socket that systemd listens at for the program: clients can connect before it runs, and
/// while it is restarted. Without systemd, or if the unit has no socket, the program listens by
/// itself.
///
///     app.add<beast_http_server, http_server>(systemd_socket("http", tcp_place(8080)));
///
/// Shape    the socket with `FileDescriptorName=` `name`, whose default is the name of the socket's
///          unit; otherwise `without`.
/// Context  before the first worker's thread begins.
/// Errors   std::invalid_argument: systemd has passed sockets, but none of that name.
/// Source   sd_listen_fds(3), systemd.socket(5)
inline tcp_place systemd_socket(const std::string& name, const tcp_place& without) {
  const std::map<std::string, int>& all = detail::sockets_of_systemd();
  if (all.empty()) return without;
  const auto found = all.find(name);
  if (found != all.end()) return without.listening(found->second);
  std::string known;
  for (const auto& [other, unused] : all) known += (known.empty() ? "'" : ", '") + other + "'";
  throw std::invalid_argument("systemd has passed no socket '" + name + "', but " + known);
}

}  // namespace baton::BATON_VARIANT::components
