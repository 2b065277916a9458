// Prints a table item by item, as the drawings in books on single-table design do: the keys first,
// then every other attribute; and each of its indexes.
#pragma once

#include <iosfwd>
#include <string_view>

#include "partita/api.h"

namespace examples {

partita::Result<void> print_table(partita::Api& api, std::string_view table_name,
                                  std::ostream& out);

// The main function of an example: runs it on a database in this process, prints its table, and
// says what went wrong if something did.
int run_example(std::string_view table_name, partita::Result<void> (*example)(partita::Api&));

}  // namespace examples
