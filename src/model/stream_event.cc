// The JSON of stream records as Lambda gets them:
//
//   {"Records": [{"eventID": …, "eventName": "INSERT", "awsRegion": …, "userIdentity": …,
//                 "dynamodb": {"Keys": {…}, "NewImage": {…}, "SequenceNumber": …, …}}]}
#include <memory_resource>

#include "partita/model/change.h"

#include "formats/json_reader.h"
#include "formats/typed_json.h"
#include "formats/value_json.h"

namespace partita::model {
namespace {

class EventReader {
 public:
  explicit EventReader(std::string_view body) : json_(&memory_), writer_(&memory_) {
    json_.open(body);
  }

  Result<std::vector<StreamRecord>> read() {
    json_.enter_object();
    for (std::string_view name; json_.next_member(name);) {
      if (name != "Records") {
        json_.skip_value();
        continue;
      }
      json_.enter_array();
      while (json_.next_element()) read_record(records_.emplace_back());
    }
    auto done = json_.finish();
    if (!done || error_) return Error::validation("this is no event of stream records");
    return std::move(records_);
  }

 private:
  void read_record(StreamRecord& record) {
    json_.enter_object();
    for (std::string_view name; json_.next_member(name);) {
      if (json_.read_null()) continue;
      if (name == "eventID") {
        record.event_id = json_.read_string();
      } else if (name == "eventName") {
        const std::string_view event = json_.read_string();
        record.event_name = event == "INSERT"   ? StreamEventName::Insert
                            : event == "MODIFY" ? StreamEventName::Modify
                                                : StreamEventName::Remove;
        if (event != "REMOVE" && record.event_name == StreamEventName::Remove) error_ = true;
      } else if (name == "awsRegion") {
        record.aws_region = json_.read_string();
      } else if (name == "dynamodb") {
        read_change(record);
      } else if (name == "userIdentity") {
        record.by_expiry = read_is_expiry();
      } else {
        json_.skip_value();
      }
    }
  }

  void read_change(StreamRecord& record) {
    json_.enter_object();
    for (std::string_view name; json_.next_member(name);) {
      if (json_.read_null()) continue;
      if (name == "Keys") {
        record.keys = read_item();
      } else if (name == "NewImage") {
        record.new_image = read_item();
      } else if (name == "OldImage") {
        record.old_image = read_item();
      } else if (name == "SequenceNumber") {
        record.sequence_number = json_.read_string();
      } else if (name == "SizeBytes") {
        record.size_bytes = read_long(json_);
      } else if (name == "ApproximateCreationDateTime") {
        record.approximate_creation_seconds = read_long(json_);
      } else if (name == "StreamViewType") {
        record.stream_view_type = view_type(json_.read_string());
      } else {
        json_.skip_value();
      }
    }
  }
  static StreamViewType view_type(std::string_view text) {
    return text == "NEW_AND_OLD_IMAGES" ? StreamViewType::NewAndOldImages
           : text == "NEW_IMAGE"        ? StreamViewType::NewImage
           : text == "OLD_IMAGE"        ? StreamViewType::OldImage
                                        : StreamViewType::KeysOnly;
  }

  Item read_item() {
    writer_.clear();
    ValueJsonReader values(json_, writer_, &memory_);
    values.read_item();
    error_ |= values.error().has_value();
    return error_ || json_.failed() ? Item() : Item(writer_.item());
  }

  bool read_is_expiry() {
    bool service = false, database = false;
    json_.enter_object();
    for (std::string_view name; json_.next_member(name);) {
      const std::string_view text = json_.read_string();
      service |= (name == "type" || name == "Type") && text == "Service";
      database |=
          (name == "principalId" || name == "PrincipalId") && text == "dynamodb.amazonaws.com";
    }
    return service && database;
  }

  std::pmr::monotonic_buffer_resource memory_;
  JsonReader json_;
  ItemWriter writer_;
  std::vector<StreamRecord> records_;
  bool error_ = false;
};

}  // namespace

Result<std::vector<StreamRecord>> parse_stream_event(std::string_view json) {
  std::string padded(json);
  padded.append(kJsonPaddingBytes, ' ');
  return EventReader(std::string_view(padded).substr(0, json.size())).read();
}

}  // namespace partita::model
