// A page in words: what its pictures show, for a screen reader, an e-mail or a terminal. The numbers come
// from the results. Tested in tests/pictures/describe_test.cpp.
#pragma once

#include <string>

#include "kit/page_input.h"
#include "session/session.h"

namespace headlight::app {

/// Describes the open page: its name, its subject, the settings that matter, its important numbers, and the
/// pins. `keys` is the number of strongest keys for each query.
std::string describe_page(const views::PageInput& in, int keys);

/// The same for a session, with what it has measured and trained.
std::string describe_session(const Session& session, int keys);

}  // namespace headlight::app
