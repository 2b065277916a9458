// Ref<T>: an owner of an object that counts its owners in itself.
//
// Rows, tree nodes and spaces are shared between the live engine, its views and its forks. A writer
// may change an object in place only while it is the sole owner, so a count of one, read by an
// owner, is the permission to write.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace partita {

class ReferenceCount {
 public:
  ReferenceCount() = default;
  ReferenceCount(const ReferenceCount&) {}  // a copy of an object has owners of its own
  ReferenceCount& operator=(const ReferenceCount&) = delete;

  void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }

  // True when the caller was the last owner and must destroy the object. Nobody can gain a
  // reference from a sole owner but that owner, so the common case needs no read-modify-write.
  bool release() const { return sole() || count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  bool sole() const { return count_.load(std::memory_order_acquire) == 1; }

 private:
  mutable std::atomic<std::uint32_t> count_ = 1;
};

// T has a member `references` and a static destroy(T*). A T is made with one owner.
template <typename T>
void release(T* object) {
  if (object != nullptr && object->references.release()) T::destroy(object);
}

template <typename T>
class Ref {
 public:
  Ref() = default;
  static Ref adopt(T* object) { return Ref(object); }  // takes over the caller's reference
  static Ref share(T* object) {
    if (object != nullptr) object->references.retain();
    return Ref(object);
  }
  Ref(const Ref& other) : Ref(share(other.object_)) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { release(object_); }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  T* detach() { return std::exchange(object_, nullptr); }

 private:
  explicit Ref(T* object) : object_(object) {}

  T* object_ = nullptr;
};

}  // namespace partita
