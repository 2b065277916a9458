// ConstraintList: what is wrong with single members of a request, told all at once as DynamoDB
// does: "2 validation errors detected: Value '…' at '…' failed to satisfy constraint: …; Value …".
//
// Requests that came over the wire have passed the same checks there; this one is for programs that
// call the database in their own process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "partita/result.h"
#include "partita/table.h"

namespace partita {

class ConstraintList {
 public:
  void add(std::string_view value, std::string_view path, std::string_view constraint);

  // A table's or index's name: characters, then length.
  void check_name(std::string_view name, std::string_view path);
  // An attribute's name where it is part of a schema.
  void check_attribute_name(std::string_view name, std::string_view path);
  void check_key_schema(const std::vector<KeySchemaElement>& key_schema, const std::string& path,
                        std::size_t elements_max);
  void check_throughput(const ProvisionedThroughput& throughput, const std::string& path);

  // Fails if anything was added.
  Result<void> result() const;

 private:
  void check_at_least_one(std::int64_t value, const std::string& path);

  std::vector<std::string> problems_;
};

// "keySchema.1.member" for the first element.
std::string member_path(std::string_view list, std::size_t index);

}  // namespace partita
