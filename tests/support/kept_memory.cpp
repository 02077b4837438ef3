// Every test program keeps its freed memory, as the program itself does.
#include "base/memory.h"

namespace headlight::tests {
namespace {

[[maybe_unused]] const bool kept = (base::keep_freed_memory(), true);

}  // namespace
}  // namespace headlight::tests
