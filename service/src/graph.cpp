// SPDX-License-Identifier: MIT
#include <baton/service/application.hpp>

#include "wiring.hpp"

/// The services of workers as a graph in the language of Graphviz.
namespace baton::BATON_VARIANT::service {
namespace detail {
namespace {

/// A text as a quoted identifier, in which a backslash begins an escape.
std::string quoted(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + '"';
}

std::string node_name(size_t worker, const service_record& e) {
  return "s" + std::to_string(worker) + "_" + std::to_string(e.id.number);
}

/// Active services are green, those that have failed or cannot start red, stand-bys grey.
std::string_view color_of(const wiring::node& n) {
  const service_record& e = *n.service;
  if (e.state == phase::active) return "darkgreen";
  if (e.has_failed) return "red";
  if (!e.is_enabled || e.is_removed) return "gray";
  return n.lacks == 0 ? "black" : "red";
}

std::string label_of(const wiring::node& n) {
  const service_record& e = *n.service;
  std::string text = quoted(e.name());
  text.pop_back();
  if (n.maker) return text + "\\nmade\"";
  text += "\\n" + std::string(name_of(e.state));
  if (!e.is_enabled) text += ", stand-by";
  if (e.rank() != 0) text += ", rank " + std::to_string(e.rank());
  return text + '"';
}

/// The lines of a worker.
class drawing {
 public:
  drawing(size_t worker, std::string_view name, registry& services)
      : worker_(worker), all_(services), text_("  subgraph cluster_" + std::to_string(worker) + " {\n    label=") {
    text_ += quoted(name) + ";\n";
    for (const wiring::node& n : all_.nodes()) {
      if (n.service) draw(n);
    }
    text_ += "  }\n";
  }
  std::string take() && { return std::move(text_); }

 private:
  void draw(const wiring::node& n) {
    const service_record& e = *n.service;
    const std::string own = node_name(worker_, e);
    text_ += "    " + own + " [label=" + label_of(n) + " color=" + std::string(color_of(n)) +
             (n.maker ? " style=dashed];\n" : "];\n");
    if (n.maker) text_ += "    " + node_name(worker_, *n.maker) + " -> " + own + " [label=\"makes\" style=dotted];\n";
    for (size_t i = 0; i != n.needs.size(); ++i) draw(e, n.needs[i], e.slots ? e.slots[i].first : nullptr);
  }

  /// The providers that it has; before it has one, those that it could have.
  void draw(const service_record& e, const wiring::need_of& need, const link* linked) {
    const bool is_needed = needs_one(need.what->kind);
    const std::string_view style = is_needed ? "" : " style=dashed";
    if (linked) {
      for (const link* l = linked; l; l = l->next_of_slot) draw(e, need, node_name(worker_, *l->provider), style);
    } else if (!need.suitors.empty()) {
      for (const service_record* s : need.suitors) draw(e, need, node_name(worker_, *s), style);
    } else {
      const std::string none = "none" + std::to_string(worker_) + "_" + std::to_string(absent_++);
      const std::string_view color = !is_needed ? "gray" : need.is_made ? "black" : "red";
      text_ += "    " + none + " [label=" + quoted(need.what->name) +
               " shape=plaintext fontcolor=" + std::string(color) + "];\n";
      draw(e, need, none, std::string(style) + " color=" + std::string(color));
    }
  }
  void draw(const service_record& e, const wiring::need_of& need, const std::string& to, std::string_view style) {
    std::string label(name_of(need.what->kind));
    label += ' ';
    label += need.what->name;
    text_ += "    " + node_name(worker_, e) + " -> " + to + " [label=" + quoted(label) + std::string(style) + "];\n";
  }

  size_t worker_;
  wiring all_;
  std::string text_;
  unsigned absent_ = 0;
};

constexpr std::string_view head = "digraph services {\n  node [shape=box];\n";

}  // namespace
}  // namespace detail

std::string worker_handle::graph() const {
  worker_->check();
  return std::string(detail::head) + detail::drawing(0, worker_->name, worker_->services).take() + "}\n";
}

std::string application::graph() {
  std::string all(detail::head);
  for (size_t i = 0; i != workers(); ++i) {
    worker(i).check();
    all += detail::drawing(i, worker(i).name, worker(i).services).take();
  }
  return all + "}\n";
}

}  // namespace baton::BATON_VARIANT::service
