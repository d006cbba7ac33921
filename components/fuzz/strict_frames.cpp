// SPDX-License-Identifier: MIT
#include "strict_frames.hpp"

#include "inflater.hpp"
#include "strict_text.hpp"

namespace http_fuzz {

namespace {

enum kind : uint8_t { continuation = 0, text = 1, binary = 2, closing = 8, ping = 9, pong = 10 };

struct frame {
  bool is_last = false;
  uint8_t reserved = 0;  // the three bits, the first of which says "compressed"
  uint8_t code = 0;
  bool is_masked = false;
  bool has_short_length = true;  // the length in as few bytes as it can be
  uint64_t length = 0;
  std::string_view payload;  // as far as it has come
};

uint64_t number_in(std::string_view bytes) {
  uint64_t n = 0;
  for (const char c : bytes) n = (n << 8) | static_cast<unsigned char>(c);
  return n;
}

class reader {
 public:
  reader(std::string_view bytes, const frame_rules& rules) : left_(bytes), rules_(rules) {}

  strict_frames read() {
    frame f;
    while (!left_.empty() && !is_over()) {
      found_.is_cut = !take_head(f);
      if (found_.is_cut) break;
      check_head(f);
      if (is_over()) break;
      found_.is_cut = f.payload.size() < f.length;
      if (found_.is_cut) break;
      take(f);
    }
    found_.has_rest = found_.is_closed && !left_.empty();
    return std::move(found_);
  }

 private:
  bool is_over() const { return found_.is_closed || found_.is_cut || !found_.answers.empty(); }
  void refuse(std::vector<uint16_t> codes) { found_.answers = std::move(codes); }

  /// Takes a head, and the payload as far as it has come. false: the head is not complete.
  bool take_head(frame& f) {
    if (left_.size() < 2) return false;
    const auto first = static_cast<unsigned char>(left_[0]), second = static_cast<unsigned char>(left_[1]);
    f.is_last = (first & 0x80) != 0;
    f.reserved = (first >> 4) & 7;
    f.code = first & 15;
    f.is_masked = (second & 0x80) != 0;
    f.length = second & 127;
    const size_t more = f.length == 126 ? 2 : f.length == 127 ? 8 : 0;
    const size_t head = 2 + more + (f.is_masked ? 4 : 0);
    if (left_.size() < head) return false;
    if (more != 0) f.length = number_in(left_.substr(2, more));
    f.has_short_length = more == 0 || f.length > (more == 2 ? 125 : 0xffff);
    const std::string_view key = f.is_masked ? left_.substr(head - 4, 4) : "";
    left_.remove_prefix(head);
    payload_ = left_.substr(0, f.length);
    left_.remove_prefix(payload_.size());
    for (size_t i = 0; i != payload_.size() && f.is_masked; ++i)
      payload_[i] = static_cast<char>(payload_[i] ^ key[i % 4]);
    f.payload = payload_;
    return true;
  }

  /// Refuses a frame by its head.
  void check_head(const frame& f) {
    const bool is_control = f.code >= closing;
    const bool is_first = f.code == text || f.code == binary;
    const bool is_known = f.code <= binary || (is_control && f.code <= pong);
    const bool may_be_compressed = is_first && rules_.is_compressed && f.reserved == 4;
    const bool is_in_order = is_control || is_first != is_in_message_;
    const bool is_small = !is_control || (f.is_last && f.length <= 125);
    const bool is_deflated = is_first ? f.reserved != 0 : !is_control && is_deflated_;
    // Beast takes a length of 64 bits for that of a compressed frame, which then does not end.
    const bool has_sound_length = f.has_short_length && (is_deflated || f.length >> 63 == 0);
    const bool is_sound = is_known && (f.reserved == 0 || may_be_compressed) && is_in_order && is_small &&
                          f.is_masked == rules_.is_client && has_sound_length;
    const size_t before = is_first ? 0 : message_.data.size();
    const bool is_too_large = !is_control && !is_deflated && f.length > rules_.most_bytes - before;
    if (!is_sound) refuse({1002});
    if (is_too_large) found_.answers.push_back(1009);
  }

  void take(const frame& f) {
    if (f.code == ping) {
      found_.pings.emplace_back(f.payload);
    } else if (f.code == pong) {
      found_.pongs.emplace_back(f.payload);
    } else if (f.code == closing) {
      take_close(f.payload);
    } else {
      take_part(f);
    }
  }

  void take_close(std::string_view payload) {
    found_.code = payload.size() < 2 ? 1005 : static_cast<uint16_t>(number_in(payload.substr(0, 2)));
    const uint16_t code = found_.code;
    const bool is_reserved = code == 1004 || code == 1006 || code == 1015 || code < 1000;
    if (payload.size() == 1 || is_reserved || (code == 1005 && !payload.empty())) return refuse({1002});
    if (!payload.empty() && utf8_of(payload.substr(2)) != utf8::whole) return refuse({1002, 1007});
    found_.is_closed = true;
    found_.answers = {code};
    if (code == 1005) found_.answers.push_back(1000);
    if ((code > 1011 && code < 3000) || code > 4999)
      found_.answers.push_back(1002);  // nobody has given these a meaning
  }

  void take_part(const frame& f) {
    if (f.code != continuation) {
      message_ = {f.code == text, {}};
      is_deflated_ = f.reserved != 0;
    }
    is_in_message_ = !f.is_last;
    if (is_deflated_) {
      inflate(f);
    } else {
      message_.data += f.payload;
    }
    if (is_over()) return;
    const utf8 form = message_.is_text ? utf8_of(message_.data) : utf8::whole;
    if (form == utf8::wrong || (form == utf8::cut && f.is_last)) return refuse({1007});
    if (!f.is_last) return;
    found_.messages.push_back(message_);
    if (!rules_.keeps_context) inflater_.forget();
  }

  void inflate(const frame& f) {
    static constexpr std::string_view end("\0\0\xff\xff", 4);
    inflater::result how = inflater_.add(f.payload, message_.data, rules_.most_bytes);
    if (how == inflater::result::more && f.is_last) how = inflater_.add(end, message_.data, rules_.most_bytes);
    const bool is_within_block = how == inflater::result::more && f.is_last && !inflater_.is_between_blocks();
    // The RFC allows a last block, and Beast refuses it; it does not say what a cut one is.
    if (how == inflater::result::ended || is_within_block) found_.is_cut = true;
    if (how == inflater::result::broken) refuse({1002, 1007});
    // The bytes behind the limit, of which zlib has read less than Beast, may not inflate.
    if (message_.data.size() > rules_.most_bytes) found_.answers.insert(found_.answers.end(), {1007, 1009});
  }

  std::string_view left_;
  const frame_rules rules_;
  std::string payload_;
  strict_frames found_;
  bool is_in_message_ = false;
  bool is_deflated_ = false;
  strict_payload message_;
  inflater inflater_;
};

}  // namespace

strict_frames frames_of(std::string_view text, const frame_rules& rules) {
  return reader(text, rules).read();
}

}  // namespace http_fuzz
