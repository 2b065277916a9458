#include "client/curl_library.h"

#include <string>

#include <dlfcn.h>

namespace partita::client {
namespace {

struct Loading {
  CurlLibrary library;
  std::string problem;  // empty: it is loaded
};

Loading load() {
  Loading loading;
  void* const file = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  const auto take = [&](auto& function, const char* name) {
    if (file != nullptr) function = reinterpret_cast<decltype(+function)>(::dlsym(file, name));
    if (function != nullptr || !loading.problem.empty()) return;
    const char* const why = ::dlerror();
    loading.problem = std::string("libcurl is needed to call others and cannot be loaded (") +
                      (why != nullptr ? why : name) + "); install libcurl4.";
  };
  CurlLibrary& library = loading.library;
  take(library.global_init, "curl_global_init");
  take(library.easy_init, "curl_easy_init");
  take(library.easy_setopt, "curl_easy_setopt");
  take(library.easy_perform, "curl_easy_perform");
  take(library.easy_getinfo, "curl_easy_getinfo");
  take(library.easy_strerror, "curl_easy_strerror");
  take(library.easy_cleanup, "curl_easy_cleanup");
  take(library.slist_append, "curl_slist_append");
  take(library.slist_free_all, "curl_slist_free_all");
  take(library.url, "curl_url");
  take(library.url_set, "curl_url_set");
  take(library.url_get, "curl_url_get");
  take(library.url_cleanup, "curl_url_cleanup");
  take(library.free, "curl_free");
  if (loading.problem.empty() && library.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    loading.problem = "libcurl cannot start.";
  }
  return loading;
}

const Loading& loaded() {
  static const Loading once = load();
  return once;
}

}  // namespace

Result<void> load_curl() {
  if (loaded().problem.empty()) return {};
  return Error(ErrorCode::CannotOpen, loaded().problem);
}

const CurlLibrary& curl() { return loaded().library; }

}  // namespace partita::client
