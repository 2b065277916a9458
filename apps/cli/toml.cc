#define TOML_IMPLEMENTATION
#include "cli/toml.h"
