#include "partita/model/item_sink.h"

#include <charconv>
#include <cmath>
#include <memory>
#include <vector>

#include "value/item_encoding.h"
#include "value/number.h"

namespace partita::model {

struct ItemSink::Buffers {
  ItemWriter writer;
};

namespace {

// What this thread has written with and may write with again.
template <typename Buffers>
std::vector<std::unique_ptr<Buffers>>& free_buffers() {
  thread_local std::vector<std::unique_ptr<Buffers>> free;
  return free;
}

OrderedNumber natural_number(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return number_from(static_cast<std::int64_t>(value));
  }
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return *parse_number({text, static_cast<std::size_t>(end.ptr - text)});
}

}  // namespace

ItemSink::Buffers* ItemSink::take_buffers() {
  auto& free = free_buffers<Buffers>();
  if (free.empty()) return new Buffers;
  Buffers* const taken = free.back().release();
  free.pop_back();
  taken->writer.clear();
  return taken;
}

ItemSink::ItemSink() : buffers_(take_buffers()) {}
ItemSink::~ItemSink() { free_buffers<Buffers>().emplace_back(buffers_); }

void ItemSink::clear() {
  buffers_->writer.clear();
  failure_.clear();
}
void ItemSink::fail(std::string sentence) {
  if (failure_.empty()) failure_ = std::move(sentence);
}

// After a failure nothing more is written: the writer is only good for clear() then.
void ItemSink::begin_item() { buffers_->writer.begin_item(); }
void ItemSink::end_item() {
  if (!failed()) buffers_->writer.end_item();
}
void ItemSink::name(std::string_view name) {
  if (!failed()) buffers_->writer.name(name);
}
void ItemSink::string(std::string_view text) {
  if (!failed()) buffers_->writer.string(text);
}
void ItemSink::binary(Bytes bytes) {
  if (!failed()) buffers_->writer.binary(bytes);
}
void ItemSink::integer(std::int64_t value) { ordered_number(number_from(value).bytes()); }
void ItemSink::natural(std::uint64_t value) { ordered_number(natural_number(value).bytes()); }
void ItemSink::ordered_number(Bytes ordered) {
  if (!failed()) buffers_->writer.ordered_number(ordered);
}
void ItemSink::boolean(bool value) {
  if (!failed()) buffers_->writer.boolean(value);
}
void ItemSink::null() {
  if (!failed()) buffers_->writer.null();
}
void ItemSink::value(ValueView value) {
  if (!failed()) buffers_->writer.value(value);
}

void ItemSink::real(double value) {
  if (failed()) return;
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value);
  const std::string_view printed(text, static_cast<std::size_t>(end.ptr - text));
  if (!std::isfinite(value) || !buffers_->writer.number(printed)) {
    fail("the number " + std::string(printed) + " has no place in DynamoDB");
  }
}

void ItemSink::begin_map() {
  if (failed()) return;
  if (const auto begun = buffers_->writer.begin_map(); !begun) fail(begun.error().message());
}
void ItemSink::end_map() {
  if (!failed()) buffers_->writer.end_map();
}
void ItemSink::begin_list() {
  if (failed()) return;
  if (const auto begun = buffers_->writer.begin_list(); !begun) fail(begun.error().message());
}
void ItemSink::end_list() {
  if (!failed()) buffers_->writer.end_list();
}
void ItemSink::begin_set(ValueType type) {
  if (!failed()) buffers_->writer.begin_set(type);
}
void ItemSink::string_member(std::string_view text) {
  if (!failed()) buffers_->writer.string_member(text);
}
void ItemSink::binary_member(Bytes bytes) {
  if (!failed()) buffers_->writer.binary_member(bytes);
}
void ItemSink::integer_member(std::int64_t value) {
  ordered_number_member(number_from(value).bytes());
}
void ItemSink::natural_member(std::uint64_t value) {
  ordered_number_member(natural_number(value).bytes());
}
void ItemSink::ordered_number_member(Bytes ordered) {
  if (!failed()) buffers_->writer.ordered_number_member(ordered);
}
void ItemSink::end_set() {
  if (failed()) return;
  if (const auto ended = buffers_->writer.end_set(); !ended) fail(ended.error().message());
}

ItemView ItemSink::item() const { return buffers_->writer.item(); }
ValueView ItemSink::value() const { return buffers_->writer.value(); }

}  // namespace partita::model
