#include "storage/memory/row_room.h"

#include <array>
#include <new>

namespace partita::memory {
namespace {

// What is kept: sizes that malloc is slow with, in classes, up to a sum that nobody will miss.
constexpr std::size_t kBytesMin = 1024, kBytesMax = 4096, kClassBytes = 32;
constexpr std::size_t kClasses = (kBytesMax - kBytesMin) / kClassBytes;
constexpr std::size_t kKeptBytesMax = 256 * 1024;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kKeeps = false;  // they shall see what is freed
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kKeeps = false;
#else
constexpr bool kKeeps = true;
#endif
#else
constexpr bool kKeeps = true;
#endif

struct Free {
  Free* next;
};

// Without constructor and destructor, so that it can be used until the thread's very end.
struct Kept {
  std::array<Free*, kClasses> first;
  std::size_t bytes;
  bool cleaned_up_later;  // somebody will
  bool closed;            // somebody has
};
constinit thread_local Kept kept{};

struct CleanUp {
  ~CleanUp() {
    kept.closed = true;
    for (Free* free : kept.first) {
      while (free != nullptr) {
        Free* const next = free->next;
        ::operator delete(free);
        free = next;
      }
    }
  }
};

constexpr bool is_kept(std::size_t bytes) {
  return kKeeps && bytes > kBytesMin && bytes <= kBytesMax;
}
constexpr std::size_t class_of(std::size_t bytes) { return (bytes - kBytesMin - 1) / kClassBytes; }
constexpr std::size_t bytes_of(std::size_t size_class) {
  return kBytesMin + (size_class + 1) * kClassBytes;
}
static_assert(class_of(kBytesMin + 1) == 0 && class_of(kBytesMax) == kClasses - 1);

}  // namespace

void* RowRoom::take(std::size_t bytes) {
  if (!is_kept(bytes)) return ::operator new(bytes);
  const std::size_t size_class = class_of(bytes);
  Free* const free = kept.first[size_class];
  if (free == nullptr) return ::operator new(bytes_of(size_class));
  kept.first[size_class] = free->next;
  kept.bytes -= bytes_of(size_class);
  return free;
}

void RowRoom::give_back(void* room, std::size_t bytes) {
  if (!is_kept(bytes)) return ::operator delete(room);
  const std::size_t size_class = class_of(bytes);
  if (kept.closed || kept.bytes + bytes_of(size_class) > kKeptBytesMax) {
    return ::operator delete(room);
  }
  if (!kept.cleaned_up_later) {
    static thread_local CleanUp at_end_of_thread;
    kept.cleaned_up_later = true;
  }
  kept.first[size_class] = new (room) Free{kept.first[size_class]};
  kept.bytes += bytes_of(size_class);
}

}  // namespace partita::memory
