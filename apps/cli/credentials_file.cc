#include "cli/credentials_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "access/guarded_api.h"
#include "auth/policy.h"
#include "cli/flags.h"
#include "cli/toml.h"

namespace partita {
namespace {

class Reader {
 public:
  Reader(const std::string& path, const CallersPlace& place) : path_(path), place_(place) {}

  Result<std::shared_ptr<const Callers>> read(const toml::table& file);

 private:
  struct Caller {
    AccessKey key;
    std::string user;
    std::optional<Policy> policy;  // none: everything
  };

  Error wrong(const toml::node& node, const std::string& what) const {
    return usage_error(path_ + ":" + std::to_string(node.source().begin.line) + ": " + what + ".");
  }
  // Every key of `table` must be among `known`.
  Result<void> check_keys(const toml::table& table,
                          std::initializer_list<std::string_view> known) const;
  Result<std::string> text(const toml::table& table, std::string_view name, bool required) const;
  Result<std::vector<std::string>> texts(const toml::node& node, std::string_view name) const;
  Result<std::optional<std::vector<std::string>>> optional_texts(const toml::table& table,
                                                                 std::string_view name) const;
  Result<Caller> read_caller(const toml::table& table) const;
  Result<Policy> read_policy(const toml::node& statements, std::string_view user) const;
  Result<StatementText> read_statement(const toml::table& table) const;
  Result<std::vector<ConditionText>> read_conditions(const toml::node& node) const;

  const std::string& path_;
  const CallersPlace& place_;
};

Result<void> Reader::check_keys(const toml::table& table,
                                std::initializer_list<std::string_view> known) const {
  for (const auto& [key, node] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    std::string list;
    for (const std::string_view name : known) list.append(list.empty() ? "" : ", ").append(name);
    return wrong(node, "there is no '" + std::string(key.str()) + "' here; there are " + list);
  }
  return {};
}

Result<std::string> Reader::text(const toml::table& table, std::string_view name,
                                 bool required) const {
  const toml::node* const node = table.get(name);
  if (node == nullptr && !required) return std::string();
  const auto* const found = node != nullptr ? node->as_string() : nullptr;
  if (found == nullptr || found->get().empty()) {
    return wrong(node != nullptr ? *node : table, "'" + std::string(name) + "' must be a text");
  }
  return found->get();
}

Result<std::vector<std::string>> Reader::texts(const toml::node& node,
                                               std::string_view name) const {
  std::vector<std::string> found;
  const auto add = [&found](const toml::node& one) {
    if (const auto* truth = one.as_boolean()) {
      found.emplace_back(truth->get() ? "true" : "false");
    } else if (const auto* line = one.as_string()) {
      found.push_back(line->get());
    } else {
      return false;
    }
    return true;
  };
  bool good = true;
  if (const auto* array = node.as_array()) {
    for (const toml::node& one : *array) good = good && add(one);
  } else {
    good = add(node);
  }
  if (good) return found;
  return wrong(node, "'" + std::string(name) + "' must be a text or a list of texts");
}

Result<std::optional<std::vector<std::string>>> Reader::optional_texts(
    const toml::table& table, std::string_view name) const {
  const toml::node* const node = table.get(name);
  if (node == nullptr) return std::optional<std::vector<std::string>>();
  PARTITA_TRY(std::vector<std::string> found, texts(*node, name));
  return std::optional(std::move(found));
}

Result<std::vector<ConditionText>> Reader::read_conditions(const toml::node& node) const {
  std::vector<ConditionText> conditions;
  const toml::table* const operators = node.as_table();
  if (operators == nullptr) return wrong(node, "'Condition' must be a table of operators");
  for (const auto& [operator_name, keys] : *operators) {
    if (!keys.is_table() || keys.as_table()->empty()) {
      return wrong(keys, "'" + std::string(operator_name.str()) + "' must be a table of keys");
    }
    for (const auto& [key, values] : *keys.as_table()) {
      PARTITA_TRY(std::vector<std::string> found, texts(values, key.str()));
      conditions.push_back(
          {std::string(operator_name.str()), std::string(key.str()), std::move(found)});
    }
  }
  return conditions;
}

Result<StatementText> Reader::read_statement(const toml::table& table) const {
  PARTITA_CHECK(check_keys(
      table, {"Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Condition"}));
  StatementText statement;
  PARTITA_TRY(statement.effect, text(table, "Effect", /*required=*/true));
  PARTITA_TRY(statement.actions, optional_texts(table, "Action"));
  PARTITA_TRY(statement.not_actions, optional_texts(table, "NotAction"));
  PARTITA_TRY(statement.resources, optional_texts(table, "Resource"));
  PARTITA_TRY(statement.not_resources, optional_texts(table, "NotResource"));
  if (const toml::node* const condition = table.get("Condition")) {
    PARTITA_TRY(statement.conditions, read_conditions(*condition));
  }
  return statement;
}

Result<Policy> Reader::read_policy(const toml::node& statements, std::string_view user) const {
  std::vector<StatementText> texts_read;
  const toml::array* const array = statements.as_array();
  if (array == nullptr) return wrong(statements, "write [[access_key.statement]], one for each");
  for (const toml::node& node : *array) {
    if (!node.is_table()) return wrong(node, "a statement must be a table");
    PARTITA_TRY(StatementText statement, read_statement(*node.as_table()));
    // One by one, so that the line is known.
    if (auto alone = Policy::compile({statement}, user); !alone) {
      return wrong(node, alone.error().message());
    }
    texts_read.push_back(std::move(statement));
  }
  return Policy::compile(texts_read, user);
}

Result<Reader::Caller> Reader::read_caller(const toml::table& table) const {
  PARTITA_CHECK(check_keys(table, {"id", "secret", "session_token", "user", "statement"}));
  Caller caller;
  PARTITA_TRY(caller.key.id, text(table, "id", /*required=*/true));
  PARTITA_TRY(caller.key.secret, text(table, "secret", /*required=*/true));
  PARTITA_TRY(caller.key.session_token, text(table, "session_token", /*required=*/false));
  PARTITA_TRY(caller.user, text(table, "user", /*required=*/false));
  if (caller.user.empty()) caller.user = caller.key.id;
  // Those of IAM: no wildcard among them, and no slash in an id, which is a part of a credential.
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+=,.@_-";
  for (const std::string* name : {&caller.key.id, &caller.user}) {
    if (name->find_first_not_of(allowed) != std::string::npos) {
      return wrong(table, "'" + *name + "' may have letters, digits and +=,.@_- only");
    }
  }
  if (const toml::node* const statements = table.get("statement")) {
    PARTITA_TRY(caller.policy, read_policy(*statements, caller.user));
  }
  return caller;
}

Result<std::shared_ptr<const Callers>> Reader::read(const toml::table& file) {
  PARTITA_CHECK(check_keys(file, {"access_key"}));
  const toml::node* const node = file.get("access_key");
  const toml::array* const array = node != nullptr ? node->as_array() : nullptr;
  if (array == nullptr || array->empty()) {
    return usage_error(path_ + " has no access key; write [[access_key]] with id and secret.");
  }
  std::vector<Caller> callers;
  std::vector<AccessKey> keys;
  std::set<std::string> ids;
  for (const toml::node& one : *array) {
    if (!one.is_table()) return wrong(one, "write [[access_key]], one for each");
    PARTITA_TRY(Caller caller, read_caller(*one.as_table()));
    if (!ids.insert(caller.key.id).second) {
      return wrong(one, "there is another access key '" + caller.key.id + "'");
    }
    keys.push_back(caller.key);
    callers.push_back(std::move(caller));
  }
  auto made = std::make_shared<Callers>(place_.region, std::move(keys));
  for (Caller& caller : callers) {
    if (!caller.policy) {
      made->apis.push_back(&place_.api);
      continue;
    }
    made->owned.push_back(
        std::make_unique<GuardedApi>(place_.api, std::move(*caller.policy),
                                     AccessNames{caller.user, place_.region, place_.account_id}));
    made->apis.push_back(made->owned.back().get());
  }
  return std::shared_ptr<const Callers>(std::move(made));
}

}  // namespace

Result<std::shared_ptr<const Callers>> read_credentials(std::string_view text,
                                                        const std::string& path,
                                                        const CallersPlace& place) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {  // the parser's own words may quote the line, and a secret with it
    return usage_error(path + ":" + std::to_string(parsed.error().source().begin.line) +
                       ": this is not TOML; docs/security.md shows the form of the file.");
  }
  return Reader(path, place).read(parsed.table());
}

Result<std::shared_ptr<const Callers>> read_credentials_file(const std::string& path,
                                                             const CallersPlace& place) {
  errno = 0;
  std::ifstream file(path);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file || !content) {
    const char* const why = errno != 0 ? std::strerror(errno) : "it is empty or a directory";
    return usage_error("cannot read the credentials file " + path + " (" + why + ").");
  }
  return read_credentials(content.str(), path, place);
}

}  // namespace partita
