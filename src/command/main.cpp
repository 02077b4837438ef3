#include "base/memory.h"
#include "command/command_line.h"

int main(int argc, char** argv) {
  headlight::base::keep_freed_memory();
  return headlight::app::run_command_line(argc, argv);
}
