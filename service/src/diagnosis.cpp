// SPDX-License-Identifier: MIT
#include "diagnosis.hpp"

#include <algorithm>

namespace baton::BATON_VARIANT::service::detail {

std::string in_quotes(std::string_view name) {
  return "'" + std::string(name) + "'";
}

std::string what_of(const std::exception_ptr& thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is not a std::exception";
  }
  return "nothing";
}

static std::string in_time(duration d) {
  return d.ticks() % 1_s == 0 ? std::to_string(d / 1_s) + " s" : std::to_string(d / 1_ms) + " ms";
}

const dependency* links_of::first_lack(const service_record& e) const {
  for (size_t i = 0; i != e.type->needs.size(); ++i) {
    const dependency& d = e.type->needs[i];
    if (needs_one(d.kind) && !e.slots[i].first) return &d;
  }
  return nullptr;
}

service_record* links_of::provider_to_be(const service_record& requester, const dependency& d) const {
  for (provided_interface* p = all.row(d.of).first; p; p = p->next) {
    if (suits(requester, d, *p->of)) return p->of;
  }
  return nullptr;
}

static bool by_number(const service_record* a, const service_record* b) {
  return a->id.number < b->id.number;
}

lack lack_of(const requirement_source& all, service_record& from) {
  lack found;
  std::vector<const service_record*> way;
  for (service_record* e = &from;;) {
    const auto before = std::find(way.begin(), way.end(), e);
    if (before != way.end()) {
      found.is_cycle = true;
      found.path.clear();
      std::vector<const service_record*> cycle(before, way.end());
      std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end(), by_number),
                  cycle.end());  // the same text from each of its services
      for (const service_record* c : cycle) found.path += std::string(c->name()) + " -> ";
      found.path += cycle.front()->name();
      return found;
    }
    way.push_back(e);
    found.path += e->name();
    const dependency* const d = all.first_lack(*e);
    if (!d) {  // it failed, or is not enabled
      found.last = e;
      return found;
    }
    service_record* const next = all.provider_to_be(*e, *d);
    found.path += " -> ";
    if (!next) {
      found.path += d->name;
      found.missing = d->name;
      found.named = d->named;
      found.of = e->name();
      return found;
    }
    if (next->is_stand_in) {
      found.path += d->name;
      found.of = e->name();
      found.missing = d->name;
      found.last = next;
      return found;
    }
    e = next;
  }
}

/// The reason that a service which lacks nothing does not run.
static std::string reason_of(const service_record& e) {
  if (e.rare && e.rare->failure) return in_quotes(e.name()) + " failed: " + what_of(e.rare->failure);
  return "the last service of this path is not running" + std::string(e.is_enabled ? "" : ": it is stopped");
}

/// True if a waiting service is no mistake: its provider failed, and starts again or may be down.
bool waits_for_failed(const lack& l) {
  return l.last && (l.last->is_backing_off || (l.last->has_failed && l.last->on_failure == after_failure::stay_down));
}

bool waits_for_other_worker(const lack& l) {
  return l.last && l.last->is_stand_in;
}

/// Takes an argument that every program leaves at its default out of the names of types.
static void drop_argument(std::string& text, std::string_view begin) {
  for (size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    size_t end = at + begin.size();
    for (unsigned open = 1; open != 0 && end != text.size(); ++end)
      open += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
    text.erase(at, end - at);
  }
}

/// Writes the names of the standard library's types as a program does.
static std::string as_written(std::string text) {
  for (const std::string_view argument : {", std::char_traits<", ", std::allocator<", ", std::default_delete<"})
    drop_argument(text, argument);
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>{" >", ">"},
                                 {"std::__cxx11::basic_string<char>", "std::string"},
                                 {"std::basic_string<char>", "std::string"}}) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
      text.replace(at, from.size(), to);
  }
  return text;
}

/// Says what to add for an interface that nothing provides.
static std::string remedy_for(const std::string& missing) {
  constexpr std::string_view maker = "baton::service::maker<";
  if (missing.starts_with(maker))
    return "\n  add what makes it: add_maker<Class, " + missing.substr(maker.size()) + "()";
  return "\n  add one that provides it, or ask for optional<" + missing + ">";
}

static std::string words_for(const lack& l, duration limit) {
  if (l.is_cycle)
    return "a cycle of services, each of which requires the next: " + l.path +
           "\n  make one of them optional<...>, or take it out";
  if (waits_for_other_worker(l))
    return in_quotes(l.of) + " requires " + in_quotes(l.missing) + ", and no other worker has started one within " +
           in_time(limit) + ": " + l.path + "\n  options::step_limit sets the limit";
  if (l.missing.empty()) return l.path + ": " + reason_of(*l.last);
  if (!l.named.empty())
    return in_quotes(l.of) + " requires " + in_quotes(l.missing) + " of the name " + in_quotes(l.named) +
           ", which no service provides: " + l.path + "\n  add one with named(\"" + l.named +
           "\"), or ask for optional<" + l.missing + ", \"" + l.named + "\">";
  return in_quotes(l.of) + " requires " + in_quotes(l.missing) + ", which no service provides: " + l.path +
         remedy_for(l.missing);
}

std::string in_words(const lack& l, duration limit) {
  return as_written(words_for(l, limit));
}

std::string all_lacks(const requirement_source& all, const std::vector<service_record*>& services, duration limit) {
  constexpr size_t most = 8;
  std::vector<std::string> said;
  size_t waiting = 0;
  for (service_record* e : services) {
    if (!e || e->state != phase::waiting || !e->is_enabled || e->unsatisfied == 0) continue;
    ++waiting;
    if (said.size() == most) continue;
    const lack found = lack_of(all, *e);
    if (waits_for_failed(found)) {
      --waiting;
      continue;
    }
    std::string text = in_words(found, limit);
    if (std::find(said.begin(), said.end(), text) == said.end()) said.push_back(std::move(text));
  }
  std::string text = waiting == 1 ? "a service cannot start" : std::to_string(waiting) + " services cannot start";
  for (const std::string& s : said) text += "\n- " + s;
  return text;
}

std::string two_providers(const ambiguity& a) {
  return in_quotes(a.requester->name()) + " requires one " + in_quotes(a.interface) +
         ", and there are two: " + in_quotes(a.one->name()) + " (number " + std::to_string(a.one->id.number) +
         ") and " + in_quotes(a.other->name()) + " (number " + std::to_string(a.other->id.number) +
         ")\n  take one out, give one a rank(...), add it as a stand-by with stopped(), choose by its properties with "
         "where<" +
         std::string(a.interface) + ">(...), or ask for many<" + std::string(a.interface) + ">";
}

std::string failed(const service_record& e, const std::exception_ptr& why) {
  const optional_fields* m = e.rare.get();
  std::string text = in_quotes(e.name()) + " failed: " + what_of(why);
  if (m && m->supervision) text += "\n  it was started again " + std::to_string(m->restarts) + " times before";
  return text;
}

std::string restarts_in(const service_record& e, const std::exception_ptr& why, duration pause) {
  return in_quotes(e.name()) + " failed: " + what_of(why) + "\n  it starts again in " + in_time(pause) + ", restart " +
         std::to_string(e.rare->restarts) + " in a row";
}

std::string stop_failed(const service_record& e, const std::exception_ptr& why) {
  return "the stop of " + in_quotes(e.name()) + " failed: " + what_of(why);
}

std::string never_ended(const service_record& e, duration limit) {
  return "the " + std::string(e.state == phase::starting ? "start" : "stop") + " of " + in_quotes(e.name()) +
         " has not ended after " + in_time(limit) +
         "\n  it waits without a deadline of its own; options::step_limit sets the limit";
}

std::string held_too_long(const service_record& e, duration limit) {
  return "it has held " + in_quotes(e.name()) + ", which stops, for " + in_time(limit) +
         "\n  a hold ends with its block; options::step_limit sets the limit";
}

std::string shutdown_never_ended(const service_record* newest, const service_record* slow, duration limit) {
  std::string text = "the shutdown has taken longer than " + in_time(limit);
  if (slow) newest = slow;
  if (newest) text += "; it waits for " + in_quotes(newest->name());
  return text + "\n  the remaining services were destroyed; options::shutdown_limit sets the limit";
}

std::string nothing_left(const std::string& worker) {
  return "the worker '" + worker + "' has no event and no timer left, and no service has quit";
}

}  // namespace baton::BATON_VARIANT::service::detail
