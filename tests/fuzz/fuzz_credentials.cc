// Credentials files of arbitrary bytes: read or refused, and the complaint holds nothing of a
// secret.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "partita/database.h"

#include "auth/policy.h"
#include "cli/credentials_file.h"
#include "expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace partita;
  static const auto database = Database::open({.engine = EngineKind::Memory});
  static const CallersPlace place{**database, "us-east-1", "1"};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto callers = read_credentials(text, "file", place);
  if (!callers) {
    expect(!callers.error().message().empty(), "a refusal says why");
    // A mutation may have copied the word to where it is no secret.
    const bool is_only_secret = text.find("secret = \"sesame") != std::string_view::npos &&
                                text.find("sesame") == text.rfind("sesame");
    expect(!is_only_secret || callers.error().message().find("sesame") == std::string::npos,
           "no complaint holds a secret");
    return 0;
  }
  for (const auto& api : (*callers)->owned) {
    DurabilityTicket ticket;
    static_cast<void>(api->list_tables({}, &ticket));
    static_cast<void>(api->describe_table({.table_name = "Songs"}, &ticket));
  }
  static_cast<void>(matches_wildcards(text.substr(0, size / 2), text.substr(size / 2)));
  return 0;
}
