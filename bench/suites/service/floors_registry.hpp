// SPDX-License-Identifier: MIT
#pragma once

#include "floors_loop.hpp"
#include "floors_pool.hpp"

// The minimal registry of the floors: services by number, providers by interface, links in both
// directions, and a life that events of the loop carry on. A service has at most two dependencies,
// both required, and provides one interface. It is constructed once, its start and stop are
// functions, and nothing fails, is missing, named, filtered, supervised or checked.

namespace suite_service {
namespace minimal {

class registry;
struct service;
using interface_id = uint16_t;

enum class phase : uint8_t { installed, starting, injecting, active, uninjecting, stopping };

/// A dependency: the place for the provider's address.
struct slot {
  service* of;
  interface_id interface;
  bool waits = false;
  uint16_t providers = 0;
  void** place;
  slot* next = nullptr;
  slot* before = nullptr;
};
struct link {
  service* provider;
  slot* to;
  link *next_of_provider, *before_of_provider = nullptr;
  link *next_of_dependant, *before_of_dependant = nullptr;
};
struct service {
  service() = default;
  service(const service&) = delete;
  service& operator=(const service&) = delete;
  virtual ~service() = default;
  virtual void start() {}
  virtual void stop() {}

  template <typename T>
  void needs(interface_id i, T*& place) {
    slots[needed++] = {this, i, false, 0, reinterpret_cast<void**>(&place)};
  }

  registry* in = nullptr;
  uint32_t number = 0, requester = 0, lacks = 0;  // requester 0: provided to all services
  phase now = phase::installed;
  bool removes = false, goes_down = false;
  uint8_t needed = 0;
  slot slots[2] = {};
  interface_id provides = 0;
  void* object = nullptr;
  uint32_t position = 0;  // among the providers of the same interface
  uint32_t made = 0;      // the provider that was made for it
  link *dependants = nullptr, *providers = nullptr;
};

/// Makes a provider for each service that lacks one.
struct maker {
  void* self = nullptr;
  void (*make)(void* self, service& requester) = nullptr;
  void (*gone)(void* self, service& requester) = nullptr;
};

class registry {
 public:
  registry() : services_(1) {
    at.runs<installs>();
    at.runs<asks>();
    at.runs<comes>();
    at.runs<stops>();
    at.runs<leaves>();
    at.runs<starts>();
    at.runs<quits>();
  }
  registry(const registry&) = delete;
  registry& operator=(const registry&) = delete;
  ~registry() {
    for (service* s : services_) delete s;
  }

  /// Takes over a service that provides this object as this interface.
  uint32_t add(service* s, interface_id i, void* object, uint32_t requester = 0) {
    s->provides = i;
    s->object = object;
    s->in = this;
    s->number = static_cast<uint32_t>(services_.size());
    s->requester = requester;
    services_.push_back(nullptr);
    at.push(installs{this, s}, loop::high);
    return s->number;
  }
  void stop(uint32_t number, bool removes) { at.push(stops{this, number, removes}, loop::high); }
  void start(uint32_t number) { at.push(starts{this, number}); }
  void quit() { at.push(quits{this}); }
  void set_maker(interface_id i, maker m) {
    rows_[i].makes = m;
    if (!m.make) return;
    for (slot* s = rows_[i].waiting; s; s = s->next) at.push(asks{this, s->of->number, i}, loop::high);
  }

  loop at;

 private:
  struct row {
    std::vector<service*> providers;
    slot* waiting = nullptr;
    maker makes;
  };

  struct installs {
    registry* at;
    service* s;
    void operator()() const { at->install(s); }
  };
  struct asks {
    registry* at;
    uint32_t number;
    interface_id interface;
    void operator()() const {
      service* const s = at->services_[number];
      const maker& m = at->rows_[interface].makes;
      if (s && m.make) m.make(m.self, *s);
    }
  };
  struct comes {
    registry* at;
    uint32_t number;
    void operator()() const {
      if (service* const s = at->services_[number]) at->come(s);
    }
  };
  struct stops {
    registry* at;
    uint32_t number;
    bool removes;
    void operator()() const {
      if (service* const s = at->services_[number]) at->stop(s, removes);
    }
  };
  struct leaves {
    registry* at;
    uint32_t number;
    bool removes;
    void operator()() const {
      if (service* const s = at->services_[number]) at->leave(s, removes);
    }
  };
  struct starts {
    registry* at;
    uint32_t number;
    void operator()() const {
      if (service* const s = at->services_[number]) at->start_if_complete(s);
    }
  };
  struct quits {
    registry* at;
    void operator()() const {
      at->is_quitting_ = true;
      for (service* s : at->services_) {
        if (s) at->stop(s->number, true);
      }
    }
  };

  inline void install(service* s);
  inline void come(service* s);
  inline void leave(service* s, bool removes);
  inline void stop(service* s, bool removes);
  inline void remove(service* s);
  inline void begin(service* s);
  inline void end(service* s, bool removes);
  void start_if_complete(service* s) {
    if (s->lacks == 0 && s->now == phase::installed) begin(s);
  }

  inline void wait(slot& s);
  inline void wait_no_more(slot& s);
  inline void connect(service& provider, slot& to);
  inline void disconnect(link* l);

  pool<link> memory_;
  std::vector<service*> services_;  // by number, from 1
  row rows_[8];                     // by interface
  uint32_t live_ = 0;
  bool is_quitting_ = false;
};

}  // namespace minimal
}  // namespace suite_service

#include "floors_life.hpp"
