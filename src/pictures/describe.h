// A page in words: what a picture shows, for a screen reader, a mail, or a terminal. Numbers are those of the
// results. Tested in tests/pictures/describe_test.cpp.
#pragma once

#include <string>

#include "kit/page_input.h"
#include "session/session.h"

namespace headlight::app {

/// The open page: its name, what it is about, its settings that matter, its important numbers, and what is
/// pinned. `keys`: of each query's strongest keys so many.
std::string describe_page(const views::PageInput& in, int keys);

/// The same of a session, with what it has measured and trained.
std::string describe_session(const Session& session, int keys);

}  // namespace headlight::app
