// A disk whose syncs fail while the file named by FAILING_SYNC exists. Loaded into the server by
// LD_PRELOAD.
#include <cerrno>
#include <cstdlib>

#include <dlfcn.h>
#include <unistd.h>

namespace {

bool syncs_fail() {
  const char* const name = std::getenv("FAILING_SYNC");
  return name != nullptr && ::access(name, F_OK) == 0;
}

int sync_with(const char* function, int file) {
  if (syncs_fail()) {
    errno = EIO;
    return -1;
  }
  return reinterpret_cast<int (*)(int)>(::dlsym(RTLD_NEXT, function))(file);
}

}  // namespace

extern "C" int fsync(int file) { return sync_with("fsync", file); }
extern "C" int fdatasync(int file) { return sync_with("fdatasync", file); }
