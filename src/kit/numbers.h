// Numbers as the pages write them: short names for the functions of base/numbers.h.
#pragma once

#include "base/numbers.h"

namespace headlight::views {

using base::brief;
using base::byte_words;
using base::fixed;
using base::mean_weight_text;
using base::ms_words;
using base::nice_ceiling;
using base::residual_text;
using base::signed_text;
using base::weight_in_cell;
using base::weight_text;
using base::with_commas;

}  // namespace headlight::views
