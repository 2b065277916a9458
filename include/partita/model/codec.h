// How a member becomes an attribute value and back.
//
//   std::string, enums (by name)        S
//   integers, float, double, Decimal    N
//   std::vector<std::byte>              B
//   bool                                BOOL
//   time points                         S in ISO 8601: "2024-06-01T12:00:00.000Z"
//   std::vector<T>                      L
//   std::map<std::string, T>, structs   M
//   std::set<T>                         SS, NS or BS; an empty one is not stored
//   std::optional<T>                    as T; an empty one is not stored
//
// An attribute that is not there leaves a member as the struct initialises it, which is how
// defaults are declared. For a type of your own specialise Codec.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "partita/model/decimal.h"
#include "partita/model/item_sink.h"
#include "partita/model/reflect.h"
#include "partita/model/time_points.h"
#include "partita/value.h"

namespace partita::model {

using Binary = std::vector<std::byte>;

// Specialise for a type the kit does not know:
//   static constexpr ValueType type;                  what it is stored as
//   static void encode(const T&, ItemSink&);          writes exactly one value
//   static bool decode(ValueView, T&);                false when the value is not a T
template <typename T>
struct Codec;

namespace detail {

template <typename T>
concept HasCodec = requires {
  Codec<T>::type;
};
template <typename T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;
template <typename T>
concept Text = std::same_as<T, std::string> || std::same_as<T, std::string_view>;

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <typename T>
inline constexpr bool is_time = false;
template <typename Duration>
inline constexpr bool is_time<std::chrono::time_point<std::chrono::system_clock, Duration>> = true;

template <typename T>
inline constexpr bool is_vector = false;
template <typename T>
inline constexpr bool is_vector<std::vector<T>> = true;

template <typename T>
concept Map = requires {
  typename T::mapped_type;
}
&&std::same_as<typename T::key_type, std::string>;
template <typename T>
concept Set = requires {
  typename T::key_type;
}
&&!requires { typename T::mapped_type; };

template <typename T>
struct Unwrapped {
  using Type = T;
};
template <typename T>
struct Unwrapped<std::optional<T>> {
  using Type = T;
};
template <typename T>
using unwrapped = typename Unwrapped<T>::Type;

// Times: text in the precision of the type. Bytes of the text are returned.
enum class TimePrecision : std::uint8_t { Day, Second, Millisecond, Microsecond, Nanosecond };
struct TimeParts {
  std::int64_t seconds;  // since 1970
  std::int32_t nanoseconds;
};
inline constexpr std::size_t kTimeTextBytesMax = 40;
// 0 when the year is not 0…9999.
std::size_t print_time(TimeParts time, TimePrecision precision, char* out);
bool parse_time(std::string_view text, TimeParts& time);

template <typename Duration>
constexpr TimePrecision precision_of() {
  using Period = typename Duration::period;
  if (std::ratio_greater_equal_v<Period, std::ratio<86400>>) return TimePrecision::Day;
  if (std::ratio_greater_equal_v<Period, std::ratio<1>>) return TimePrecision::Second;
  if (std::ratio_greater_equal_v<Period, std::milli>) return TimePrecision::Millisecond;
  if (std::ratio_greater_equal_v<Period, std::micro>) return TimePrecision::Microsecond;
  return TimePrecision::Nanosecond;
}
template <typename Time>
constexpr TimeParts time_parts(Time time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch());
  const auto rest =
      std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch() - seconds);
  return {seconds.count(), static_cast<std::int32_t>(rest.count())};
}
template <typename Time>
constexpr Time time_from(TimeParts parts) {
  using Duration = typename Time::duration;
  return Time(std::chrono::floor<Duration>(std::chrono::seconds(parts.seconds)) +
              std::chrono::duration_cast<Duration>(std::chrono::nanoseconds(parts.nanoseconds)));
}

// Numbers out of their ordered form; false when they do not fit.
bool read_integer(Bytes ordered, std::int64_t& out);
bool read_natural(Bytes ordered, std::uint64_t& out);
bool read_real(Bytes ordered, double& out);

template <Integer T>
bool read_number(Bytes ordered, T& out) {
  std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t> wide = 0;
  if constexpr (std::is_signed_v<T>) {
    if (!read_integer(ordered, wide)) return false;
  } else {
    if (!read_natural(ordered, wide)) return false;
  }
  if (!std::in_range<T>(wide)) return false;
  out = static_cast<T>(wide);
  return true;
}

inline Bytes as_bytes(const Binary& binary) {
  return {reinterpret_cast<const char*>(binary.data()), binary.size()};
}

template <typename T>
constexpr ValueType stored_type();

template <typename T>
constexpr ValueType set_type() {
  constexpr ValueType element = stored_type<T>();
  static_assert(element == ValueType::S || element == ValueType::N || element == ValueType::B,
                "a set holds strings, enums, integers, decimals or bytes");
  return element == ValueType::S   ? ValueType::SS
         : element == ValueType::N ? ValueType::NS
                                   : ValueType::BS;
}

// The type of attribute in which a T is stored.
template <typename T>
constexpr ValueType stored_type() {
  if constexpr (is_optional<T>) {
    return stored_type<unwrapped<T>>();
  } else if constexpr (HasCodec<T>) {
    return Codec<T>::type;
  } else if constexpr (Text<T> || std::is_enum_v<T> || is_time<T>) {
    return ValueType::S;
  } else if constexpr (Integer<T> || std::floating_point<T> || std::same_as<T, Decimal>) {
    return ValueType::N;
  } else if constexpr (std::same_as<T, bool>) {
    return ValueType::BOOL;
  } else if constexpr (std::same_as<T, Binary>) {
    return ValueType::B;
  } else if constexpr (is_vector<T>) {
    return ValueType::L;
  } else if constexpr (Map<T>) {
    return ValueType::M;
  } else if constexpr (Set<T>) {
    return set_type<typename T::key_type>();
  } else {
    static_assert(std::is_aggregate_v<T>,
                  "the kit does not know how to store a member of this type: use a type that "
                  "partita/model/codec.h lists, or specialise partita::model::Codec for it");
    return ValueType::M;
  }
}

template <typename T>
bool is_absent(const T& value) {
  if constexpr (is_optional<T>) {
    return !value || is_absent(*value);
  } else if constexpr (Set<T> && !HasCodec<T>) {
    return value.empty();
  } else {
    return false;
  }
}

void fail_unknown_enumerator(ItemSink& sink, std::int64_t value);
void fail_time_out_of_range(ItemSink& sink);

template <typename T>
void encode(const T& value, ItemSink& sink);

template <typename T>
void encode_fields(const T& object, ItemSink& sink) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto field = [&sink](std::string_view name, const auto& member) {
      if (is_absent(member)) return;
      sink.name(name);
      encode(member, sink);
    };
    (field(Members<T>::names[I], Members<T>::template get<I>(const_cast<T&>(object))), ...);
  }
  (std::make_index_sequence<Members<T>::count>{});
}

template <typename T>
void encode_set(const T& set, ItemSink& sink) {
  using Element = typename T::key_type;
  sink.begin_set(set_type<Element>());
  for (const Element& element : set) {
    if constexpr (Text<Element>) {
      sink.string_member(element);
    } else if constexpr (std::is_enum_v<Element>) {
      sink.string_member(Enumerators<Element>::name(element));
    } else if constexpr (std::same_as<Element, Binary>) {
      sink.binary_member(as_bytes(element));
    } else if constexpr (std::same_as<Element, Decimal>) {
      sink.ordered_number_member(element.ordered());
    } else if constexpr (std::is_signed_v<Element>) {
      sink.integer_member(element);
    } else {
      sink.natural_member(element);
    }
  }
  sink.end_set();
}

// Writes one value. An empty optional within a list is NULL.
template <typename T>
void encode(const T& value, ItemSink& sink) {
  if constexpr (is_optional<T>) {
    value ? encode(*value, sink) : sink.null();
  } else if constexpr (HasCodec<T>) {
    Codec<T>::encode(value, sink);
  } else if constexpr (Text<T>) {
    sink.string(value);
  } else if constexpr (std::same_as<T, bool>) {
    sink.boolean(value);
  } else if constexpr (std::is_enum_v<T>) {
    const std::string_view name = Enumerators<T>::name(value);
    if (name.empty()) fail_unknown_enumerator(sink, static_cast<std::int64_t>(value));
    sink.string(name);
  } else if constexpr (is_time<T>) {
    char text[kTimeTextBytesMax];
    const std::size_t length =
        print_time(time_parts(value), precision_of<typename T::duration>(), text);
    if (length == 0) fail_time_out_of_range(sink);
    sink.string({text, length});
  } else if constexpr (std::floating_point<T>) {
    sink.real(value);
  } else if constexpr (Integer<T> && std::is_signed_v<T>) {
    sink.integer(value);
  } else if constexpr (Integer<T>) {
    sink.natural(value);
  } else if constexpr (std::same_as<T, Decimal>) {
    sink.ordered_number(value.ordered());
  } else if constexpr (std::same_as<T, Binary>) {
    sink.binary(as_bytes(value));
  } else if constexpr (is_vector<T>) {
    sink.begin_list();
    for (const auto& element : value) encode<typename T::value_type>(element, sink);
    sink.end_list();
  } else if constexpr (Map<T>) {
    sink.begin_map();
    for (const auto& [name, element] : value) {
      if (is_absent(element)) continue;
      sink.name(name);
      encode(element, sink);
    }
    sink.end_map();
  } else if constexpr (Set<T>) {
    encode_set(value, sink);
  } else {
    static_assert(stored_type<T>() == ValueType::M);
    sink.begin_map();
    encode_fields(value, sink);
    sink.end_map();
  }
}

template <typename T>
bool decode(ValueView value, T& out);

template <typename T>
bool decode_fields(MapView map, T& out) {
  bool good = true;
  for (const Attribute attribute : map) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((Members<T>::names[I] == attribute.name &&
        (good = good && decode(attribute.value, Members<T>::template get<I>(out)), true)) ||
       ...);
    }
    (std::make_index_sequence<Members<T>::count>{});
  }
  return good;
}

template <typename T>
bool decode_set(ValueView value, T& out) {
  using Element = typename T::key_type;
  if (!value.is(set_type<Element>())) return false;
  out.clear();
  for (const Bytes bytes : value.set()) {
    Element element{};
    if constexpr (Text<Element>) {
      element = bytes;
    } else if constexpr (std::is_enum_v<Element>) {
      if (!Enumerators<Element>::find(bytes, element)) return false;
    } else if constexpr (std::same_as<Element, Binary>) {
      const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
      element.assign(data, data + bytes.size());
    } else if constexpr (std::same_as<Element, Decimal>) {
      element = Decimal::from_ordered(bytes);
    } else {
      if (!read_number(bytes, element)) return false;
    }
    out.insert(std::move(element));
  }
  return true;
}

// False when the value is not of the type that T is stored as, or does not fit it.
template <typename T>
bool decode(ValueView value, T& out) {
  if constexpr (is_optional<T>) {
    if (value.is(ValueType::NULL_)) return out.reset(), true;
    if (!out) out.emplace();
    return decode(value, *out);
  } else if constexpr (HasCodec<T>) {
    return Codec<T>::decode(value, out);
  } else if constexpr (Set<T>) {
    return decode_set(value, out);
  } else {
    if (!value.is(stored_type<T>())) return false;
    if constexpr (Text<T>) {
      out = value.string();
    } else if constexpr (std::same_as<T, bool>) {
      out = value.boolean();
    } else if constexpr (std::is_enum_v<T>) {
      return Enumerators<T>::find(value.string(), out);
    } else if constexpr (is_time<T>) {
      TimeParts parts;
      if (!parse_time(value.string(), parts)) return false;
      out = time_from<T>(parts);
    } else if constexpr (std::floating_point<T>) {
      double wide;
      if (!read_real(value.ordered_number(), wide)) return false;
      out = static_cast<T>(wide);
    } else if constexpr (Integer<T>) {
      return read_number(value.ordered_number(), out);
    } else if constexpr (std::same_as<T, Decimal>) {
      out = Decimal::from_ordered(value.ordered_number());
    } else if constexpr (std::same_as<T, Binary>) {
      const auto* data = reinterpret_cast<const std::byte*>(value.binary().data());
      out.assign(data, data + value.binary().size());
    } else if constexpr (is_vector<T>) {
      out.clear();
      out.reserve(value.count());
      for (const ValueView element : value.list()) {
        typename T::value_type decoded{};
        if (!element.is(ValueType::NULL_) && !decode(element, decoded)) return false;
        out.push_back(std::move(decoded));
      }
    } else if constexpr (Map<T>) {
      out.clear();
      for (const Attribute attribute : value.map()) {
        if (!decode(attribute.value, out[std::string(attribute.name)])) return false;
      }
    } else {
      return decode_fields(value.map(), out);
    }
    return true;
  }
}

// A time as DynamoDB's time to live wants it: a number of seconds since 1970.
template <typename T>
void encode_epoch(const T& value, ItemSink& sink) {
  if constexpr (is_optional<T>) {
    encode_epoch(*value, sink);
  } else if constexpr (is_time<T>) {
    sink.integer(time_parts(value).seconds);
  } else {
    encode(value, sink);
  }
}
template <typename T>
bool decode_epoch(ValueView value, T& out) {
  if constexpr (is_optional<T>) {
    if (!out) out.emplace();
    return decode_epoch(value, *out);
  } else if constexpr (is_time<T>) {
    TimeParts parts{0, 0};
    if (!value.is(ValueType::N) || !read_integer(value.ordered_number(), parts.seconds)) {
      return false;
    }
    out = time_from<T>(parts);
    return true;
  } else {
    return decode(value, out);
  }
}

}  // namespace detail
}  // namespace partita::model
