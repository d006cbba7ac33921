// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <baton/components/html_text.hpp>
#include <baton/service/snapshot.hpp>
#include <cmath>

namespace baton::BATON_VARIANT::components::detail {

/// Draws the services of a worker as an SVG: a box for each, in its phase's colour, above those
/// that it depends on. A line is dashed if the dependant can do without.
///
/// Shape    what it depends on has been found by names, because a snapshot has no others: of two
///          services of one name each gets the line, if each has the dependant's name.
/// Cost     O(services + dependencies) in time and text, apart from the search for names.
class service_graph {
 public:
  explicit service_graph(const service::worker_snapshot& w, size_t worker) : of_(w), worker_(worker) {
    find_lines();
    find_levels();
    lead_long_lines();
    order_rows();
    place();
    draw();
  }
  std::string take() && { return std::move(text_); }

 private:
  struct line {
    size_t to;
    bool is_needed;
  };
  /// A service, or a place where a long line passes a row.
  struct node {
    std::vector<line> below;
    std::vector<size_t> above;
    int level = -1;  // the longest way down
    double x = 0;    // the middle
    bool is_visited = false;
  };
  static constexpr double letter = 7.3, box_height = 26, gap = 18, row_height = 74, margin = 12;

  bool is_service(size_t i) const { return i < of_.services.size(); }
  double width_of(size_t i) const {
    return is_service(i) ? letter * static_cast<double>(of_.services[i].name.size()) + 16 : 0;
  }
  double y_of(size_t i) const { return margin + row_height * static_cast<double>(top_ - nodes_[i].level); }

  void find_lines() {
    nodes_.resize(of_.services.size());
    for (size_t i = 0; i != nodes_.size(); ++i) {
      for (const service::dependency_snapshot& d : of_.services[i].dependencies) find_lines(i, d);
    }
  }
  void find_lines(size_t from, const service::dependency_snapshot& d) {
    const bool is_needed = d.kind != service::need::optional && d.kind != service::need::many;
    for (size_t to = 0; to != nodes_.size(); ++to) {
      const service::service_snapshot& p = of_.services[to];
      if (!has(d.providers, p.name) || !has(p.interfaces, d.interface)) continue;
      if (has(p.dependants, of_.services[from].name)) nodes_[from].below.push_back({to, is_needed});
    }
  }
  static bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  void find_levels() {
    for (size_t i = 0; i != nodes_.size(); ++i) top_ = std::max(top_, level_of(i));
  }
  /// Optional dependencies may form a ring, in which the first that is looked at is the highest.
  int level_of(size_t i) {
    node& n = nodes_[i];
    if (n.is_visited) return n.level;
    n.is_visited = true;
    int level = 0;
    for (const line& l : n.below) level = std::max(level, level_of(l.to) + 1);
    return n.level = level;
  }

  /// Gives each line that is longer than a row a place in the rows between.
  void lead_long_lines() {
    for (size_t i = 0; i != nodes_.size(); ++i) {
      for (size_t k = 0; k != nodes_[i].below.size(); ++k) {
        const line l = nodes_[i].below[k];
        if (nodes_[i].level - nodes_[l.to].level > 1) {
          node passed;
          passed.below.push_back(l);
          passed.level = nodes_[i].level - 1;
          nodes_[i].below[k].to = nodes_.size();
          nodes_.push_back(std::move(passed));
        }
        nodes_[nodes_[i].below[k].to].above.push_back(i);
      }
    }
  }

  /// Orders each row by the middle of what stands above, so that few lines cross.
  void order_rows() {
    rows_.resize(static_cast<size_t>(top_) + 1);
    for (size_t i = 0; i != nodes_.size(); ++i) rows_[static_cast<size_t>(top_ - nodes_[i].level)].push_back(i);
    for (std::vector<size_t>& row : rows_) {
      std::stable_sort(row.begin(), row.end(), [&](size_t a, size_t b) { return middle(a) < middle(b); });
      set_row(row);
    }
  }
  double middle(size_t i) const {
    const node& n = nodes_[i];
    if (n.above.empty()) return 0;
    double sum = 0;
    for (const size_t a : n.above) sum += nodes_[a].x;
    return sum / static_cast<double>(n.above.size());
  }
  double set_row(const std::vector<size_t>& row) {
    double x = margin;
    for (const size_t i : row) {
      nodes_[i].x = x + width_of(i) / 2;
      x += width_of(i) + gap;
    }
    return x - gap + margin;
  }

  /// Centres the rows.
  void place() {
    std::vector<double> widths;
    for (const std::vector<size_t>& row : rows_) widths.push_back(set_row(row));
    for (const double w : widths) width_ = std::max(width_, w);
    for (size_t r = 0; r != rows_.size(); ++r) {
      for (const size_t i : rows_[r]) nodes_[i].x += (width_ - widths[r]) / 2;
    }
  }

  void draw() {
    const double height = row_height * static_cast<double>(top_) + box_height + 2 * margin;
    text_ = "<svg role=\"img\" aria-label=\"the services of " + html_of(of_.name) + "\" width=\"" + whole(width_) +
            "\" height=\"" + whole(height) + "\">\n";
    for (size_t i = 0; i != nodes_.size(); ++i) draw_lines(i);
    for (size_t i = 0; i != of_.services.size(); ++i) draw_box(i);
    text_ += "</svg>\n";
  }
  void draw_lines(size_t i) {
    for (const line& l : nodes_[i].below) {
      const double from = y_of(i) + (is_service(i) ? box_height : 0), to = y_of(l.to);
      const double start = y_of(i) + box_height, bend = (to - start) / 2;
      const double x = nodes_[i].x, end = nodes_[l.to].x;
      text_ += "<path" + std::string(l.is_needed ? "" : " class=\"dashed\"") + " d=\"M" + at(x, from) + " L" +
               at(x, start) + " C" + at(x, start + bend) + " " + at(end, to - bend) + " " + at(end, to) + "\"/>\n";
    }
  }
  void draw_box(size_t i) {
    const service::service_snapshot& s = of_.services[i];
    const double left = nodes_[i].x - width_of(i) / 2;
    text_ += "<a href=\"#" + anchor_of(worker_, s) + "\"><rect class=\"" + std::string(name_of(s.phase)) + "\" x=\"" +
             whole(left) + "\" y=\"" + whole(y_of(i)) + "\" width=\"" + whole(width_of(i)) + "\" height=\"" +
             whole(box_height) + "\" rx=\"4\"/><text x=\"" + whole(nodes_[i].x) + "\" y=\"" + whole(y_of(i) + 17) +
             "\">" + html_of(s.name) + "</text></a>\n";
  }
  static std::string whole(double x) { return std::to_string(std::lround(x)); }
  static std::string at(double x, double y) { return whole(x) + ' ' + whole(y); }

  const service::worker_snapshot& of_;
  const size_t worker_;
  std::vector<node> nodes_;
  std::vector<std::vector<size_t>> rows_;
  int top_ = 0;
  double width_ = 0;
  std::string text_;
};

}  // namespace baton::BATON_VARIANT::components::detail
