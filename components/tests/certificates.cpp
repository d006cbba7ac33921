// SPDX-License-Identifier: MIT
#include "certificates.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <utility>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace network_test {

scratch_folder::scratch_folder() {
  path = (std::filesystem::temp_directory_path() / "baton_tls_XXXXXX").string();
  if (!mkdtemp(path.data())) throw std::runtime_error("no folder for the test");
}
scratch_folder::~scratch_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::trunc) << text;
}

static void require(bool is_ok) {
  if (!is_ok) throw std::runtime_error("OpenSSL cannot make the test's certificate");
}

/// The text that a function of OpenSSL writes.
template <typename Write>
static std::string text_by(Write write) {
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> to(BIO_new(BIO_s_mem()), BIO_free_all);
  require(write(to.get()) == 1);
  char* data = nullptr;
  const long bytes = BIO_get_mem_data(to.get(), &data);
  return {data, static_cast<size_t>(bytes)};
}
static std::string text_of(X509* x) {
  return text_by([=](BIO* to) { return PEM_write_bio_X509(to, x); });
}
static std::string text_of(EVP_PKEY* k) {
  return text_by([=](BIO* to) { return PEM_write_bio_PrivateKey(to, k, nullptr, nullptr, 0, nullptr, nullptr); });
}

static EVP_PKEY* new_key() {
  EVP_PKEY* const k = EVP_EC_gen("P-256");
  require(k);
  return k;
}

/// A certificate without extensions and signature. `by`: its authority; null: itself.
static X509* begin(const certificate_form& f, EVP_PKEY* key, X509* by) {
  static long serial = 0;
  X509* const x = X509_new();
  require(x && X509_set_version(x, X509_VERSION_3) == 1 && X509_set_pubkey(x, key) == 1);
  ASN1_INTEGER_set(X509_get_serialNumber(x), ++serial);
  constexpr long day = 24 * 3600L;
  X509_gmtime_adj(X509_getm_notBefore(x), f.first_day * day - 60);
  X509_gmtime_adj(X509_getm_notAfter(x), f.last_day * day);
  const auto* const name = reinterpret_cast<const unsigned char*>(f.common_name.c_str());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC, name, -1, -1, 0);
  X509_set_issuer_name(x, X509_get_subject_name(by ? by : x));
  return x;
}
static void extend(X509* x, int what, const std::string& value) {
  X509_EXTENSION* const e = X509V3_EXT_conf_nid(nullptr, nullptr, what, value.c_str());
  require(e && X509_add_ext(x, e, -1) == 1);
  X509_EXTENSION_free(e);
}

authority::authority(const std::string& name, const authority* above)
    : above_(above), key_(new_key()), own_(begin({name, {}, 0, 10}, key_, above ? above->own_ : nullptr)) {
  extend(own_, NID_basic_constraints, "critical,CA:TRUE");
  extend(own_, NID_key_usage, "critical,keyCertSign,cRLSign");
  require(X509_sign(own_, above ? above->key_ : key_, EVP_sha256()) != 0);
  text_ = text_of(own_);
}
authority::~authority() {
  X509_free(own_);
  EVP_PKEY_free(key_);
}

certificate_files authority::issue(const certificate_form& f, bool has_chain) const {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(new_key(), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> x(begin(f, key.get(), own_), X509_free);
  if (!f.names.empty()) extend(x.get(), NID_subject_alt_name, f.names);
  require(X509_sign(x.get(), key_, EVP_sha256()) != 0);
  certificate_files all{text_of(x.get()), text_of(key.get())};
  for (const authority* a = this; has_chain && a->above_; a = a->above_) all.chain += a->text_;
  return all;
}

}  // namespace network_test
