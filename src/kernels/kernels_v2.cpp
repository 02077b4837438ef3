// The kernels for SSE4.2. CMakeLists.txt gives the flags.
#define HEADLIGHT_KERNELS kernels_v2
#define HEADLIGHT_LEVEL 2
#define HEADLIGHT_NAME "x86-64-v2"
#define HEADLIGHT_LEVEL_NAME "v2"
#include "kernels/kernels_table.h"
