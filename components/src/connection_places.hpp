// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <boost/asio/ip/address.hpp>
#include <cstdint>
#include <map>
#include <memory>

/// The places of a server for connections.
namespace baton::BATON_VARIANT::components::detail {

class connection_places;

/// The use of a place. A place that is `busy` is kept. One that is `leaving` has been given up, and
/// its holder has not ended yet.
enum class place_use : uint8_t { idle, reading, busy, leaving };

/// The place of one connection, which gives it back at its end.
///
/// Shape    a node in the list of the server's places, in the order of their last change.
class connection_place {
 public:
  /// A holder leaves its place when it is told: it ends its connection.
  class holder {
   public:
    holder(const holder&) = delete;
    holder& operator=(const holder&) = delete;
    virtual ~holder() = default;
    virtual void give_way() = 0;

   protected:
    holder() = default;
  };

  inline connection_place(connection_places& of, const boost::asio::ip::address& peer);
  connection_place(const connection_place&) = delete;
  connection_place& operator=(const connection_place&) = delete;
  ~connection_place() { leave(); }

  void hold(holder& h) noexcept { holder_ = &h; }
  inline void become(place_use u) noexcept;

 private:
  friend class connection_places;
  inline void give_up() noexcept;
  inline void leave() noexcept;

  connection_places* of_;
  const boost::asio::ip::address peer_;
  holder* holder_ = nullptr;
  place_use use_ = place_use::idle;
  connection_place* before_ = nullptr;
  connection_place* after_ = nullptr;
};

/// All places that are held.
///
/// Shape    those that have been given up are as many again at most: where that many holders have
///          not ended yet, nobody is asked to go.
/// Context  one thread.
/// Cost     logarithmic in the number of peers; linear in the number of places when there are none
///          left.
class connection_places {
 public:
  connection_places(uint32_t places, uint32_t per_peer) noexcept : most_(places), share_(per_peer) {}
  connection_places(const connection_places&) = delete;
  connection_places& operator=(const connection_places&) = delete;
  ~connection_places() {
    for (const connection_place* p = first_; p; p = first_) first_->leave();
  }

  /// A place for a peer; null: there is none, and none of those that wait may be asked to go.
  std::unique_ptr<connection_place> take(const boost::asio::ip::address& peer) {
    const auto at = held_.find(peer);
    const uint32_t own = at == held_.end() ? 0 : at->second;
    if (own >= share_ && own != 0 && !release(&peer, 0)) return nullptr;
    if (count_ >= most_ && !release(nullptr, own)) return nullptr;
    return std::make_unique<connection_place>(*this, peer);
  }

  /// Asks all connections that wait for a request to go.
  void release_idle() {
    for (connection_place* p = first_; p;) {
      connection_place* const one = p;
      p = p->after_;
      if (one->use_ == place_use::idle) expel(*one);
    }
  }

 private:
  friend class connection_place;

  /// Asks the oldest connection that waits to go: one of this peer, or else of the peer with the
  /// most places, which are at least `own`. An idle one goes before one that reads.
  bool release(const boost::asio::ip::address* peer, uint32_t own) {
    if (leaving_ >= most_) return false;
    connection_place* chosen = nullptr;
    uint64_t best = 0;
    for (connection_place* p = first_; p; p = p->after_) {
      if (p->use_ >= place_use::busy || !p->holder_ || (peer && p->peer_ != *peer)) continue;
      const uint32_t held = held_.find(p->peer_)->second;
      const uint64_t rank = 2 * static_cast<uint64_t>(held) + (p->use_ == place_use::idle ? 1 : 0);
      if (held < own || rank <= best) continue;
      best = rank;
      chosen = p;
    }
    if (chosen) expel(*chosen);
    return chosen != nullptr;
  }
  static void expel(connection_place& p) {
    connection_place::holder* const who = p.holder_;
    p.give_up();
    if (who) who->give_way();
  }

  const uint32_t most_;
  const uint32_t share_;
  uint32_t count_ = 0;
  uint32_t leaving_ = 0;
  std::map<boost::asio::ip::address, uint32_t> held_;
  connection_place* first_ = nullptr;
  connection_place* last_ = nullptr;
};

inline connection_place::connection_place(connection_places& of, const boost::asio::ip::address& peer)
    : of_(&of), peer_(peer) {
  ++of.held_[peer];
  ++of.count_;
  before_ = of.last_;
  after_ = nullptr;
  (before_ ? before_->after_ : of.first_) = this;
  of.last_ = this;
}
inline void connection_place::become(place_use u) noexcept {
  if (use_ == place_use::leaving) return;
  use_ = u;
  if (!of_ || of_->last_ == this) return;
  (before_ ? before_->after_ : of_->first_) = after_;
  after_->before_ = before_;
  before_ = of_->last_;
  after_ = nullptr;
  before_->after_ = this;
  of_->last_ = this;
}
inline void connection_place::give_up() noexcept {
  const auto at = of_->held_.find(peer_);
  if (--at->second == 0) of_->held_.erase(at);
  --of_->count_;
  ++of_->leaving_;
  use_ = place_use::leaving;
}
inline void connection_place::leave() noexcept {
  if (!of_) return;
  if (use_ != place_use::leaving) give_up();
  --of_->leaving_;
  (before_ ? before_->after_ : of_->first_) = after_;
  (after_ ? after_->before_ : of_->last_) = before_;
  of_ = nullptr;
}

}  // namespace baton::BATON_VARIANT::components::detail
