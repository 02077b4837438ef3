// The base of what one page computes for itself beside the results that all pages share (results.h).
#pragma once

#include <vector>

namespace headlight::scene {

/// Derived in the folder of each page that computes something of its own; see Results::own_as().
struct PageResults {
  virtual ~PageResults() = default;
  /// Bytes of its maps and stages of another program's model.
  virtual double bytes() const { return 0; }
  /// The token in each position where the page lets tokens be moved; else nothing.
  virtual std::vector<int> shown_order() const { return {}; }
};

}  // namespace headlight::scene
