// Documents with versions: a small item that is read often, its large contents version by version,
// and optimistic locking for those who edit at the same time.
//
//   Access pattern      Index   Key
//   find_document       table   PK = DOC#1, SK = METADATA: title and number of the newest version
//   save                table   SK = v00000002, a condition keeps what is there
//   latest              table   PK = DOC#1, SK begins with v, descending, the first
//   versions            table   PK = DOC#1, SK begins with v
//   find_version        table   PK = DOC#1, SK = v00000001
//   rename              table   SK = METADATA, if nobody else was faster
//
// The numbers in sort keys are padded: as text, v10 comes before v2.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "partita/model/model.h"

namespace examples::documents {

using namespace partita::model;
using partita::Result;
using Moment = std::chrono::sys_time<std::chrono::milliseconds>;

struct Document {
  std::string id{};
  std::string title{};
  std::int64_t revision = 0;  // of this item: raised by every write
  Moment changed{};
};
struct Version {
  std::string document{};
  std::int64_t number = 0;
  std::string content{};
  std::string author{};
  Moment created{};
};

inline constexpr auto document_table = define_table<"Documents">(key<"PK", "SK">);

inline constexpr auto document =
    define_entity<Document, "document">(document_table, key<"DOC#{id}", "METADATA">,
                                        version<&Document::revision>, updated<&Document::changed>);

inline constexpr auto document_version = define_entity<Version, "version">(
    document_table, key<"DOC#{document}", "v{number:08}">, created<&Version::created>);

class Documents {
 public:
  explicit Documents(partita::Api& api) : table_(document_table.in(api)) {}
  Documents(const Documents&) = delete;

  Result<void> create_table() { return table_.create_if_missing(); }

  // Fails when there is a document with this id.
  Result<Document> create(std::string id, std::string title) {
    return documents_.create({.id = std::move(id), .title = std::move(title)}).run();
  }
  Result<std::optional<Document>> find_document(std::string_view id) {
    return documents_.get(id).run();
  }
  // Fails with StaleVersion when the document was changed since it was read.
  Result<Document> rename(Document read, std::string title) {
    read.title = std::move(title);
    return documents_.put(std::move(read)).run();
  }

  // Stores what was written on top of version `base`. Two who started from the same version want
  // the same number: the second one fails with ConditionalCheckFailed, reads the other's text and
  // starts again from there.
  Result<Version> save(std::string id, std::int64_t base, std::string author, std::string content) {
    return versions_
        .create({.document = std::move(id),
                 .number = base + 1,
                 .content = std::move(content),
                 .author = std::move(author)})
        .run();
  }

  Result<std::optional<Version>> latest(std::string_view id) {
    return versions_.query(id).newest_first().first();
  }
  Result<std::vector<Version>> versions(std::string_view id) { return versions_.query(id).all(); }
  Result<std::optional<Version>> find_version(std::string_view id, std::int64_t number) {
    return versions_.get(id, number).run();
  }

 private:
  TableOf<document_table> table_;
  RepositoryOf<document> documents_ = table_.repository<document>();
  RepositoryOf<document_version> versions_ = table_.repository<document_version>();
};

// A document of twelve versions: enough for v10 to meet v2.
inline Result<void> write_manual(Documents& documents) {
  PARTITA_CHECK(documents.create_table());
  PARTITA_CHECK(documents.create("manual", "The manual"));
  for (std::int64_t base = 0; base < 12; ++base) {
    PARTITA_CHECK(documents.save("manual", base, "ada", "Text " + std::to_string(base + 1)));
  }
  return {};
}

}  // namespace examples::documents
