// The kernels for AVX2 and FMA. CMakeLists.txt gives the flags.
#define HEADLIGHT_KERNELS kernels_v3
#define HEADLIGHT_LEVEL 3
#define HEADLIGHT_NAME "x86-64-v3"
#define HEADLIGHT_LEVEL_NAME "v3"
#include "kernels/kernels_table.h"
