#include "app/command_line.h"
#include "base/memory.h"

int main(int argc, char** argv) {
  headlight::base::keep_freed_memory();
  return headlight::app::run_command_line(argc, argv);
}
