// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/worker_report.hpp>

namespace baton::BATON_VARIANT::components {

namespace detail {

/// Escapes a text for HTML.
inline std::string html_of(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (c == '<') {
      all += "&lt;";
    } else if (c == '>') {
      all += "&gt;";
    } else if (c == '&') {
      all += "&amp;";
    } else if (c == '"') {
      all += "&quot;";
    } else {
      all += c;
    }
  }
  return all;
}

inline std::string list_of(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : ", ") + html_of(n);
  return all;
}

inline std::string row_of(const service::service_snapshot& s) {
  std::string needs;
  for (const service::dependency_snapshot& d : s.dependencies) {
    if (!needs.empty()) needs += "<br>";
    needs += html_of(d.interface) + " (" + std::string(name_of(d.kind)) + "): ";
    needs += d.providers.empty() ? "<em>nobody</em>" : list_of(d.providers);
  }
  const std::string phase(name_of(s.phase));
  return "<tr><td>" + html_of(s.name) + "</td><td class=\"" + phase + "\">" + phase + "</td><td>" +
         list_of(s.interfaces) + "</td><td>" + needs + "</td><td>" + list_of(s.dependants) + "</td><td>" +
         std::to_string(s.coroutines) + "</td></tr>\n";
}

inline std::string table_of(const worker_report& r) {
  std::string all = "<p>Events: " + std::to_string(r.waiting_events) + " waiting, " + std::to_string(r.handled_events) +
                    " handled, " + std::to_string(r.dropped_events) +
                    " dropped.</p>\n<table><thead><tr><th>service</th><th>phase</th><th>provides</th><th>needs</th>"
                    "<th>needed by</th><th>coroutines</th></tr></thead><tbody>\n";
  for (const service::service_snapshot& s : r.services) all += row_of(s);
  return all + "</tbody></table>\n";
}

}  // namespace detail

/// A report as a page of HTML, which refers to nothing outside it.
inline std::string program_page(const program_report& r) {
  constexpr const char* head =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Services</title><style>"
      "body{font-family:sans-serif;font-size:.85em;margin:2em}table{border-collapse:collapse}"
      "th,td{border:1px solid #bbb;padding:.3em .6em;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
      "th,td[class]{white-space:nowrap;overflow-wrap:normal}"
      ".active{background:#dfd}.waiting,.starting{background:#ffd}.down{background:#fdd}"
      "</style></head><body>\n";
  std::string all = head;
  for (const worker_report& w : r.workers) {
    all += "<h1>" + detail::html_of(w.name) + "</h1>\n";
    all += w.has_answered ? detail::table_of(w) : "<p class=\"down\">This worker does not answer.</p>\n";
  }
  return all + "</body></html>\n";
}

}  // namespace baton::BATON_VARIANT::components
