// SPDX-License-Identifier: MIT
//
// The cost of events, of a coroutine that they resume, of the life of services and of a message as
// JSON, on one thread and on eight that share nothing, and the memory that they take.
// bench/suites/README.md describes each case.
#include "async/pinned.hpp"
#include "service/crossing.hpp"
#include "service/floors_events.hpp"
#include "service/floors_lanes.hpp"
#include "service/floors_services.hpp"
#include "service/lifecycle.hpp"
#include "service/measured.hpp"
#ifdef BATON_SUITE_HAS_JSON
#include <baton/components/boost_json_serializer.hpp>
#include <baton/components/fields_serializer.hpp>
#include <baton/components/rapidjson_serializer.hpp>
#include <baton/components/simdjson_serializer.hpp>

#include "service/floors_json.hpp"
#endif

namespace suite_service {
namespace {

constexpr uint32_t many = 8;

void event_cases(cases& all, uint32_t threads) {
  const extent e = threads == 1 ? extent{1u << 20, 1u << 14, 25} : extent{1u << 18, 0, 11};
  all.time<coroutine, minimal::coroutine>({"coroutine", "", threads}, e);
  all.time<event_steady, minimal::event_steady>({"event_steady", "", threads}, e);
  all.time<event_drain, minimal::event_drain>({"event_drain", "", threads}, e);
  all.time<event_handler, minimal::event_handler>({"event_handler", "", threads}, e);
}

/// The cost of an event by the number of events that wait.
template <uint32_t N>
void drain_case(cases& all, const extent& e) {
  all.time<in_rounds<N, drained>, in_rounds<N, minimal::drained>>({"event_drain", "n=" + std::to_string(N)}, e);
}
void drain_cases(cases& all) {
  drain_case<1000>(all, {100000, 10000, 15});
  drain_case<10000>(all, {100000, 10000, 15});
  drain_case<100000>(all, {100000, 100000, 15});
  drain_case<1000000>(all, {1000000, 0, 7});
  drain_case<5000000>(all, {5000000, 0, 5});
}

void cycle_case(cases& all, uint32_t threads) {
  const extent e = threads == 1 ? extent{1u << 17, 1u << 11, 25} : extent{1u << 16, 0, 9};
  all.time<start_stop, minimal::start_stop>({"start_stop", "", threads}, e);
}

template <uint32_t N>
void start_case(cases& all, uint32_t threads, const extent& e) {
  all.time<in_rounds<N, started>, in_rounds<N, minimal::started>>({"start", "n=" + std::to_string(N), threads}, e);
}
void start_cases(cases& all) {
  start_case<100>(all, 1, {20000, 1000, 25});
  start_case<1000>(all, 1, {20000, 1000, 25});
  start_case<10000>(all, 1, {20000, 10000, 25});
  start_case<100000>(all, 1, {100000, 0, 5});
  start_case<1000000>(all, 1, {1000000, 0, 5});
}
void start_cases_of_many(cases& all) {
  start_case<100>(all, many, {10000, 0, 11});
  start_case<1000>(all, many, {10000, 0, 11});
  start_case<10000>(all, many, {10000, 0, 11});
}

#ifdef BATON_SUITE_HAS_JSON
void serialize_cases(cases& all, uint32_t threads) {
  const extent e = threads == 1 ? extent{1u << 15, 1u << 10, 25} : extent{1u << 14, 0, 11};
  using fields = minimal::serialize<minimal::by_hand>;
  using rapidjson = minimal::serialize<minimal::rapidjson_library>;
  using boost_json = minimal::serialize<minimal::boost_json_library>;
  using simdjson = minimal::serialize<minimal::simdjson_library>;
  all.time<serialize<components::fields_serializer>, fields>({"serialize", "library=fields", threads}, e);
  all.time<serialize<components::rapidjson_serializer>, rapidjson>({"serialize", "library=rapidjson", threads}, e);
  all.time<serialize<components::boost_json_serializer>, boost_json>({"serialize", "library=boost_json", threads}, e);
  all.time<serialize<components::simdjson_serializer>, simdjson>({"serialize", "library=simdjson", threads}, e);
}
#else
void serialize_cases(cases&, uint32_t) {}
#endif

void crossing_cases(cases& all) {
  const extent e{1u << 19, 0, 15};
  all.time<cross_loop<1>, minimal::cross_loop<1>>({"cross_loop", "producers=1"}, e);
  all.time<cross_loop<2>, minimal::cross_loop<2>>({"cross_loop", "producers=2"}, e);
  all.time<cross_loop<4>, minimal::cross_loop<4>>({"cross_loop", "producers=4"}, e);
}

/// The extent to which the machine lets two processors work side by side.
void pair_cases(cases& all) {
  all.pair<event_handler>({"two_threads", "work=event_handler", 2}, {1u << 20, 0, 25});
  all.pair<start_stop>({"two_threads", "work=start_stop", 2}, {1u << 16, 0, 25});
}

void memory_cases(cases& all) {
  constexpr uint32_t events = 5000000;
  all.weigh<event_drain, minimal::event_drain>({"event_memory", "events=5000000", 1}, events);
  all.weigh<event_drain, minimal::event_drain>({"event_memory", "events=5000000", many}, events);
}

void run(cases& all) {
  {
    const suite_async::pinned here;
    event_cases(all, 1);
    drain_cases(all);
    cycle_case(all, 1);
    start_cases(all);
    serialize_cases(all, 1);
  }
  event_cases(all, many);
  cycle_case(all, many);
  start_cases_of_many(all);
  serialize_cases(all, many);
  crossing_cases(all);
  pair_cases(all);
  memory_cases(all);
}

}  // namespace
}  // namespace suite_service

int main(int argc, char** argv) {
  baton::board::start();
  suite_service::cases all(suite_service::child_request::of(argc, argv));
  suite_service::run(all);
  baton::bench::finish();
}
