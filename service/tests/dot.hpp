// SPDX-License-Identifier: MIT
#pragma once

#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// A reader of the part of Graphviz' language that `graph` writes. It refuses any other text.
namespace baton::service_test {

struct dot_graph {
  using attributes = std::map<std::string, std::string>;
  struct edge {
    std::string from, to;
    attributes with;
  };
  std::map<std::string, attributes> nodes;
  std::vector<edge> edges;
  std::vector<std::string> clusters;  // their labels
};

/// Grammar: https://graphviz.org/doc/info/lang.html, with a statement per `;`.
class dot_reader {
 public:
  /// True if the whole text is a graph.
  static bool read(std::string_view text, dot_graph& to) {
    dot_reader r(text, to);
    return r.word("digraph") && r.identifier() && r.block() && r.next().empty();
  }

 private:
  dot_reader(std::string_view text, dot_graph& to) : left_(text), to_(to) { advance(); }

  const std::string& next() const { return token_; }
  bool word(std::string_view w) {
    if (is_quoted_ || token_ != w) return false;
    advance();
    return true;
  }
  bool identifier(std::string* to = nullptr) {
    if (!is_quoted_ && (token_.empty() || (std::isalpha(token_[0]) == 0 && token_[0] != '_'))) return false;
    if (to) *to = token_;
    advance();
    return true;
  }

  bool block() {
    if (!word("{")) return false;
    while (!word("}")) {
      if (!statement()) return false;
    }
    return true;
  }
  bool statement() {
    if (word("subgraph")) return identifier() && block();
    std::string name, other;
    if (!identifier(&name)) return false;
    if (word("=")) {
      if (!identifier(&other) || !word(";")) return false;
      to_.clusters.push_back(other);
      return true;
    }
    const bool is_edge = word("->");
    dot_graph::attributes with;
    if ((is_edge && !identifier(&other)) || !list(with) || !word(";")) return false;
    if (is_edge) {
      to_.edges.push_back({name, other, with});
    } else if (name != "node") {
      to_.nodes[name] = with;
    }
    return true;
  }
  bool list(dot_graph::attributes& to) {
    if (!word("[")) return true;
    while (!word("]")) {
      std::string name, value;
      if (!identifier(&name) || !word("=") || !identifier(&value)) return false;
      to[name] = value;
    }
    return true;
  }

  /// Takes the next token from the text: an identifier, a quoted one, or a sign.
  void advance() {
    while (!left_.empty() && std::isspace(static_cast<unsigned char>(left_[0])) != 0) left_.remove_prefix(1);
    token_.clear();
    is_quoted_ = !left_.empty() && left_[0] == '"';
    if (is_quoted_) return quoted();
    while (!left_.empty() && (std::isalnum(static_cast<unsigned char>(left_[0])) != 0 || left_[0] == '_')) take();
    if (!token_.empty() || left_.empty()) return;
    if (left_.substr(0, 2) == "->") take();
    take();
  }
  void quoted() {
    left_.remove_prefix(1);
    while (!left_.empty() && left_[0] != '"') {
      if (left_[0] == '\\') take();
      if (!left_.empty()) take();
    }
    if (left_.empty()) is_quoted_ = false, token_ = "(an open quotation)";
    if (!left_.empty()) left_.remove_prefix(1);
  }
  void take() {
    token_ += left_[0];
    left_.remove_prefix(1);
  }

  std::string_view left_;
  dot_graph& to_;
  std::string token_;
  bool is_quoted_ = false;
};

}  // namespace baton::service_test
