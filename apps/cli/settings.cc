#include "cli/settings.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "cli/flags.h"
#include "cli/serve_options.h"

namespace partita {
namespace {

using Value = const SettingValue&;
using Serve = ServeOptions&;

constexpr std::int64_t kDayMs = 24 * 60 * 60 * 1000;
constexpr std::array<std::string_view, 2> kEngines = {"rocksdb", "memory"};
constexpr std::array<std::string_view, 2> kDurabilities = {"synced", "relaxed"};
constexpr std::array<std::string_view, 5> kLogLevels = {"debug", "info", "warning", "error", "off"};

EngineKind engine_named(std::string_view name) {
  if (name == "memory") return EngineKind::Memory;
  return name == "rehearsal" ? EngineKind::Rehearsal : EngineKind::Rocksdb;
}

// "a, B" → "a", "b".
std::vector<std::string> words_in(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t start = list.find_first_not_of(", ");
    if (start == std::string_view::npos) break;
    list.remove_prefix(start);
    const std::size_t length = std::min(list.find_first_of(", "), list.size());
    std::string& word = words.emplace_back(list.substr(0, length));
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    list.remove_prefix(length);
  }
  return words;
}

std::string unless_none(const std::string& text) { return text == "none" ? "" : text; }

constexpr Setting kSettings[] = {
    {"--host", SettingKind::Text, "HOST", "127.0.0.1", "address to listen on",
     [](Value value, Serve serve) { serve.host = value.text; }},
    {"--port", SettingKind::Number, "PORT", "8000", "port to listen on, 0 for any free one",
     [](Value value, Serve serve) { serve.port = static_cast<std::uint16_t>(value.number); }, 0,
     65535},
    {"--data", SettingKind::Path, "DIR", "./partita-data", "where the data is kept",
     [](Value value, Serve serve) { serve.database.data_directory = value.text; }},
    {"--in-memory", SettingKind::Switch, "", "false",
     "keep nothing: the data is gone when the server stops",
     [](Value value, Serve serve) {
       if (value.on) serve.database.engine = EngineKind::Memory;
     }},
    {"--engine", SettingKind::Choice, "ENGINE", "rocksdb",
     "rocksdb, or memory, which is --in-memory",
     [](Value value, Serve serve) { serve.database.engine = engine_named(value.text); }, 0, 0,
     kEngines, "rehearsal"},  // for our own tests
    {"--durability", SettingKind::Choice, "MODE", "synced",
     "synced: an answered write survives a power cut\n"
     "relaxed: faster; a power cut may lose the last moments",
     [](Value value, Serve serve) {
       serve.database.durability =
           value.text == "relaxed" ? Durability::Relaxed : Durability::Synced;
     },
     0, 0, kDurabilities},
    {"--cache-mb", SettingKind::Number, "N", "0",
     "memory for items read or written lately, on disk\n"
     "0: a 64th of the machine's, from 16 to 256",
     [](Value value, Serve serve) {
       serve.database.cache_bytes = static_cast<std::size_t>(value.number) << 20;
     },
     0, 1 << 20},
    {"--region", SettingKind::Text, "NAME", "us-east-1", "the region in ARNs",
     [](Value value, Serve serve) { serve.database.region = value.text; }},
    {"--account-id", SettingKind::Text, "ID", "314159265358", "the account in ARNs",
     [](Value value, Serve serve) { serve.database.account_id = value.text; }},
    {"--table-delay-ms", SettingKind::Number, "N", "0",
     "tables stay CREATING and DELETING this long, as on AWS",
     [](Value value, Serve serve) {
       serve.database.table_delay = std::chrono::milliseconds(value.number);
     },
     0, kDayMs},
    {"--index-lag-ms", SettingKind::Number, "N", "0",
     "global indexes follow their table this much later, as on AWS",
     [](Value value, Serve serve) {
       serve.database.index_lag = std::chrono::milliseconds(value.number);
     },
     0, kDayMs},
    {"--stale-reads-ms", SettingKind::Number, "N", "0",
     "reads that are not consistent see the data as it was this long ago",
     [](Value value, Serve serve) {
       serve.database.stale_reads = std::chrono::milliseconds(value.number);
     },
     0, kDayMs},
    {"--stream-shards", SettingKind::Number, "N", "1",
     "shards of a new stream, 1, 2 or 4, by the hash of the partition key",
     [](Value value, Serve serve) {
       serve.database.stream_shards = static_cast<unsigned>(value.number);
     },
     1, 4},
    {"--stream-roll-ms", SettingKind::Number, "N", "14400000",
     "a shard with records is closed and continued by another after this long",
     [](Value value, Serve serve) {
       serve.database.stream_roll = std::chrono::milliseconds(value.number);
     },
     1, kDayMs},
    {"--stream-target", SettingKind::Text, "TARGETS", "none",
     "who gets the records of the stream of a table, as Lambda would:\n"
     "TABLE=http[s]://HOST:PORT/PATH or TABLE=exec:COMMAND; several with commas between",
     [](Value value, Serve serve) { serve.stream_target = unless_none(value.text); }},
    {"--stream-batch-size", SettingKind::Number, "N", "100",
     "records at a time for a stream target",
     [](Value value, Serve serve) {
       serve.push.batch_size = static_cast<std::size_t>(value.number);
     },
     1, 10'000},
    {"--stream-batch-window-ms", SettingKind::Number, "N", "0",
     "how long a batch for a stream target may wait to become full",
     [](Value value, Serve serve) {
       serve.push.batch_window = std::chrono::milliseconds(value.number);
     },
     0, 300'000},
    {"--stream-filter", SettingKind::Text, "JSON", "none",
     "pattern of event filtering as in Lambda, or an array of some: what targets get",
     [](Value value, Serve serve) { serve.push.filter = unless_none(value.text); }},
    {"--stream-retries", SettingKind::Number, "N", "until it is too old",
     "tries after the first before a batch is given up",
     [](Value value, Serve serve) { serve.push.retries_max = value.number; }, 0, 10'000},
    {"--stream-record-age-s", SettingKind::Number, "N", "any age",
     "records older than this are given up",
     [](Value value, Serve serve) {
       serve.push.record_age_max = std::chrono::seconds(value.number);
     },
     1, 604'800},
    {"--stream-bisect", SettingKind::Switch, "", "false",
     "a batch that fails is split in two and tried again",
     [](Value value, Serve serve) { serve.push.bisect_on_error = value.on; }},
    {"--stream-report-failures", SettingKind::Switch, "", "false",
     "an HTTP target may answer with batchItemFailures, as a Lambda function does",
     [](Value value, Serve serve) { serve.push.report_failures = value.on; }},
    {"--stream-dead-letters", SettingKind::Path, "FILE", "none",
     "what is given up is appended here, a line of JSON each",
     [](Value value, Serve serve) { serve.push.dead_letters = unless_none(value.text); }},
    {"--stream-timeout-ms", SettingKind::Number, "N", "60000",
     "how long a stream target may take for a batch",
     [](Value value, Serve serve) { serve.push.timeout = std::chrono::milliseconds(value.number); },
     1, 900'000},
    {"--transaction-hold-ms", SettingKind::Number, "N", "0",
     "TransactWriteItems keeps its items this long, to test what others meet",
     [](Value value, Serve serve) {
       serve.database.transaction_hold = std::chrono::milliseconds(value.number);
     },
     0, kDayMs},
    {"--write-hold-ms", SettingKind::Number, "N", "0",
     "PutItem, UpdateItem, DeleteItem and BatchWriteItem keep their items this long, likewise",
     [](Value value, Serve serve) {
       serve.database.write_hold = std::chrono::milliseconds(value.number);
     },
     0, kDayMs},
    {"--ttl-delay", SettingKind::Number, "SECONDS", "60",
     "items stay this long after their time to live is over",
     [](Value value, Serve serve) {
       serve.database.expiry_delay = std::chrono::seconds(value.number);
     },
     0, 48 * 60 * 60},
    {"--throttle", SettingKind::Switch, "", "false",
     "refuse what exceeds the throughput of a table, as AWS does",
     [](Value value, Serve serve) { serve.database.throttle = value.on; }},
    {"--threads", SettingKind::Number, "N", "one per core", "event loops",
     [](Value value, Serve serve) { serve.threads = static_cast<unsigned>(value.number); }, 1,
     1024},
    {"--connections-max", SettingKind::Number, "N", "50000",
     "connections served at a time; further ones wait to be accepted",
     [](Value value, Serve serve) {
       serve.connections_max = static_cast<std::size_t>(value.number);
     },
     1, 1'000'000},
    {"--slow-request-ms", SettingKind::Number, "N", "1000",
     "a request that takes this long is logged as a warning, 0 for none",
     [](Value value, Serve serve) { serve.slow_request = std::chrono::milliseconds(value.number); },
     0, kDayMs},
    {"--log-level", SettingKind::Choice, "LEVEL", "warning",
     "debug (every request), info, warning, error or off",
     [](Value value, Serve serve) { serve.log_level = *find_log_level(value.text); }, 0, 0,
     kLogLevels},
    {"--credentials", SettingKind::Path, "FILE", "none",
     "serve only requests signed with an access key of this TOML file",
     [](Value value, Serve serve) { serve.credentials = value.text; }},
    {"--tls-cert", SettingKind::Path, "FILE", "none",
     "serve HTTPS with this certificate chain (PEM); needs --tls-key",
     [](Value value, Serve serve) { serve.tls_certificate = value.text; }},
    {"--tls-key", SettingKind::Path, "FILE", "none", "the key of --tls-cert (PEM)",
     [](Value value, Serve serve) { serve.tls_key = value.text; }},
    {"--allow-anonymous", SettingKind::Switch, "", "false",
     "serve requests without a signature, and other machines without --credentials",
     [](Value value, Serve serve) { serve.allow_anonymous = value.on; }},
    {"--admin-hosts", SettingKind::Text, "LIST", "localhost",
     "addresses of other machines that may use the admin API, or any\n"
     "and names by which they call this one, separated by commas",
     [](Value value, Serve serve) { serve.admin_hosts = words_in(value.text); }},
};

Result<SettingValue> read_switch(std::string_view text, std::string_view where) {
  if (text == "true" || text == "1") return SettingValue{.text = "true", .on = true};
  if (text == "false" || text == "0") return SettingValue{.text = "false"};
  return usage_error(std::string(where) + " is true or false, not '" + std::string(text) + "'.");
}

Result<SettingValue> read_choice(const Setting& setting, std::string_view text,
                                 std::string_view where) {
  const auto& choices = setting.choices;
  if (std::find(choices.begin(), choices.end(), text) != choices.end() ||
      (!text.empty() && text == setting.unlisted_choice)) {
    return SettingValue{.text = std::string(text)};
  }
  return usage_error(std::string(where) + " is " + wanted(setting) + ", not '" + std::string(text) +
                     "'.");
}

Result<SettingValue> read_number(const Setting& setting, std::string_view text,
                                 std::string_view where) {
  auto number = flag_number({where, text}, setting.least, setting.most);
  if (number) return SettingValue{.text = std::string(text), .number = *number};
  if (text.starts_with("tcp://")) {  // PARTITA_PORT in a pod beside a service named partita
    return usage_error(std::string(where) +
                       " was set by Kubernetes for a service named partita; give the service "
                       "another name or set enableServiceLinks: false.");
  }
  return std::move(number).error();
}

}  // namespace

std::span<const Setting> settings() { return kSettings; }

std::string key_of(const Setting& setting) {
  std::string key(setting.flag.substr(2));
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

std::string environment_name_of(const Setting& setting) {
  std::string name = "PARTITA_" + key_of(setting);
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

std::string wanted(const Setting& setting) {
  switch (setting.kind) {
    case SettingKind::Number:
      return "a whole number from " + std::to_string(setting.least) + " to " +
             std::to_string(setting.most);
    case SettingKind::Switch:
      return "true or false";
    case SettingKind::Choice: {
      std::string words;
      for (std::size_t i = 0; i < setting.choices.size(); ++i) {
        if (i > 0) words += i + 1 == setting.choices.size() ? " or " : ", ";
        words += setting.choices[i];
      }
      return words;
    }
    case SettingKind::Text:
    case SettingKind::Path:
      break;
  }
  return "a text";
}

Result<SettingValue> read_value(const Setting& setting, std::string_view text,
                                std::string_view where) {
  switch (setting.kind) {
    case SettingKind::Number:
      return read_number(setting, text, where);
    case SettingKind::Choice:
      return read_choice(setting, text, where);
    case SettingKind::Switch:
      return read_switch(text, where);
    case SettingKind::Text:
    case SettingKind::Path:
      break;
  }
  if (text.empty()) return usage_error(std::string(where) + " needs a value.");
  return SettingValue{.text = std::string(text)};
}

}  // namespace partita
