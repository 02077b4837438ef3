// The end of each kernels_*.cpp: the table of what that file compiled.
#pragma once

#include "nn/kernels.h"
#include "nn/kernels_attention.h"
#include "nn/kernels_matrix.h"
#include "nn/kernels_rows.h"

namespace headlight::nn::HEADLIGHT_KERNELS {

extern const Kernels table;
const Kernels table = {
    HEADLIGHT_NAME, HEADLIGHT_LEVEL_NAME, panel, pack, pack_transposed, product, attention, softmax, sinusoid,
    distances};

}  // namespace headlight::nn::HEADLIGHT_KERNELS
