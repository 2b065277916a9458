// SignatureVerifier: is a request signed by whom it says, recently, and for us?
//
// What is checked, in DynamoDB's order: there is a claim and it is complete; its time is within 15
// minutes of ours (or a presigned one has not expired); Host and all X-Amz-* headers are signed;
// the algorithm; the credential's form and scope; the access key; the signature over the request
// and its whole body; the session token. The first fault is told in DynamoDB's words. No answer and
// no log holds anything of a secret.
#pragma once

#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "partita/result.h"

#include "auth/signature_claim.h"
#include "auth/sigv4.h"

namespace partita {

struct AccessKey {
  std::string id;
  std::string secret;
  std::string session_token;  // empty: none may be sent
};

// The keys a server knows. Immutable; shared by all threads.
class AccessKeys {
 public:
  // Ids are unique.
  AccessKeys(std::string region, std::vector<AccessKey> keys);
  AccessKeys(const AccessKeys&) = delete;
  AccessKeys& operator=(const AccessKeys&) = delete;

  const std::string& region() const { return region_; }
  const std::vector<AccessKey>& keys() const { return keys_; }
  const AccessKey* find(std::string_view id) const;

 private:
  std::string region_;
  std::vector<AccessKey> keys_;
  std::unordered_map<std::string_view, const AccessKey*> by_id_;  // views of keys_
};

// For one thread: it keeps the signing keys of the day.
class SignatureVerifier {
 public:
  // `keys` outlives it.
  explicit SignatureVerifier(const AccessKeys& keys) : keys_(keys), days_(keys.keys().size()) {}

  // Who signed it: a key of `keys`.
  Result<const AccessKey*> verify(const RequestToSign& request, const ClaimPlaces& places,
                                  std::time_t now);

 private:
  struct Day {
    std::string date;
    SigningKey key;
  };

  Result<const AccessKey*> find_key(const SignatureClaim& claim) const;
  const SigningKey& signing_key(const AccessKey& key, std::string_view date);
  bool is_signed_by(const AccessKey& key, const RequestToSign& request,
                    const SignatureClaim& claim);

  const AccessKeys& keys_;
  std::vector<Day> days_;                             // for each of keys_
  std::string canonical_, to_sign_, signed_headers_;  // keep their memory
};

}  // namespace partita
