// Included at the end of each kernels_*.cpp: the table of what that file compiled.
#pragma once

#include "kernels/kernels.h"
#include "kernels/kernels_attention.h"
#include "kernels/kernels_elements.h"
#include "kernels/kernels_gradients.h"
#include "kernels/kernels_matrix.h"
#include "kernels/kernels_rows.h"
#include "kernels/kernels_vector.h"

namespace headlight::nn::HEADLIGHT_KERNELS {

extern const Kernels table;
const Kernels table = {HEADLIGHT_NAME,
                       HEADLIGHT_LEVEL_NAME,
                       panel,
                       pack,
                       pack_transposed,
                       product,
                       row_dots,
                       row_sum,
                       attention,
                       softmax,
                       sinusoid,
                       distances,
                       transposed,
                       head_gradient,
                       norm,
                       norm_gradient,
                       activate,
                       activation_gradient,
                       column_sums,
                       adam};

}  // namespace headlight::nn::HEADLIGHT_KERNELS
