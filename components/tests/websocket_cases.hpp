// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The cases of the Autobahn test suite for WebSocket, as tests of the server and of the client.
/// The table of docs/websocket-cases.md is written from them.
namespace websocket_cases {

/// The first byte of a frame. `is_deflated` is added to that of a message.
constexpr unsigned middle = 0x00, last = 0x80, text_begins = 0x01, text = 0x81, binary = 0x82, closing = 0x88,
                   ping = 0x89, pong = 0x8a, is_deflated = 0x40;

/// A frame for the side that is tested.
struct frame {
  unsigned first;
  std::string payload;
  size_t awaits = 0;  ///< so many answers have to be there before the next frame is sent
};

constexpr size_t whole = 0;               ///< all is one write
constexpr size_t by_frame = SIZE_MAX;     ///< each frame is a write
constexpr const char* no_extension = "";  ///< nothing is agreed about compression

/// Frames, and what has to come back.
///
/// Shape    `answers` are messages and pongs, each with its letter, as `wire_reader` has them. They
///          come in this order; the tester then closes with 1000, unless `codes` says that the side
///          closes by itself, or answers a close that is among the frames, with one of these.
struct dialogue {
  std::string number;  ///< of the suite, or of ours, which begin with "+"
  const char* section;
  const char* rule;
  std::vector<frame> sent;
  std::vector<std::string> answers;
  std::vector<uint16_t> codes;
  size_t piece = whole;      ///< so many octets are a write
  bool may_be_mute = false;  ///< it may refuse what follows before it has answered
  /// Of three parts, the frames, the first one is taken in silence, and the second one is refused
  /// before the third one is sent. `cuts`: the parts begin so many octets from the end instead.
  bool is_early = false;
  std::vector<size_t> cuts = {};
  const char* extension = no_extension;  ///< that is offered, and the other side's answer
};

/// Messages of a kind, compressed, each sent when the one before it has come back.
struct stream {
  std::string number;
  const char* section;
  const char* rule;
  const char* offer;   ///< to the server
  const char* answer;  ///< to the client
  unsigned kind;       ///< of data, see `sample`
  size_t bytes;
  size_t count;
  size_t fragment;  ///< the bytes of one; 0: all
};

/// The words about compression, and what follows from them.
struct agreement_case {
  std::string number;
  const char* rule;
  const char* said;     ///< the offer to the server, or the answer to the client
  const char* outcome;  ///< the server's answer; for the client: "open", or the reason that it is not
};

const std::vector<dialogue>& dialogues();
const std::vector<stream>& streams();
const std::vector<agreement_case>& offers();
const std::vector<agreement_case>& agreements();

/// Data of five kinds: JSON, a picture, prose, HTML, and what does not compress.
std::string sample(unsigned kind, size_t from, size_t bytes);
constexpr unsigned kinds_of_samples = 5;
bool is_text(unsigned kind);

/// The payload of a close with a code and no reason.
std::string code_of(unsigned code);

/// The parts of the table.
void add_frames(std::vector<dialogue>& to);
void add_texts(std::vector<dialogue>& to);
void add_closes(std::vector<dialogue>& to);
void add_limits(std::vector<dialogue>& to);
void add_compressed(std::vector<dialogue>& to);

/// The text of docs/websocket-cases.md.
std::string page();

}  // namespace websocket_cases
