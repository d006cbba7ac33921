// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_text.hpp>
#include <baton/service/snapshot.hpp>

namespace baton::BATON_VARIANT::components {

/// A snapshot of a worker, if the worker has given one.
struct worker_report : service::worker_snapshot {
  bool has_answered = true;  ///< false: the worker had ended or was busy too long, and only its name is known

  /// A JSON object with the members' names.
  std::string json() const {
    json_text to;
    put_to(to);
    return std::move(to).str();
  }
  void put_to(json_text& to) const {
    to.begin_object();
    put(to, "name", name);
    to.key("has_answered");
    to.boolean(has_answered);
    put(to, "waiting_events", waiting_events);
    put(to, "handled_events", handled_events);
    put(to, "dropped_events", dropped_events);
    to.key("services");
    to.begin_array();
    for (const service::service_snapshot& s : services) put(to, s);
    to.end_array();
    to.end_object();
  }

 private:
  static void put(json_text& to, std::string_view key, std::string_view value) {
    to.key(key);
    to.text(value);
  }
  static void put(json_text& to, std::string_view key, uint64_t value) {
    to.key(key);
    to.number(value);
  }
  static void put(json_text& to, std::string_view key, const std::vector<std::string>& values) {
    to.key(key);
    to.begin_array();
    for (const std::string& v : values) to.text(v);
    to.end_array();
  }
  static void put(json_text& to, const service::service_snapshot& s) {
    to.begin_object();
    put(to, "name", s.name);
    put(to, "number", uint64_t{s.id.number});
    put(to, "generation", uint64_t{s.id.generation});
    put(to, "phase", name_of(s.phase));
    put(to, "interfaces", s.interfaces);
    to.key("dependencies");
    to.begin_array();
    for (const service::dependency_snapshot& d : s.dependencies) {
      to.begin_object();
      put(to, "interface", d.interface);
      put(to, "kind", name_of(d.kind));
      put(to, "providers", d.providers);
      to.end_object();
    }
    to.end_array();
    put(to, "dependants", s.dependants);
    put(to, "coroutines", uint64_t{s.coroutines});
    to.end_object();
  }
};

/// The states of all workers of a program, each at a time of its own.
struct program_report {
  std::vector<worker_report> workers;  ///< the main worker, and the others in the order in which they were added

  /// The report of a worker of this name; null if there is none.
  const worker_report* find(std::string_view worker) const noexcept {
    for (const worker_report& w : workers) {
      if (w.name == worker) return &w;
    }
    return nullptr;
  }

  /// A JSON object with the member's name.
  std::string json() const {
    json_text to;
    to.begin_object();
    to.key("workers");
    to.begin_array();
    for (const worker_report& w : workers) w.put_to(to);
    to.end_array();
    to.end_object();
    return std::move(to).str();
  }
};

}  // namespace baton::BATON_VARIANT::components
