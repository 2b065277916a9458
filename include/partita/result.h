// Result<T>: a T, or the Error that explains why there is none.
//
// A subset of std::expected under the same names, to become an alias for it one day. Failure is an
// ordinary value here: a failed condition is how applications take locks.
#pragma once

#include <cassert>
#include <new>
#include <type_traits>
#include <utility>

#include "partita/error.h"

namespace partita {

template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : has_value_(true) { new (&value_) T(std::move(value)); }  // NOLINT: implicit
  Result(Error error) : has_value_(false) { new (&error_) Error(std::move(error)); }  // NOLINT
  template <typename U>
  requires(std::is_convertible_v<U&&, T> && !std::is_same_v<std::remove_cvref_t<U>, T> &&
           !std::is_same_v<std::remove_cvref_t<U>, Error> &&
           !std::is_same_v<std::remove_cvref_t<U>, Result>) Result(U&& value)
      : has_value_(true) {  // NOLINT: implicit
    new (&value_) T(std::forward<U>(value));
  }

  Result(Result&& other) noexcept : has_value_(other.has_value_) {
    if (has_value_) {
      new (&value_) T(std::move(other.value_));
    } else {
      new (&error_) Error(std::move(other.error_));
    }
  }
  Result& operator=(Result&& other) noexcept {
    if (this != &other) {
      this->~Result();
      new (this) Result(std::move(other));
    }
    return *this;
  }
  ~Result() {
    if (has_value_) {
      value_.~T();
    } else {
      error_.~Error();
    }
  }

  bool has_value() const { return has_value_; }
  explicit operator bool() const { return has_value_; }

  T& value() & { return assert(has_value_), value_; }
  const T& value() const& { return assert(has_value_), value_; }
  T&& value() && { return assert(has_value_), std::move(value_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & { return assert(!has_value_), error_; }
  const Error& error() const& { return assert(!has_value_), error_; }
  Error&& error() && { return assert(!has_value_), std::move(error_); }

 private:
  bool has_value_;
  union {
    T value_;
    Error error_;
  };
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  void value() const { assert(has_value()); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace partita

#define PARTITA_CONCAT_(a, b) a##b
#define PARTITA_CONCAT(a, b) PARTITA_CONCAT_(a, b)

// PARTITA_TRY(auto x, f()):  x is f()'s value, or the enclosing function returns f()'s error.
// PARTITA_CHECK(f()):        the same for a call whose value is not wanted.
#define PARTITA_TRY(declaration, expression) \
  PARTITA_TRY_(declaration, expression, PARTITA_CONCAT(partita_try_, __COUNTER__))
#define PARTITA_TRY_(declaration, expression, result) \
  auto result = (expression);                         \
  if (!result.has_value()) [[unlikely]]               \
    return std::move(result).error();                 \
  declaration = std::move(result).value()
#define PARTITA_CHECK(expression) \
  PARTITA_CHECK_(expression, PARTITA_CONCAT(partita_check_, __COUNTER__))
#define PARTITA_CHECK_(expression, result)                            \
  do {                                                                \
    if (auto result = (expression); !result.has_value()) [[unlikely]] \
      return std::move(result).error();                               \
  } while (false)
