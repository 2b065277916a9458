#include "server/content_coding.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include <libdeflate.h>

#include "base/ascii_text.h"
#include "server/http_parser.h"

namespace partita {
namespace {

struct Free {
  void operator()(libdeflate_decompressor* made) const { libdeflate_free_decompressor(made); }
  void operator()(libdeflate_compressor* made) const { libdeflate_free_compressor(made); }
};

// Cuts what stands before the next `separator` off the front of `rest`.
std::string_view next_part(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return trimmed(part);
}

// Of "q=0.5;…": what follows the first "q=" counts, whatever stands before it ("nq=0" is a weight,
// "q =0" is none); if that is no number it is as if there were none.
double weight_in(std::string_view parameters) {
  const std::size_t start = parameters.find("q=");
  if (start == std::string_view::npos) return 1;
  parameters.remove_prefix(start + 2);
  const std::string_view value = next_part(parameters, ';');
  double weight = 1;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), weight);
  if (read.ec != std::errc() || read.ptr != value.data() + value.size()) return 1;
  return std::min(weight, 1.0);
}

// How much a coding is wanted, and by which entry of the list.
struct Wish {
  double weight = -1;  // not mentioned
  int place = 0;
};

void note(Wish& wish, double weight, int place) {
  if (weight > wish.weight) wish = {weight, place};
}

std::unique_ptr<libdeflate_decompressor, Free> new_decompressor() {
  std::unique_ptr<libdeflate_decompressor, Free> made(libdeflate_alloc_decompressor());
  if (made == nullptr) throw std::bad_alloc();
  return made;
}

// One member of gzip, or all of deflate, appended to `out`; `used` says how much of `body` it was.
libdeflate_result decode_piece(libdeflate_decompressor& decompressor, ContentCoding coding,
                               std::string_view body, std::size_t& used, std::size_t room,
                               TextBuffer& out) {
  std::size_t written = 0;
  char* const to = out.room(room);
  const libdeflate_result result =
      coding == ContentCoding::Gzip
          ? libdeflate_gzip_decompress_ex(&decompressor, body.data(), body.size(), to, room, &used,
                                          &written)
          : libdeflate_zlib_decompress_ex(&decompressor, body.data(), body.size(), to, room, &used,
                                          &written);
  if (result == LIBDEFLATE_SUCCESS) out.set_size(out.size() + written);
  return result;
}

}  // namespace

std::string_view coding_name(ContentCoding coding) {
  switch (coding) {
    case ContentCoding::Gzip:
      return "gzip";
    case ContentCoding::Deflate:
      return "deflate";
    case ContentCoding::Identity:
      break;
  }
  return "identity";
}

std::optional<ContentCoding> find_coding(std::string_view content_encoding) {
  for (const ContentCoding coding :
       {ContentCoding::Gzip, ContentCoding::Deflate, ContentCoding::Identity}) {
    if (equals_ignoring_case(content_encoding, coding_name(coding))) return coding;
  }
  if (content_encoding.empty()) return ContentCoding::Identity;
  return std::nullopt;
}

ContentCoding chosen_coding(std::string_view accept_encoding) {
  Wish gzip, deflate, any;
  for (int place = 0; !accept_encoding.empty(); ++place) {
    std::string_view parameters = next_part(accept_encoding, ',');
    const std::string_view name = next_part(parameters, ';');
    const double weight = weight_in(parameters);
    if (name == "*") note(any, weight, place);
    const auto coding = find_coding(name);
    if (coding == ContentCoding::Gzip) note(gzip, weight, place);
    if (coding == ContentCoding::Deflate) note(deflate, weight, place);
  }
  constexpr int kAfterAll = 1'000'000;
  if (gzip.weight < 0) gzip = {any.weight, kAfterAll};
  if (deflate.weight < 0) deflate = {any.weight, kAfterAll + 1};
  if (gzip.weight <= 0 && deflate.weight <= 0) return ContentCoding::Identity;
  const bool gzip_wins =
      gzip.weight > deflate.weight || (gzip.weight == deflate.weight && gzip.place < deflate.place);
  return gzip_wins ? ContentCoding::Gzip : ContentCoding::Deflate;
}

Decoding decode_content(ContentCoding coding, std::string_view body, std::size_t bytes_max,
                        TextBuffer& out) {
  constexpr std::size_t kRoomFirst = 64 * 1024;
  const auto decompressor = new_decompressor();
  std::size_t room_wanted = std::max(kRoomFirst, body.size() * 4);
  for (bool first = true; first || !body.empty(); first = false) {
    std::size_t used = 0;
    libdeflate_result result;
    // The room grows until the piece fits, so that a small body cannot take much memory unless it
    // has much to say, and then no more than the limit.
    while (true) {
      const std::size_t left = bytes_max - out.size();
      const std::size_t room = std::min(room_wanted, left);
      result = decode_piece(*decompressor, coding, body, used, room, out);
      if (result != LIBDEFLATE_INSUFFICIENT_SPACE) break;
      if (room == left) return Decoding::TooLarge;
      room_wanted *= 4;
    }
    if (result != LIBDEFLATE_SUCCESS) return first ? Decoding::Malformed : Decoding::Done;
    if (coding == ContentCoding::Deflate) break;
    body.remove_prefix(used);
  }
  return Decoding::Done;
}

bool encode_content(ContentCoding coding, std::size_t start, TextBuffer& out) {
  constexpr int kFastestLevel = 1;  // an event loop waits for it
  // Kept: it is some hundred kilobytes.
  thread_local const std::unique_ptr<libdeflate_compressor, Free> compressor(
      libdeflate_alloc_compressor(kFastestLevel));
  if (compressor == nullptr) return false;
  const std::string_view plain = out.view().substr(start);
  TextBuffer coded;
  char* const to = coded.room(plain.size());
  const std::size_t size =
      coding == ContentCoding::Gzip
          ? libdeflate_gzip_compress(compressor.get(), plain.data(), plain.size(), to, plain.size())
          : libdeflate_zlib_compress(compressor.get(), plain.data(), plain.size(), to,
                                     plain.size());
  if (size == 0) return false;
  coded.set_size(size);
  out.set_size(start);
  out.append(coded.view());
  return true;
}

}  // namespace partita
