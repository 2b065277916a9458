// Chunked request bodies, decoded in place as they arrive.
//
//   body  := { size [";" extension] CRLF data CRLF }  "0" [";" extension] CRLF { trailer CRLF }
//   CRLF size  := 1-8 hexadecimal digits
//
// Data moves down over the chunk headers, so a decoded body lies in one piece where the encoded one
// began, and needs no memory of its own. Extensions and trailers are bounded and dropped.
#pragma once

#include <cstddef>
#include <cstdint>

namespace partita {

class ChunkedBody {
 public:
  enum class Progress : std::uint8_t { NeedMore, Complete, Malformed, TooLarge };

  void reset(std::size_t body_bytes_max);

  // `bytes`: encoded bytes not consumed yet, which start where the decoded body ends so far. Moves
  // data down, and sets `decoded` (how many body bytes now stand at `bytes`) and `consumed` (how
  // many encoded bytes were used up, so that what follows starts at bytes + consumed).
  Progress decode(char* bytes, std::size_t size, std::size_t& decoded, std::size_t& consumed);

 private:
  enum class State : std::uint8_t {
    SizeFirst,
    Size,
    Extension,
    SizeLf,
    Data,
    DataCr,
    DataLf,
    TrailerStart,
    TrailerName,
    Trailer,
    TrailerLf,
    EndLf,
    Done
  };

  // One byte of framing (anything but data).
  Progress step(char c);
  Progress end_size_line();

  State state_ = State::SizeFirst;
  std::size_t chunk_left_ = 0;
  std::size_t size_digits_ = 0;
  std::size_t framing_left_ = 0;  // extension and trailer bytes still tolerated
  std::size_t body_left_ = 0;
};

}  // namespace partita
