// Can two key templates make the same key?
#pragma once

#include "partita/model/key_template.h"

namespace partita::model {

// True when some values make both keys equal. Values of templates hold no '#' (it is escaped), so
// "DINO#{id}" never meets "EXP#{id}", nor "A#{x}" "A#{x}#{y}"; a member that is a key attribute
// itself may hold anything.
bool keys_can_be_equal(const KeyTemplate& one, const KeyTemplate& other);

}  // namespace partita::model
