// SignatureClaim: what a request says about who signed it (AWS Signature Version 4), before any of
// it is believed.
//
//   Authorization: AWS4-HMAC-SHA256 Credential=<credential>, SignedHeaders=a;b, Signature=<hex>
//   /?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=…&X-Amz-Date=…&X-Amz-SignedHeaders=…
//      &X-Amz-Signature=…[&X-Amz-Expires=<seconds>][&X-Amz-Security-Token=…]        (presigned)
//
//   credential := access key id "/" YYYYMMDD "/" region "/" service "/aws4_request"
//
// Errors are DynamoDB's, in its order, as dynalite's tests recorded them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "partita/result.h"

#include "auth/uri_text.h"

namespace partita {

// Borrows from the request it was read from.
struct SignatureClaim {
  std::string_view algorithm;
  std::string_view credential;
  std::string_view signed_headers;  // names between semicolons
  std::string_view signature;
  std::string_view date;  // "20260131T120000Z"
  bool presigned = false;
  std::string_view expires;         // presigned: seconds, or empty
  std::string_view security_token;  // presigned: when there is one in the query

  std::vector<QueryPair> pairs;  // presigned: what the views are of
};

// Where in a request a claim may be.
struct ClaimPlaces {
  std::string_view authorization;  // the header's value
  std::string_view query;          // of the target, without "?"
  std::string_view date;           // of X-Amz-Date, or else of Date
};

Error incomplete_signature(std::string message);

// Is there a claim, and is it complete? Costs little when the claim looks as SDKs write it.
Result<void> check_claim(const ClaimPlaces& places);

// Reads it. Fails as check_claim does.
Result<SignatureClaim> read_claim(const ClaimPlaces& places);

}  // namespace partita
