#include "base/memory_reserve.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace partita {
namespace {

std::atomic<bool> installed = false;

}  // namespace

MemoryReserve::State::~State() {
  while (count > 0) std::free(blocks[--count]);
}

void MemoryReserve::install() {
  std::set_new_handler(&on_failed_allocation);
  installed = true;
}

bool MemoryReserve::refill() {
  if (!installed.load(std::memory_order_relaxed)) return true;
  State& state = state_of_thread();
  while (state.count < kBlocks) {
    void* const block = std::malloc(kBlockBytes);  // not new: that would call our handler
    if (block == nullptr) return false;
    state.blocks[state.count++] = block;
  }
  return true;
}

void MemoryReserve::on_failed_allocation() {
  State& state = state_of_thread();
  if (state.count == 0) throw std::bad_alloc();
  std::free(state.blocks[--state.count]);  // and the allocation is tried again
}

}  // namespace partita
