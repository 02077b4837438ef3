// The kernels without intrinsics, for processors other than x86-64 and as a check on the others.
#define HEADLIGHT_KERNELS kernels_generic
#define HEADLIGHT_LEVEL 0
#define HEADLIGHT_NAME "generic"
#define HEADLIGHT_LEVEL_NAME "generic"
#include "kernels/kernels_table.h"
