// SPDX-License-Identifier: MIT
#include <atomic>
#include <baton/service/registry.hpp>

/// The parts of a registry that its services need before they start.
namespace baton::BATON_VARIANT::service::detail {

/// A number for each worker of the process.
static uint32_t next_worker() noexcept {
  static std::atomic<uint32_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

registry::registry(worker& at_worker, event_queue& h)
    : job(&run), worker_number(next_worker()), at(at_worker), events(h) {
  h.services = this;
}
registry::~registry() {
  free_all();
}

void registry::set_factory(interface_id of, factory* f) {
  row(of).made_by = f;
  if (f) ask_for_waiting(of), wake_up();
}

async::scope& registry::scope_of(service_record& e) {
  optional_fields& m = e.more();
  if (!m.scope) m.scope.emplace();
  return *m.scope;
}

optional_fields& service_record::more() {
  if (!rare) rare = std::make_unique<optional_fields>();
  return *rare;
}

optional_fields::optional_fields() = default;
optional_fields::~optional_fields() = default;

/// Allocates all that the service's life needs in the tables, so that its end needs no memory.
void registry::add(service_record& e) {
  need_rows(*e.type);
  if (free_numbers_.empty()) {
    e.id.number = static_cast<uint32_t>(by_number_.size());
    if (generations_.size() == by_number_.size()) generations_.push_back(0);
    if (free_numbers_.capacity() <= by_number_.size()) free_numbers_.reserve(2 * by_number_.size() + 8);
    by_number_.push_back(&e);
  } else {
    e.id.number = free_numbers_.back();
    free_numbers_.pop_back();
    by_number_[e.id.number] = &e;
  }
  e.id.worker = worker_number;
  e.id.generation = generations_[e.id.number];
  ++live;
  e.is_late = has_begun_;
  look_at(e);
}

}  // namespace baton::BATON_VARIANT::service::detail
