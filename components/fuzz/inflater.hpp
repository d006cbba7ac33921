// SPDX-License-Identifier: MIT
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace http_fuzz {

/// Inflates messages by zlib, which is not what Beast does it by.
class inflater {
 public:
  enum class result : uint8_t { more, ended, broken };

  /// `window_bits`: no block may refer further back than a window of so many bits.
  explicit inflater(int window_bits = 15) { inflateInit2(&stream_, -window_bits); }
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;
  ~inflater() { inflateEnd(&stream_); }

  void forget() { inflateReset(&stream_); }

  /// Appends what the bytes contain, up to about `most`. `ended`: a block said that it is the last.
  result add(std::string_view bytes, std::string& to, size_t most) {
    char some[256];
    std::string in(bytes);  // zlib's pointer is not to constants
    stream_.next_in = reinterpret_cast<Bytef*>(in.data());
    stream_.avail_in = static_cast<uInt>(bytes.size());
    for (;;) {
      stream_.next_out = reinterpret_cast<Bytef*>(some);
      stream_.avail_out = sizeof some;
      const int how = inflate(&stream_, Z_SYNC_FLUSH);
      to.append(some, sizeof some - stream_.avail_out);
      if (how == Z_STREAM_END) return result::ended;
      if (how != Z_OK && how != Z_BUF_ERROR) return result::broken;
      if (stream_.avail_out != 0 || to.size() > most) return result::more;
    }
  }

  /// True if all bytes so far are whole blocks.
  bool is_between_blocks() const { return (stream_.data_type & 128) != 0; }

 private:
  z_stream stream_ = {};
};

}  // namespace http_fuzz
