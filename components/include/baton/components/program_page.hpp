// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/service_graph.hpp>
#include <baton/components/worker_report.hpp>

namespace baton::BATON_VARIANT::components {

namespace detail {

/// The table of a worker's services. A name is a link to the row of the first service that has it.
class service_table {
 public:
  service_table(const worker_report& r, size_t worker) : of_(r), worker_(worker) {
    text_ =
        "<table><thead><tr><th>service</th><th>phase</th><th>provides</th><th>needs</th><th>needed by</th>"
        "<th>coroutines</th><th>starts</th><th>failures</th></tr></thead><tbody>\n";
    for (const service::service_snapshot& s : r.services) add(s);
    text_ += "</tbody></table>\n";
  }
  std::string take() && { return std::move(text_); }

 private:
  void add(const service::service_snapshot& s) {
    const std::string phase(name_of(s.phase));
    text_ += "<tr id=\"" + anchor_of(worker_, s) + "\">";
    cell("service", name(s.name));
    text_ += "<td data-of=\"phase\"><span class=\"" + phase + "\">" + phase + "</span></td>";
    std::string all;
    for (const std::string& i : s.interfaces) all += "<div>" + name(i) + "</div>";
    cell("provides", all);
    cell("needs", needs_of(s));
    all.clear();
    for (const std::string& d : s.dependants) all += "<div>" + link(d) + "</div>";
    cell("needed by", all);
    cell("coroutines", std::to_string(s.coroutines));
    cell("starts", std::to_string(s.starts));
    cell("failures", failures_of(s));
    text_ += "</tr>\n";
  }
  void cell(std::string_view of, const std::string& what) {
    text_ += "<td data-of=\"" + std::string(of) + "\">" + what + "</td>";
  }
  std::string needs_of(const service::service_snapshot& s) const {
    std::string all;
    for (const service::dependency_snapshot& d : s.dependencies) {
      all += "<div>" + std::string(name_of(d.kind)) + ' ' + name(d.interface) + ": ";
      for (const std::string& p : d.providers) all += (&p == &d.providers.front() ? "" : ", ") + link(p);
      all += d.providers.empty() ? "<em>nobody</em></div>" : "</div>";
    }
    return all;
  }
  static std::string failures_of(const service::service_snapshot& s) {
    const std::string count = std::to_string(s.failures);
    return s.failure.empty() ? count : count + "<div class=\"why\">" + html_of(s.failure) + "</div>";
  }
  static std::string name(const std::string& n) { return "<code>" + html_of(n) + "</code>"; }
  std::string link(const std::string& n) const {
    const service::service_snapshot* const s = of_.find(n);
    return s ? "<a href=\"#" + anchor_of(worker_, *s) + "\">" + name(n) + "</a>" : name(n);
  }

  const worker_report& of_;
  const size_t worker_;
  std::string text_;
};

constexpr size_t most_drawn = 200;

inline std::string section_of(const worker_report& r, size_t worker) {
  std::string all = "<h1>" + html_of(r.name) + "</h1>\n";
  if (!r.has_answered) return all + "<p class=\"down\">This worker does not answer.</p>\n";
  all += "<p>Events: " + std::to_string(r.waiting_events) + " waiting, " + std::to_string(r.handled_events) +
         " handled, " + std::to_string(r.dropped_events) + " dropped.</p>\n";
  if (r.services.size() <= most_drawn) {
    all += "<figure>" + service_graph(r, worker).take() + "</figure>\n";
  } else {
    all += "<p>The graph is left out: there are " + std::to_string(r.services.size()) + " services.</p>\n";
  }
  return all + "<div class=\"wide\">" + service_table(r, worker).take() + "</div>\n";
}

inline constexpr const char* page_style =
    ":root{color-scheme:light dark;--ink:#222;--page:#fff;--line:#bbb;--good:#dfd;--busy:#ffd;--bad:#fdd}"
    "@media(prefers-color-scheme:dark){:root{--ink:#ddd;--page:#181818;--line:#555;--good:#163d16;--busy:#444016;"
    "--bad:#521c1c}}"
    "body{font:.85em sans-serif;margin:2em;color:var(--ink);background:var(--page)}a{color:inherit}"
    "code{font:1em monospace;white-space:nowrap}"
    "table{border-collapse:collapse}th,td{border:1px solid var(--line);padding:.3em .6em;text-align:left;"
    "vertical-align:top}tr:target{outline:2px solid}"
    "span{padding:.1em .4em;border-radius:.3em}.why{width:20em;max-width:80vw;overflow-wrap:anywhere}"
    "figure,.wide{margin:0 0 1em;overflow-x:auto}"
    "svg text{font:12px monospace;text-anchor:middle;fill:var(--ink)}"
    "rect{fill:var(--page);stroke:var(--line)}path{fill:none;stroke:var(--ink);opacity:.5}.dashed{stroke-dasharray:4}"
    ".active{background:var(--good);fill:var(--good)}"
    ".waiting,.starting,.leaving,.stopping{background:var(--busy);fill:var(--busy)}"
    ".down{background:var(--bad);fill:var(--bad)}"
    "@media(max-width:50em){body{margin:1em}thead{display:none}table,tbody,tr,td{display:block}"
    "tr{border:1px solid var(--line);margin-bottom:1em}td{border:0;overflow-x:auto}"
    "td:not(:empty):before{content:attr(data-of) \": \";opacity:.6}td:empty{display:none}}";

}  // namespace detail

/// A report as a page of HTML, which refers to nothing outside it: for each worker the graph of its
/// services and a table. It is light or dark as its reader's system is, and a list where the window
/// is narrow.
///
/// Units    the browser reads the page again every `refresh_s` seconds; never, if that is 0.
inline std::string program_page(const program_report& r, uint32_t refresh_s = 0) {
  std::string all =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Services</title>"
      "<meta name=\"viewport\" content=\"width=device-width\">";
  if (refresh_s != 0) all += "<meta http-equiv=\"refresh\" content=\"" + std::to_string(refresh_s) + "\">";
  all += std::string("<style>") + detail::page_style + "</style></head><body>\n<nav>" +
         (refresh_s == 0 ? "<a href=\"?refresh=2\">Read it again every 2 seconds</a>"
                         : "<a href=\"?\">Read it no more</a>") +
         "</nav>\n";
  for (size_t i = 0; i != r.workers.size(); ++i) all += detail::section_of(r.workers[i], i);
  return all + "</body></html>\n";
}

}  // namespace baton::BATON_VARIANT::components
