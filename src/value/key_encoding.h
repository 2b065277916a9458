// Keys as ordered bytes: memcmp order is DynamoDB's order.
//
//   key    := component*
//   N      := ordered-number                       (value/number.h; starts with 0x11, 0x12 or 0x13)
//   S      := 0x21 escaped 0x00 0x01               escaped: each 0x00 becomes 0x00 0xFF
//   B      := 0x22 escaped 0x00 0x01
//
// Components delimit themselves: no component is a proper prefix of another (the terminator has two
// bytes because "a" ending in a lone 0x00 would be a prefix of "a\0…"). So a tuple is the
// concatenation of its components, the tuples that start with given components are exactly the byte
// strings that start with their bytes, and begins_with on the last component is a byte range.
#pragma once

#include <cstdint>
#include <string>

#include "partita/item.h"
#include "partita/result.h"

namespace partita {

// `value` is S, N or B.
void append_key_component(ValueView value, std::string& out);
// The bytes all components share that begin with this S or B: the component without its terminator.
void append_key_prefix(ValueView value, std::string& out);

// The first byte string after all that start with `prefix`; empty if there is none (all 0xFF).
std::string after_prefix(Bytes prefix);

// Reads the first component of `key` and moves `key` past it; fails on bytes that are no key.
Result<Value> read_key_component(Bytes& key);

// XXH3 64-bit with seed 0 over an encoded partition key. Stored: it decides where rows live.
std::uint64_t partition_hash(Bytes partition_key);

}  // namespace partita
