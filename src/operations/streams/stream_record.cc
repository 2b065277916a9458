#include "operations/streams/stream_record.h"

#include <cassert>

#include "value/fingerprint.h"
#include "value/item_encoding.h"

namespace partita {
namespace {

Item keys_of(ItemView item, const KeySchema& schema) {
  Item keys;
  for (const auto* attributes : {&schema.partition, &schema.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      if (const auto value = item.find(attribute.name)) keys.set(attribute.name, *value);
    }
  }
  return keys;
}

// 32 hexadecimal digits, the same each time the record is read.
std::string event_id(std::string_view stream_arn, std::string_view sequence_number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const Fingerprint print =
      fingerprint_of(std::string(stream_arn).append("|").append(sequence_number));
  std::string id;
  for (const char byte : print) {
    id.push_back(kDigits[static_cast<unsigned char>(byte) >> 4]);
    id.push_back(kDigits[static_cast<unsigned char>(byte) & 15]);
  }
  return id;
}

bool shows_old_image(StreamViewType view) {
  return view == StreamViewType::OldImage || view == StreamViewType::NewAndOldImages;
}
bool shows_new_image(StreamViewType view) {
  return view == StreamViewType::NewImage || view == StreamViewType::NewAndOldImages;
}

}  // namespace

Result<StreamRecord> shown_record(const StreamSchema& stream, const KeptRecord& kept,
                                  std::string_view region) {
  PARTITA_TRY(const ChangeRecord change, decode_change(kept.bytes));
  if (!change.before && !change.after) {
    return Error::internal("A record of the change log is damaged.");
  }
  StreamRecord record;
  record.event_name = !change.before  ? StreamEventName::Insert
                      : !change.after ? StreamEventName::Remove
                                      : StreamEventName::Modify;
  record.aws_region = region;
  record.approximate_creation_seconds =
      std::chrono::floor<std::chrono::seconds>(change.time).time_since_epoch().count();
  record.keys = keys_of(change.after ? *change.after : *change.before, stream.key);
  record.size_bytes = record.keys.view().size_bytes();
  if (change.after && shows_new_image(stream.view_type)) {
    record.new_image = Item(*change.after);
    record.size_bytes += change.after->size_bytes();
  }
  if (change.before && shows_old_image(stream.view_type)) {
    record.old_image = Item(*change.before);
    record.size_bytes += change.before->size_bytes();
  }
  record.sequence_number = sequence_number(kept.position);
  record.event_id = event_id(stream.arn, record.sequence_number);
  record.stream_view_type = stream.view_type;
  record.by_expiry = change.by_expiry;
  return record;
}

}  // namespace partita
