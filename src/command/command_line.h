// The program called with arguments instead of a mouse: the window, pictures, numbers, text. Tested in
// tests/command/command_line_test.cpp, which runs the program.
#pragma once

namespace headlight::app {

/// The whole program. Answers go to standard output; an error is one line on standard error that begins with
/// "headlight: ". Returns the exit status: 0 done, 1 an external failure (a file, a picture), 2 wrong
/// arguments.
int run_command_line(int argc, char** argv);

}  // namespace headlight::app
