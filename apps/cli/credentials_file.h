// The credentials file: who may come in, and what they may do. TOML, explained in docs/security.md:
//
//   [[access_key]]
//   id = "AKIDALICE"
//   secret = "…"
//   user = "alice"                     # in ARNs and messages; else the id
//   session_token = "…"                # only with temporary credentials
//   [[access_key.statement]]           # none: the key may do everything
//   Effect = "Allow"
//   Action = ["dynamodb:GetItem", "dynamodb:Query"]
//   Resource = "arn:aws:dynamodb:*:*:table/Songs"
//   Condition."ForAllValues:StringEquals" = { "dynamodb:LeadingKeys" = ["${aws:username}"] }
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "partita/api.h"
#include "partita/result.h"

#include "server/callers.h"

namespace partita {

// What the callers have in common: the database behind them and the words of its ARNs.
struct CallersPlace {
  Api& api;
  std::string region;
  std::string account_id;
};

// Fails with one sentence that names the file and the line, and nothing of what the file holds that
// is secret.
Result<std::shared_ptr<const Callers>> read_credentials_file(const std::string& path,
                                                             const CallersPlace& place);
// The same for the file's text.
Result<std::shared_ptr<const Callers>> read_credentials(std::string_view text,
                                                        const std::string& path,
                                                        const CallersPlace& place);

}  // namespace partita
