#include "pages/cost/view/table_rows.h"

#include "base/numbers.h"
#include "kit/words.h"

namespace headlight::views {

using nn::Architecture;

std::string whole_words(std::uint64_t value) {
  return with_commas(static_cast<long long>(value));
}

std::string size_words(const nn::LayerSize& size, bool with_kernel) {
  return "n = " + whole_words(static_cast<std::uint64_t>(size.n)) + ", d = " + std::to_string(size.d) +
         (with_kernel ? ", k = " + std::to_string(size.k) : "");
}

std::string name_of(const CostSheet& sheet, const CostRow& row) {
  if (row.kind == CostRowKind::layer) return row.name;
  const int heads = sheet.results.heads.many.heads;
  return "in " + std::to_string(heads) + (heads == 1 ? " head" : " heads");
}

CostCounts counts_of(const CostSheet& sheet, const CostRow& row) {
  const scene::CountedLayer& layer = sheet.results.of(row.architecture);
  CostCounts counts{layer.counted_at, layer.cost.multiplications, layer.by_running,
                    layer.by_formula, layer.cost.whole(),         layer.agrees()};
  if (row.kind == CostRowKind::heads) {
    const scene::CountedHeads& heads = sheet.results.heads;
    counts.at = heads.counted_at, counts.whole = heads.many.multiplications;
    counts.by_running = heads.many_by_running, counts.by_formula = heads.by_formula;
    counts.agrees = heads.agrees();
  }
  // Where the loops disagree with the formula, what they counted is shown.
  if (!counts.agrees) counts.shown = counts.by_running;
  return counts;
}

std::string counted_words(const CostRow& row, const CostCounts& counts) {
  return counts.agrees ? std::string("= ") + row.counted : "≠ " + whole_words(counts.by_formula);
}

std::string of_layer(const char* name, const CostRow& row) {
  return std::string(name) + " of=" + scene::word_of(row.architecture);
}

void note_on(const Pen& pen, Box area, const std::string& name, const std::string& words) {
  draw::Mark mark;
  mark.part = draw::Part::note, mark.name = name, mark.note = words, mark.area = area;
  pen.canvas.mark(mark);
  pen.canvas.mark({});
}

namespace {

std::string flop_words(double multiply_adds) {
  return base::written(2 * multiply_adds, base::whole_form);
}

}  // namespace

void notes_of(const CostSheet& sheet, const CostRow& row, Box operations, Box counted, Box whole, Box path) {
  const scene::CountedLayer& layer = sheet.results.of(row.architecture);
  const CostCounts counts = counts_of(sheet, row);
  const std::string name = name_of(sheet, row);
  note_on(sheet.pen, operations, "operations " + name,
          std::string(row.leading) + " = " + sheet.in.text(of_layer("operations", row)) +
              "\nthe leading term alone, as the sources print it");
  note_on(sheet.pen, counted, "counted " + name,
          std::string(row.reason) + "\nrun at " +
              size_words(counts.at, row.architecture == Architecture::convolution) + ": " +
              whole_words(counts.by_running) + " multiplications counted one by one, by formula " +
              whole_words(counts.by_formula) +
              (row.kind == CostRowKind::heads ? ", with the projections" : ""));
  std::string all = std::string(row.whole) + " = " +
                    (row.kind == CostRowKind::heads
                         ? sheet.in.text("heads_multiplications") + " multiply-adds = " +
                               sheet.in.text("heads_multiplications", flop_words) + " FLOP"
                         : sheet.in.text(of_layer("layer_multiplications", row)) +
                               " multiply-adds = " + sheet.in.text(of_layer("layer_flop", row)) + " FLOP");
  if (row.kind == CostRowKind::heads) {
    const scene::CountedHeads& heads = sheet.results.heads;
    all += "\nthe same as one head of width " + std::to_string(sheet.settings.d) +
           ", and the same number of parameters, " + whole_words(heads.many.parameters) +
           "\nexponentials of the softmax: " + sheet.in.text("heads_exponentials") + ", with one head " +
           sheet.in.text("one_head_exponentials") +
           (heads.many.heads == sheet.settings.heads
                ? ""
                : "\n" + std::to_string(sheet.settings.heads) +
                      " heads are selected: a head has at least one component");
  } else if (layer.cost.projections > 0) {
    all += "\nof them " + sheet.in.text(of_layer("projections", row)) + " by W_Q, W_K, W_V and W_O";
  }
  note_on(sheet.pen, whole, "whole " + name, all);
  if (row.architecture == Architecture::convolution) {
    note_on(
        sheet.pen, path, "path Convolution",
        "the largest number of layers between two connected positions of n\nstacked: O(n/k) (Dive into Deep "
        "Learning)\ndilated, with gaps that grow from layer to layer: O(logₖ n) (Vaswani et al. 2017, table "
        "1)");
  }
}

std::vector<CostPathEntry> path_entries(const CostSheet& sheet, const CostRow& row) {
  const auto path = [&](Architecture architecture) {
    const int longest = sheet.results.of(architecture).cost.longest_path;
    if (sheet.settings.n == 1) return std::string("0");
    return longest == 0 ? std::string("–")
                        : sheet.in.text(std::string("longest_path of=") + scene::word_of(architecture));
  };
  if (row.architecture == Architecture::convolution)
    return {{path(Architecture::convolution), "stacked"},
            {path(Architecture::dilated_convolution), "dilated"}};
  return {{path(row.architecture), row.architecture == Architecture::recurrence ? "n − 1" : ""}};
}

}  // namespace headlight::views
