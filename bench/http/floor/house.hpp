// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio.hpp>
#include <boost/intrusive/list.hpp>
#include <ctime>
#include <functional>
#include <map>
#include <unordered_map>

#include "rules.hpp"

namespace http_floor {

namespace net = boost::asio;
using tcp = net::ip::tcp;
/// Without a virtual executor, and without locks: one thread runs everything.
using executor = net::io_context::executor_type;
using socket = net::basic_stream_socket<tcp, executor>;

/// The use of a connection, which decides about its deadline and its place.
enum class stage : uint8_t { idle, reading, answering, writing, leaving };

/// A connection in the house.
class guest : public boost::intrusive::list_base_hook<> {
 public:
  explicit guest(const net::ip::address& a) : address_(a) {}
  guest(const guest&) = delete;
  guest& operator=(const guest&) = delete;
  virtual ~guest() = default;
  virtual void expire() = 0;
  virtual void give_way() = 0;

 private:
  friend class house;
  const net::ip::address address_;
  uint64_t due_ = 0;
  stage stage_ = stage::idle;
};

class session;
using request = http::request<http::string_body>;
using response = http::response<http::string_body>;
using reply = boost::intrusive_ptr<session>;
/// Answers a request, at once or later, by `reply->answer`.
using handler = std::function<void(request&, const reply&)>;
using methods = std::map<std::string, handler, std::less<>>;

/// The limits, routes, places, deadlines and the date that all connections share.
///
/// Shape    a deadline is a number of rounds: one timer counts them, and looks at all connections
///          in each. So a request arms no timer, and a limit ends up to two rounds late.
class house {
 public:
  static constexpr std::chrono::milliseconds round{50};

  house(net::io_context& in, limits l) : rules(std::move(l)), timer_(in.get_executor()) { look(); }

  const limits rules;
  std::map<std::string, methods, std::less<>> routes;

  const std::string& date() const noexcept { return date_; }

  /// True if there is a place for another connection of this address: one that waits may go.
  bool has_place(const net::ip::address& of) {
    const auto at = held_.find(of);
    const uint32_t own = at == held_.end() ? 0 : at->second;
    if (own >= rules.connections_per_peer && own != 0 && !release(&of, 0)) return false;
    return guests_.size() < rules.connections || release(nullptr, own);
  }
  void enter(guest& g) {
    ++held_[g.address_];
    guests_.push_back(g);
  }
  void leave(guest& g) {
    if (!g.is_linked()) return;
    guests_.erase(guests_.iterator_to(g));
    const auto at = held_.find(g.address_);
    if (--at->second == 0) held_.erase(at);
  }
  void become(guest& g, stage s, std::chrono::milliseconds limit) {
    g.stage_ = s;
    g.due_ = rounds_ + static_cast<uint64_t>(limit / round) + 1;
    if (g.is_linked()) guests_.splice(guests_.end(), guests_, guests_.iterator_to(g));
  }
  static stage stage_of(const guest& g) noexcept { return g.stage_; }

 private:
  /// Asks the oldest connection of the address with the most places to go, if it waits.
  bool release(const net::ip::address* peer, uint32_t own) {
    guest* chosen = nullptr;
    uint64_t best = 0;
    for (guest& g : guests_) {
      if (g.stage_ > stage::reading || (peer && g.address_ != *peer)) continue;
      const uint32_t held = held_.find(g.address_)->second;
      const uint64_t rank = 2 * static_cast<uint64_t>(held) + (g.stage_ == stage::idle ? 1 : 0);
      if (held < own || rank <= best) continue;
      best = rank;
      chosen = &g;
    }
    if (!chosen) return false;
    leave(*chosen);
    chosen->give_way();
    return true;
  }

  void look() {
    ++rounds_;
    for (auto at = guests_.begin(); at != guests_.end();) {
      guest& g = *at++;
      if (g.due_ <= rounds_) g.expire();
    }
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char written[64];
    date_.assign(written, std::strftime(written, sizeof written, "%a, %d %b %Y %H:%M:%S GMT", &parts));
    timer_.expires_after(round);
    timer_.async_wait([this](boost::system::error_code e) {
      if (!e) look();
    });
  }

  boost::intrusive::list<guest> guests_;
  std::map<net::ip::address, uint32_t> held_;
  uint64_t rounds_ = 0;
  std::string date_;
  net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>, executor> timer_;
};

}  // namespace http_floor
