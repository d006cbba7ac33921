// SPDX-License-Identifier: MIT
#include "websocket_wire.hpp"

#include <bit>

#include "../fuzz/strict_text.hpp"
#include "websocket_support.hpp"

namespace websocket_cases {

static constexpr std::string_view end_of_block("\0\0\xff\xff", 4);

/// ---- Compression ----

static int bits_in(std::string_view extensions, std::string_view name) {
  const size_t at = extensions.find(name);
  return at == std::string_view::npos ? 15 : std::stoi(std::string(extensions.substr(at + name.size(), 2)));
}

agreement agreement_in(std::string_view extensions) {
  const auto has = [&](std::string_view word) { return extensions.find(word) != std::string_view::npos; };
  agreement all;
  all.compresses = has("permessage-deflate");
  all.of_client = {!has("client_no_context_takeover"), bits_in(extensions, "client_max_window_bits=")};
  all.of_server = {!has("server_no_context_takeover"), bits_in(extensions, "server_max_window_bits=")};
  return all;
}

deflater::deflater(const deflation& how) : how_(how) {
  // zlib compresses with at least 9 bits, and refers no further back than a window of 8 then.
  const int bits = how.window_bits < 9 ? 9 : how.window_bits;
  deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -bits, 8, Z_DEFAULT_STRATEGY);
}

std::string deflater::message(std::string_view data) {
  std::string in(data), all;
  char some[4096];
  stream_.next_in = reinterpret_cast<Bytef*>(in.data());
  stream_.avail_in = static_cast<uInt>(in.size());
  do {
    stream_.next_out = reinterpret_cast<Bytef*>(some);
    stream_.avail_out = sizeof some;
    deflate(&stream_, Z_SYNC_FLUSH);
    all.append(some, sizeof some - stream_.avail_out);
  } while (stream_.avail_out == 0);
  all.resize(all.size() - end_of_block.size());
  if (!how_.keeps_context) deflateReset(&stream_);
  return all;
}

/// ---- Frames ----

static uint64_t number_in(std::string_view bytes) {
  uint64_t n = 0;
  for (const char c : bytes) n = (n << 8) | static_cast<unsigned char>(c);
  return n;
}

wire_reader::wire_reader(bool is_masked, const agreement& a)
    : is_masked_(is_masked),
      compresses_(a.compresses),
      how_(is_masked ? a.of_client : a.of_server),
      inflater_(how_.window_bits) {}

void wire_reader::add(std::string_view bytes) {
  waiting_ += bytes;
  while (fault.empty() && take_frame()) {
  }
  waiting_.erase(0, at_);
  at_ = 0;
}

void wire_reader::blame(const char* why) {
  if (fault.empty()) fault = why;
}

/// false: the next frame is not complete.
bool wire_reader::take_frame() {
  const std::string_view left = std::string_view{waiting_}.substr(at_);
  if (left.size() < 2) return false;
  const auto first = static_cast<unsigned char>(left[0]), second = static_cast<unsigned char>(left[1]);
  uint64_t length = second & 127;
  const size_t more = length == 126 ? 2 : length == 127 ? 8 : 0;
  const size_t head = 2 + more + (is_masked_ ? 4 : 0);
  if (left.size() < head) return false;
  if (more != 0) length = number_in(left.substr(2, more));
  if (((second & 0x80) != 0) != is_masked_) blame("the mask is wrong");
  if (more != 0 && length <= (more == 2 ? 125u : 0xffffu)) blame("the length is longer than it has to be");
  if (left.size() - head < length) return false;
  std::string payload(left.substr(head, length));
  const std::string_view key = is_masked_ ? left.substr(head - 4, 4) : "";
  for (size_t i = 0; i != payload.size() && is_masked_; ++i) payload[i] = static_cast<char>(payload[i] ^ key[i % 4]);
  at_ += head + length;
  if (code != 0) blame("something follows the close");
  take(first, payload);
  return true;
}

void wire_reader::take(unsigned first, const std::string& payload) {
  const unsigned kind = first & 15;
  if (kind < 8) return take_part(first, payload);
  if (first != (kind | 0x80) || payload.size() > 125) return blame("a control frame is not sound");
  if (kind == 8) return take_close(payload);
  if (kind > 10) return blame("a frame has an unknown kind");
  answers.push_back((kind == 9 ? "i" : "o") + payload);
}

void wire_reader::take_close(const std::string& payload) {
  code = payload.size() < 2 ? 1005 : static_cast<uint16_t>(number_in(std::string_view{payload}.substr(0, 2)));
  if (payload.size() == 1 || (code == 1005 && !payload.empty())) blame("a close is not sound");
}

void wire_reader::take_part(unsigned first, const std::string& payload) {
  const unsigned kind = first & 15;
  const unsigned reserved = (first >> 4) & 7;
  if (kind > 2 || (kind == 0) != is_in_message_) return blame("a fragment is out of order");
  if (reserved != 0 && (kind == 0 || !compresses_ || reserved != 4)) return blame("a bit is reserved");
  if (kind != 0) {
    message_ = kind == 1 ? "t" : "b";
    is_deflated_ = reserved != 0;
  }
  const bool is_last = (first & 0x80) != 0;
  is_in_message_ = !is_last;
  if (is_deflated_) {
    const auto how = inflater_.add(payload, message_, SIZE_MAX);
    const auto end = is_last ? inflater_.add(end_of_block, message_, SIZE_MAX) : how;
    if (how != http_fuzz::inflater::result::more || end != how) return blame("a message does not inflate");
  } else {
    message_ += payload;
  }
  if (!is_last) return;
  const bool is_text = message_[0] == 't';
  if (is_text && http_fuzz::utf8_of(message_) != http_fuzz::utf8::whole) blame("a text is not UTF-8");
  answers.push_back(std::move(message_));
  if (!how_.keeps_context) inflater_.forget();
}

std::string encoded(unsigned first, const std::string& payload, bool is_masked) {
  return is_masked ? network_test::masked_frame(first, payload) : network_test::plain_frame(first, payload);
}

/// ---- Opening ----

/// One block of SHA-1.
static void digest(uint32_t (&h)[5], std::string_view block) {
  uint32_t w[80];
  for (size_t i = 0; i != 16; ++i) w[i] = static_cast<uint32_t>(number_in(block.substr(4 * i, 4)));
  for (size_t i = 16; i != 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (size_t i = 0; i != 80; ++i) {
    const uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                       : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                       : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                : (b ^ c ^ d) + 0xca62c1d6;
    const uint32_t next = std::rotl(a, 5) + f + e + w[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  h[0] += a;
  h[1] += b;
  h[2] += c;
  h[3] += d;
  h[4] += e;
}

/// Source   FIPS 180-4, 6.1.
static std::string sha1(std::string text) {
  const uint64_t bits = text.size() * 8;
  text += '\x80';
  text.resize((text.size() + 8 + 63) / 64 * 64 - 8);
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>((bits >> shift) & 0xff);
  uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (size_t at = 0; at != text.size(); at += 64) digest(h, std::string_view{text}.substr(at, 64));
  std::string all;
  for (const uint32_t word : h) {
    for (int shift = 24; shift >= 0; shift -= 8) all += static_cast<char>((word >> shift) & 0xff);
  }
  return all;
}

/// Source   RFC 4648, 4, for twenty bytes.
static std::string base64(std::string bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  bytes += '\0';
  std::string all;
  for (size_t at = 0; at != bytes.size(); at += 3) {
    const uint64_t group = number_in(std::string_view{bytes}.substr(at, 3));
    for (int shift = 18; shift >= 0; shift -= 6) all += digits[(group >> shift) & 63];
  }
  all.back() = '=';
  return all;
}

std::string header_in(const std::string& head, std::string_view name) {
  const std::string line = "\r\n" + std::string(name) + ": ";
  const size_t at = head.find(line);
  if (at == std::string::npos) return {};
  const size_t from = at + line.size();
  return head.substr(from, head.find("\r\n", from) - from);
}

std::string opening_answer(const std::string& request, const std::string& more) {
  const std::string key = header_in(request, "Sec-WebSocket-Key");
  return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
         base64(sha1(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) + "\r\n" + more + "\r\n";
}

}  // namespace websocket_cases
