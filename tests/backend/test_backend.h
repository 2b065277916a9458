// What the tests of the kit and of its examples run against: a database in this process, or, where
// the environment says PARTITA_TEST_BACKEND=http, the same behind a server and client::Endpoint.
#pragma once

#include <memory>

#include "partita/api.h"

namespace partita {

class TestBackend {
 public:
  TestBackend();
  ~TestBackend();

  Api& operator*() const;
  Api* operator->() const { return &**this; }

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace partita
