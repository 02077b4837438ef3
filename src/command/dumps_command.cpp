#include "command/dumps_command.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/numbers.h"
#include "base/one_line.h"
#include "base/words.h"
#include "dumps/measures.h"
#include "io/csv.h"
#include "io/files.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/tensor_json.h"

namespace headlight::app {

namespace {

using dumps::Dump;
using dumps::DumpShape;
using Json = nlohmann::ordered_json;
using Labels = std::vector<std::string>;

/// In the format of tokens.json, so that the output can be read again.
Json tokens_json(const Dump& dump, int first, int last) {
  const auto lists = [&](const std::vector<Labels>& all) {
    if (last - first == 1) return Json(all[static_cast<std::size_t>(first)]);
    return Json(std::vector<Labels>(all.begin() + first, all.begin() + last));
  };
  if (dump.tokens.same()) return lists(dump.tokens.key);
  return {{"query", lists(dump.tokens.query)}, {"key", lists(dump.tokens.key)}};
}

std::string token_words(const Labels& tokens) {
  constexpr std::size_t shown = 12;
  std::string out;
  for (std::size_t i = 0; i < tokens.size() && i < shown; ++i)
    out += (i > 0 ? " " : "") + base::in_quotes(tokens[i]);
  return tokens.size() > shown ? out + " …" : out;
}

constexpr const char* role_names[] = {"previous", "next", "first", "self", "same_token"};
constexpr std::size_t roles_count = std::size(role_names);

struct HeadScores {
  int layer = 0, sequence = 0, head = 0;
  double score[roles_count] = {};
};

/// Exports a dump, sequences [first, last).
class Exporter {
 public:
  Exporter(const Dump& dump, const ExportDumpRequest& request)
      : dump_(dump),
        request_(request),
        first_(request.sequence.value_or(0)),
        last_(request.sequence ? *request.sequence + 1 : dump.shape.batch),
        ending_(request.out.extension().string()) {}

  base::Result<std::string> run() {
    if (request_.what == "tokens") return text_file(tokens());
    if (request_.what == "roles") return roles();
    const bool weights = request_.what == "weights";
    std::vector<std::size_t> shape{size(dump_.shape.layers), size(last_ - first_), size(dump_.shape.heads),
                                   size(dump_.shape.queries)};
    std::vector<std::string> axes{"layer", "sequence", "head", "query"};
    if (weights) shape.push_back(size(dump_.shape.keys)), axes.push_back("key");
    // Numbers that are stored in 16 or 32 bits are exact in 32; numbers that are computed here use 64.
    const bool wide = !weights || dump_.computed || dump_.type == "float64";
    return wide ? numbers<double>(weights, shape, axes) : numbers<float>(weights, shape, axes);
  }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }

  /// Calls `take` for a group of rows of one head at a time.
  template <class Take>
  base::Status each_piece(Take take) const {
    const DumpShape& s = dump_.shape;
    std::vector<double> values;
    for (int layer = 0; layer < s.layers; ++layer) {
      for (int sequence = first_; sequence < last_; ++sequence) {
        for (int head = 0; head < s.heads; ++head) {
          for (int first = 0; first < s.queries; first += dump_.rows_at_once()) {
            const int now = std::min(dump_.rows_at_once(), s.queries - first);
            values.resize(size(now) * size(s.keys));
            if (const base::Status read = dump_.rows(layer, sequence, head, first, now, values); !read)
              return read;
            take(std::span<const double>(values));
          }
        }
      }
    }
    return {};
  }

  template <class E>
  base::Result<std::string> numbers(bool weights, const std::vector<std::size_t>& shape,
                                    const std::vector<std::string>& axes) const {
    std::vector<E> piece;
    const auto made = [&](std::span<const double> rows) {
      piece.clear();
      if (weights) {
        for (const double w : rows) piece.push_back(static_cast<E>(w));
        return;
      }
      const std::size_t keys = size(dump_.shape.keys);
      for (std::size_t at = 0; at < rows.size(); at += keys)
        piece.push_back(static_cast<E>(dumps::entropy_bits(rows.subspan(at, keys))));
    };
    base::Result<io::NewFile> file = io::NewFile::create(request_.out);
    if (!file) return base::Error{file.error()};
    const auto write = [&](std::string_view bytes) { file->write(bytes); };
    if (ending_ == ".npy") {
      write(io::npy_header(sizeof(E) == 4 ? "<f4" : "<f8", shape));
      const base::Status read = each_piece([&](std::span<const double> rows) {
        made(rows);
        write({reinterpret_cast<const char*>(piece.data()), piece.size() * sizeof(E)});
      });
      if (!read) return base::Error{read.error()};
      return committed(*file);
    }
    constexpr double most = 1 << 26;
    double count = 1;
    for (const std::size_t side : shape) count *= static_cast<double>(side);
    if (count > most)
      return base::Error{request_.out.string() + ": " + base::with_commas(std::llround(count)) +
                         " numbers are too many for " + ending_ +
                         "; write a .npy, or one sequence of the batch"};
    std::vector<E> all;
    const base::Status read = each_piece([&](std::span<const double> rows) {
      made(rows);
      all.insert(all.end(), piece.begin(), piece.end());
    });
    if (!read) return base::Error{read.error()};
    return write_all<E>({request_.what, shape, all, axes}, *file);
  }

  template <class E>
  base::Result<std::string> write_all(const io::TensorView<E>& tensor, io::NewFile& file) const {
    const auto write = [&](std::string_view bytes) { file.write(bytes); };
    if (ending_ == ".csv") {
      io::write_csv(tensor, write);
    } else if (ending_ == ".npz") {
      const io::AnyTensor any = tensor;
      const auto bytes = io::encode_npz(std::span(&any, 1));
      if (!bytes) return base::Error{request_.out.string() + ": " + bytes.error()};
      write(*bytes);
    } else if (ending_ == ".npy") {
      io::write_npy(tensor, write);
    } else {
      io::write_tensor_json(tensor, dump_.tokens.key[size(first_)], "", write, dump_.remarks);
    }
    return committed(file);
  }

  static base::Result<std::string> committed(io::NewFile& file) {
    const base::Status done = file.commit();
    if (!done) return base::Error{done.error()};
    return std::string();
  }

  base::Result<std::string> text_file(const std::string& text) const {
    if (request_.out.empty()) return text;
    if (const base::Status written = io::write_file(request_.out, text); !written)
      return base::Error{written.error()};
    return std::string();
  }

  /// The keys' tokens, one per line, or all tokens as JSON.
  std::string tokens() const {
    if (ending_ != ".txt") return io::json_text(tokens_json(dump_, first_, last_)) + "\n";
    std::string out;
    for (const std::string& token : dump_.tokens.key[size(first_)]) out += token + "\n";
    return out;
  }

  base::Result<std::vector<HeadScores>> scores() const {
    std::vector<HeadScores> out;
    const DumpShape& s = dump_.shape;
    if (s.queries != s.keys)
      return base::Error{dump_.file + ": it has " + std::to_string(s.queries) + " queries and " +
                         std::to_string(s.keys) +
                         " keys; roles of heads are measured where a token attends to its own text"};
    constexpr int most = 16384;
    if (s.queries > most)
      return base::Error{dump_.file + ": it has " + base::with_commas(s.queries) +
                         " tokens; roles of heads are measured up to " + base::with_commas(most)};
    std::vector<double> map(size(s.queries) * size(s.keys));
    for (int layer = 0; layer < s.layers; ++layer) {
      for (int sequence = first_; sequence < last_; ++sequence) {
        const std::vector<int> tokens = dumps::token_numbers(dump_.tokens, sequence);
        for (int head = 0; head < s.heads; ++head) {
          if (const base::Status read = dump_.rows(layer, sequence, head, 0, s.queries, map); !read)
            return base::Error{read.error()};
          const nn::HeadRoles roles = nn::head_roles(map, tokens);
          out.push_back({layer,
                         sequence,
                         head,
                         {roles.previous, roles.next, roles.first, roles.diagonal, roles.same_token}});
        }
      }
    }
    return out;
  }

  base::Result<std::string> roles() const {
    const auto all = scores();
    if (!all) return base::Error{all.error()};
    if (ending_ == ".npy" || ending_ == ".npz") {
      std::vector<double> values;
      for (const HeadScores& one : *all)
        values.insert(values.end(), std::begin(one.score), std::end(one.score));
      base::Result<io::NewFile> file = io::NewFile::create(request_.out);
      if (!file) return base::Error{file.error()};
      return write_all<double>(
          {"roles",
           {size(dump_.shape.layers), size(last_ - first_), size(dump_.shape.heads), roles_count},
           values,
           {"layer", "sequence", "head", "role"}},
          *file);
    }
    std::string text;
    if (ending_ == ".csv") text = "layer,sequence,head,previous,next,first,self,same_token\n";
    if (ending_ == ".json") {
      Json list = Json::array();
      for (const HeadScores& one : *all) {
        Json entry{{"layer", one.layer}, {"sequence", one.sequence}, {"head", one.head}};
        for (std::size_t i = 0; i < roles_count; ++i) entry[role_names[i]] = one.score[i];
        list.push_back(std::move(entry));
      }
      return text_file(io::json_text(list) + "\n");
    }
    if (ending_.empty()) {
      for (const char* column : {"layer", "sequence", "head"})
        text += base::padded_before(column, text.empty() ? 5 : 10);
      for (const char* role : role_names) text += base::padded_before(role, 12);
      text += "\n";
    }
    for (const HeadScores& one : *all) {
      if (ending_ == ".csv") {
        for (const int number : {one.layer, one.sequence, one.head}) text += std::to_string(number) + ",";
      } else {  // layers and heads in text count from 1
        text += base::padded_before(std::to_string(one.layer + 1), 5) +
                base::padded_before(std::to_string(one.sequence), 10) +
                base::padded_before(std::to_string(one.head + 1), 10);
      }
      for (std::size_t i = 0; i < roles_count; ++i) {
        const double score = one.score[i];
        if (ending_ == ".csv") {
          text += std::string(i > 0 ? "," : "") + (std::isnan(score) ? "nan" : io::json_number(score));
        } else {
          text += base::padded_before(std::isnan(score) ? "–" : base::fixed(score, 3), 12);
        }
      }
      text += "\n";
    }
    return text_file(text);
  }

  const Dump& dump_;
  const ExportDumpRequest& request_;
  int first_, last_;
  std::string ending_;
};

}  // namespace

std::string describe_dump(const Dump& dump, bool json) {
  const DumpShape& s = dump.shape;
  const dumps::RowSums& sums = dump.sums;
  if (json) {
    const auto known = [](const std::string& words) { return words.empty() ? Json() : Json(words); };
    return io::json_text({{"file", dump.path.string()},
                          {"format", dump.format},
                          {"entry", dump.entry},
                          {"type", dump.type},
                          {"computed_from_q_and_k", dump.computed},
                          {"shape", {s.layers, s.batch, s.heads, s.queries, s.keys}},
                          {"layers", s.layers},
                          {"batch", s.batch},
                          {"heads", s.heads},
                          {"queries", s.queries},
                          {"keys", s.keys},
                          {"tokens", dump.tokens.numbered ? Json() : tokens_json(dump, 0, s.batch)},
                          {"tokens_from", known(dump.tokens.from)},
                          {"rows",
                           {{"all", sums.rows},
                            {"zero", sums.zero},
                            {"unsound", sums.unsound},
                            {"worst_sum", sums.worst}}},
                          {"remarks", dump.remarks}}) +
           "\n";
  }
  std::string out = dump.path.filename().string() + ": attention saved as " + dump.format + "\n";
  const auto line = [&](const char* what, const std::string& words) {
    out += what + std::string(12 - std::char_traits<char>::length(what), ' ') + words + "\n";
  };
  line("weights", shape_words(s) + ": " + base::counted(s.layers, "layer") + ", " +
                      base::counted(s.batch, "sequence") + ", " + base::counted(s.heads, "head") + ", " +
                      base::counted(s.queries, "query", "queries") + ", " + base::counted(s.keys, "key"));
  line("numbers", dump.computed ? "computed from q and k (" + dump.type + "), scale " +
                                      base::brief(dump.scale, 4) + (dump.causal ? ", causal" : ", not causal")
                                : dump.type + ", " + base::in_quotes(dump.entry));
  if (dump.tokens.numbered) {
    line("tokens", "none: positions are counted from 0");
  } else if (dump.tokens.same()) {
    line("tokens", token_words(dump.tokens.key[0]) + " (" + dump.tokens.from + ")");
  } else {
    line("queries", token_words(dump.tokens.query[0]) + " (" + dump.tokens.from + ")");
    line("keys", token_words(dump.tokens.key[0]));
  }
  if (!dump.computed)
    line("row sums",
         "the farthest from 1 of " + base::with_commas(sums.rows) + " is " + base::fixed(sums.worst, 6));
  for (const std::string& remark : dump.remarks) line("remark", remark);
  return out;
}

base::Result<std::string> export_dump(const Dump& dump, const ExportDumpRequest& request) {
  return Exporter(dump, request).run();
}

}  // namespace headlight::app
