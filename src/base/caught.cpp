#include "base/caught.h"

#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/one_line.h"

namespace headlight::base {

std::string caught_words() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return "there is not enough memory";
  } catch (const std::length_error&) {
    return "there is not enough memory";
  } catch (const std::system_error& error) {
    // Only starting a thread can fail this way: file errors carry their own messages.
    if (error.code() == std::errc::resource_unavailable_try_again)
      return "no more threads can be started: the system’s process limit is reached (ulimit -u); close other "
             "programs or raise it";
    return one_line(error.what());
  } catch (const std::exception& error) {
    return one_line(error.what());
  } catch (...) {
    return "unknown error";
  }
}

bool caught_out_of_memory() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const std::length_error&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace headlight::base
