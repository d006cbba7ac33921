// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <openssl/x509.h>

/// Certificates for tests, which are made when a test needs them.
namespace network_test {

/// A folder for a test's files, which goes at the end.
struct scratch_folder {
  scratch_folder();
  scratch_folder(const scratch_folder&) = delete;
  ~scratch_folder();
  std::string path;
};

/// Writes a file.
void write_file(const std::string& path, const std::string& text);

/// The properties of a server's certificate.
struct certificate_form {
  std::string common_name = "test";
  std::string names = "DNS:localhost,IP:127.0.0.1";  ///< empty: none
  int first_day = 0;                                 ///< from today
  int last_day = 1;
};

/// The texts of a server's two files.
struct certificate_files {
  std::string chain;
  std::string key;
};

/// An authority: a root, or one below another.
///
/// Cost     keys of ECDSA, which take less than a millisecond.
class authority {
 public:
  explicit authority(const std::string& name, const authority* above = nullptr);
  authority(const authority&) = delete;
  authority& operator=(const authority&) = delete;
  ~authority();

  /// A certificate with the intermediate authorities' behind it, or alone.
  certificate_files issue(const certificate_form& f = {}, bool has_chain = true) const;
  /// Its own certificate.
  const std::string& text() const noexcept { return text_; }

 private:
  const authority* const above_;
  EVP_PKEY* const key_;
  X509* const own_;
  std::string text_;
};

}  // namespace network_test
