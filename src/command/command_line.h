// What the program does when it is called with words instead of a mouse: the window, pictures, numbers, text.
// Tested in tests/command/command_line_test.cpp, which runs the program.
#pragma once

namespace headlight::app {

/// The whole program. Answers go to standard output; what went wrong is one line on standard error that
/// begins with "headlight: ". Returns the exit status: 0 done, 1 the world was in the way (a file, a
/// picture), 2 the words were wrong.
int run_command_line(int argc, char** argv);

}  // namespace headlight::app
