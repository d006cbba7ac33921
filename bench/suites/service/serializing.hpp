// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json.hpp>
#include <string>

#include "events.hpp"

// A message that becomes JSON and a message again: the case serialize of the suite service.

namespace suite_service {

namespace components = baton::components;

/// Has the members of Ichor's message, and so as many bytes of JSON.
struct message {
  uint64_t id = 0;
  std::string val;
  friend bool operator==(const message&, const message&) = default;
};

}  // namespace suite_service

template <>
struct baton::components::fields<suite_service::message> {
  using message = suite_service::message;
  static constexpr auto all = std::tuple{field{"id", &message::id}, field{"val", &message::val}};
};

namespace suite_service {

inline message to_send() {
  return {20, "five hundred"};
}
/// {"id":20,"val":"five hundred"}
constexpr uint32_t bytes_of_text = 30;

/// The result of a message's round trips.
struct round_trips {
  static constexpr uint32_t bytes_each = 2 * bytes_of_text;  // written once, and read once

  explicit round_trips(uint32_t n) : asked(n) {}
  void note(size_t bytes_of_this, bool is_same) {
    bytes += 2 * bytes_of_this;
    equal += is_same;
  }
  counted result(bool ran_well) const {
    return only_if(ran_well && bytes == uint64_t{asked} * bytes_each, {asked, equal});
  }

  uint32_t asked;
  uint64_t bytes = 0, equal = 0;
};

/// A service that requires a serializer, lets it write a message, and lets it read the text.
template <template <typename> typename Serializer>
struct serialize : program {
  using codec = components::serializer<message>;
  static constexpr uint32_t bytes_each = round_trips::bytes_each;

  explicit serialize(uint32_t n) : trips(n) {}

  struct traveller {
    traveller(service::required<codec> c, service::context h, serialize* p) : json(c), here(h), in(p) {}
    void start() {
      in->travel(*json);
      here.quit();
    }

    service::required<codec> json;
    service::context here;
    serialize* in;
  };

  void travel(codec& json) {
    const message sent = to_send();
    for (uint32_t i = 0; i != trips.asked; ++i) {
      const std::string text = json.write(sent);
      const components::json_result<message> got = json.read(text);
      trips.note(text.size(), got && *got == sent);
    }
  }
  void run() {
    app.add<Serializer<message>, codec>();
    app.add<traveller>(this);
    program::run();
  }
  counted finish() const { return trips.result(ran_well()); }

  round_trips trips;
};

}  // namespace suite_service
