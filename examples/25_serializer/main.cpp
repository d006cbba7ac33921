// SPDX-License-Identifier: MIT
//
// A struct as JSON, and back. A declaration beside the struct names its JSON members. A text that
// does not fit is refused with the path to the mistake.
#include <baton/components/rapidjson_serializer.hpp>
#include <baton/service.hpp>
#include <cstdio>

using namespace baton::service;
using baton::components::json_fault;
using baton::components::json_result;
using baton::components::rapidjson_serializer;
using baton::components::serializer;

struct item {
  std::string what;
  uint8_t pieces = 1;
};
struct order {
  std::string to;
  std::vector<item> items;
  std::optional<std::string> note;
};

template <>
struct baton::components::fields<item> {
  static constexpr auto all = std::tuple{field{"what", &item::what}, field{"pieces", &item::pieces}};
};
template <>
struct baton::components::fields<order> {
  static constexpr auto all =
      std::tuple{field{"to", &order::to}, field{"items", &order::items}, field{"note", &order::note}};
};

/// A text from outside.
struct letter {
  std::string text;
};

/// Does not choose its JSON library: the program does.
struct shop {
  shop(required<serializer<order>> j, context here)
      : json(j), reads(here.on<letter>([this](const letter& l) { read(l.text); })) {}

  void read(const std::string& text) {
    const json_result<order> got = json->read(text);
    if (!got) return refuse(got.error);
    size_t pieces = 0;
    for (const item& i : got->items) pieces += i.pieces;
    std::printf("%zu pieces to %s%s%s\n", pieces, got->to.c_str(), got->note ? ", " : "",
                got->note ? got->note->c_str() : "");
  }
  static void refuse(const baton::components::json_error& e) {
    std::printf("refused: %s%s\n", e.fault == json_fault::malformed ? "no JSON" : "does not fit: ", e.path.c_str());
  }

  required<serializer<order>> json;
  registration reads;
};

struct customer {
  customer(required<serializer<order>> json, required<shop>, context here) {
    const std::string text = json->write({"Ada", {{"apple", 3}, {"pear", 2}}, "ring \"twice\""});
    std::printf("%s\n", text.c_str());
    here.push(letter{text});
    here.push(letter{R"({"items": [{"what": "plum", "pieces": 12, "colour": "blue"}], "to": "Bob"})"});
    here.push(letter{R"({"to": "Eve", "items": [{"what": "apple", "pieces": 1}, {"what": "pear", "pieces": 1000}]})"});
    here.push(letter{R"({"to": "Eve", "items": [)"});
    here.quit();
  }
};

int main() {
  application app;
  app.add<rapidjson_serializer<order>, serializer<order>>();
  app.add<shop>();
  app.add<customer>();
  return app.run();
}
