// Pages read their numbers by name: in tests, as in the program, from what is computed.
#pragma once

#include <utility>

#include "kit/page_input.h"
#include "pages/quantities.h"

namespace headlight::views {

inline PageInput with_numbers(PageInput in) {
  in.numbers = scene::read_quantity;
  return in;
}

}  // namespace headlight::views
