#include "dumps/row_check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/numbers.h"
#include "base/one_line.h"
#include "base/parallel.h"

namespace headlight::dumps {

namespace {

/// "NaN", "infinite".
const char* kind_of(double value) {
  return std::isnan(value) ? "NaN" : "infinite";
}

std::string many(long long count, const char* what) {
  return base::with_commas(count) + " " + what + (count == 1 ? "" : "s");
}

/// Whether all numbers so far are values of a narrower type.
struct Precision {
  bool brain = true, half = true;

  void look_at(double value) {
    if (!brain && !half) return;
    const auto narrow = static_cast<float>(value);
    const auto bits = std::bit_cast<std::uint32_t>(narrow);
    const bool single = static_cast<double>(narrow) == value;
    brain = brain && single && (bits & 0xFFFFu) == 0;
    const float steps = narrow * 0x1p24f;  // multiples of the smallest float16
    half = half && single && (bits & 0x1FFFu) == 0 && (narrow >= 0x1p-14f || steps == std::trunc(steps));
  }
};

/// The three limits on a sum: for float32, float16 and bfloat16.
constexpr std::size_t limits = 3;
constexpr const char* types_of_limits[limits] = {"float32", "float16", "bfloat16"};

class Check {
 public:
  Check(Dump& dump, bool any_rows) : dump_(dump), any_rows_(any_rows) {}

  base::Status run() {
    const base::Status sound =
        each_row([&](const RowPlace& place, std::span<const double> weights) { return row(place, weights); });
    return sound ? conclude() : sound;
  }

 private:
  using Row = base::FunctionRef<base::Status(const RowPlace& place, std::span<const double> weights)>;

  base::Status each_row(Row take) const {
    const DumpShape& s = dump_.shape;
    const auto keys = static_cast<std::size_t>(s.keys);
    std::vector<double> values;
    const int at_once = dump_.rows_at_once();
    for (int layer = 0; layer < s.layers; ++layer) {
      for (int sequence = 0; sequence < s.batch; ++sequence) {
        for (int head = 0; head < s.heads; ++head) {
          for (int first = 0; first < s.queries; first += at_once) {
            const int now = std::min(at_once, s.queries - first);
            values.resize(static_cast<std::size_t>(now) * keys);
            if (const base::Status read = dump_.rows(layer, sequence, head, first, now, values); !read)
              return read;
            for (int r = 0; r < now; ++r) {
              const auto weights =
                  std::span<const double>(values).subspan(static_cast<std::size_t>(r) * keys, keys);
              if (const base::Status sound = take({layer, sequence, head, first + r}, weights); !sound)
                return sound;
            }
          }
        }
      }
    }
    return {};
  }

  base::Error wrong(const std::string& what) const { return {dump_.file + ": " + what}; }

  /// Finds the first invalid weight of a row.
  base::Status look_closely(const RowPlace& place, std::span<const double> weights) const {
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double w = weights[j];
      const std::string where = place_words(place, dump_.shape) + ", key " + std::to_string(j);
      if (!std::isfinite(w))
        return wrong("the weight at " + where + " is not finite (" + kind_of(w) +
                     "); attention weights are numbers from 0 to 1");
      if (w < 0)
        return wrong("the weight at " + where + " is negative (" + base::brief(w, 3) +
                     "); these may be scores before the softmax: save the weights after it");
    }
    return {};
  }

  base::Status row(const RowPlace& place, std::span<const double> weights) {
    double sum = 0, least = 0;
    for (const double w : weights) sum += w, least = w < least ? w : least;
    if (least < 0 || !std::isfinite(sum)) {
      if (const base::Status sound = look_closely(place, weights); !sound) return sound;
    }
    RowSums& sums = dump_.sums;
    ++sums.rows;
    if (sum == 0) {
      if (sums.zero++ == 0) sums.first_zero = place;
      return {};
    }
    if (std::fabs(sum - 1) > std::fabs(sums.worst - 1)) sums.worst = sum, sums.worst_place = place;
    for (std::size_t i = 0; i < limits; ++i)
      if (!(std::fabs(sum - 1) <= row_tolerance(types_of_limits[i]))) ++beyond_[i];
    return {};
  }

  /// Detects numbers that were widened before they were saved.
  base::Status find_precision() {
    Precision precision;
    const char* const enough = "";
    const base::Status looked =
        each_row([&](const RowPlace&, std::span<const double> weights) -> base::Status {
          for (const double w : weights) precision.look_at(w);
          if (precision.brain || precision.half) return {};
          return base::Error{enough};
        });
    if (!looked && looked.error() != enough) return looked;
    if (precision.half) dump_.precision = "float16";
    if (precision.brain) dump_.precision = "bfloat16";
    return {};
  }

  base::Status conclude() {
    RowSums& sums = dump_.sums;
    const bool wide = dump_.type == "float32" || dump_.type == "float64";
    if (wide && beyond_[0] > 0) {
      if (const base::Status looked = find_precision(); !looked) return looked;
    }
    dump_.tolerance = row_tolerance(dump_.precision);
    for (std::size_t i = 0; i < limits; ++i)
      if (row_tolerance(types_of_limits[i]) == dump_.tolerance) sums.unsound = beyond_[i];
    if (dump_.precision != dump_.type)
      dump_.remarks.push_back("every " + dump_.type + " number in it is a " + dump_.precision +
                              " number, so rows may be off by " + base::compact(dump_.tolerance));
    if (sums.unsound > 0) {
      const std::string reported = base::with_commas(sums.unsound) + " of " + many(sums.rows, "row") +
                                   (sums.unsound == 1 ? " does" : " do") + " not sum to 1; the worst, at " +
                                   place_words(sums.worst_place, dump_.shape) + ", sums to " +
                                   base::brief(sums.worst, 4) + " (" + dump_.precision + " may be off by " +
                                   base::compact(dump_.tolerance) + ")";
      if (!any_rows_)
        return wrong(reported +
                     ": these may be scores before the softmax, or weights after dropout; save the "
                     "weights themselves, or read them as they are with --any-rows");
      dump_.remarks.push_back(reported);
    }
    if (sums.zero > 0)
      dump_.remarks.push_back(many(sums.zero, "row") + (sums.zero == 1 ? " is" : " are") +
                              " all 0: a query that may attend to nothing, " +
                              (sums.zero == 1 ? "at " : "the first at ") +
                              place_words(sums.first_zero, dump_.shape));
    return {};
  }

  Dump& dump_;
  bool any_rows_;
  long long beyond_[limits] = {};  // number of rows whose sum exceeds each limit
};

base::Status check_finite(const Array& layer, int number, const char* what, const std::string& file) {
  std::vector<double> values;
  for (std::int64_t b = 0; b < layer.side(0); ++b) {
    for (std::int64_t h = 0; h < layer.side(1); ++h) {
      const Array plane = entry_of(entry_of(layer, b), h);
      const std::int64_t rows = plane.side(0), columns = plane.side(1);
      const std::int64_t at_once = std::clamp<std::int64_t>((1 << 20) / columns, 1, rows);
      for (std::int64_t first = 0; first < rows; first += at_once) {
        const std::int64_t now = std::min(at_once, rows - first);
        values.resize(static_cast<std::size_t>(now * columns));
        if (const base::Status read = read_rows(plane, first, now, values); !read) return read;
        for (std::size_t i = 0; i < values.size(); ++i) {
          if (std::isfinite(values[i])) continue;
          return base::Error{file + ": " + what + " is not finite (" + kind_of(values[i]) + ") at layer " +
                             std::to_string(number + 1) + ", sequence " + std::to_string(b) + ", head " +
                             std::to_string(h + 1) + ", token " +
                             std::to_string(first + static_cast<std::int64_t>(i) / columns)};
        }
      }
    }
  }
  return {};
}

}  // namespace

double row_tolerance(const std::string& type) {
  return type == "bfloat16" ? 0.05 : type == "float16" ? 0.01 : 0.001;
}

base::Status check_rows(Dump& dump, bool any_rows) {
  return Check(dump, any_rows).run();
}

base::Status check_vectors(Dump& dump, const Layers& layers) {
  dump.tolerance = row_tolerance("float64");
  const DumpShape& s = dump.shape;
  dump.sums.rows = static_cast<long long>(s.layers) * s.batch * s.heads * s.queries;
  // If there are more queries than keys, the first queries of a causal run may not attend to any key.
  if (dump.causal && s.queries > s.keys) {
    dump.sums.zero = dump.sums.rows / s.queries * (s.queries - s.keys);
    dump.remarks.push_back(many(dump.sums.zero, "row") +
                           " are all 0: causal attention of more queries than keys");
  }
  for (std::size_t layer = 0; layer < layers.layers.size(); ++layer) {
    const base::Status q = check_finite(layers.layers[layer], static_cast<int>(layer), "q", dump.file),
                       k = check_finite(layers.keys[layer], static_cast<int>(layer), "k", dump.file);
    if (!q) return q;
    if (!k) return k;
  }
  return {};
}

}  // namespace headlight::dumps
