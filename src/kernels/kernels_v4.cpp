// The kernels for AVX-512 (F, BW, CD, DQ, VL). CMakeLists.txt gives the flags.
#define HEADLIGHT_KERNELS kernels_v4
#define HEADLIGHT_LEVEL 4
#define HEADLIGHT_NAME "x86-64-v4"
#define HEADLIGHT_LEVEL_NAME "v4"
#include "kernels/kernels_table.h"
