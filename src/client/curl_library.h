// CurlLibrary: the functions of libcurl that are used here, from the library that is loaded when
// one of them is first needed.
//
// libcurl brings 26 libraries along, for LDAP, Kerberos and the like: linked, they would cost every
// server that calls nobody 4 MB of memory and 5 ms of its start.
#pragma once

#include <curl/curl.h>

#include "partita/result.h"

namespace partita::client {

struct CurlLibrary {
  decltype(&::curl_global_init) global_init = nullptr;
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_perform) easy_perform = nullptr;
  decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&::curl_easy_strerror) easy_strerror = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_slist_append) slist_append = nullptr;
  decltype(&::curl_slist_free_all) slist_free_all = nullptr;
  decltype(&::curl_url) url = nullptr;
  decltype(&::curl_url_set) url_set = nullptr;
  decltype(&::curl_url_get) url_get = nullptr;
  decltype(&::curl_url_cleanup) url_cleanup = nullptr;
  decltype(&::curl_free) free = nullptr;
};

// Fails, each time, where libcurl is not installed.
Result<void> load_curl();

// What load_curl has loaded.
const CurlLibrary& curl();

}  // namespace partita::client
