// The quantities of the page: its numbers by name.
#include "pages/presets/presets.h"
#include "pages/quantity_values.h"

namespace headlight::scene {

namespace {

using Q = const Quantity&;
using S = const QuantitySource&;

/// NaN when another page is open.
double number_of(S s, int PresetsResults::*member) {
  const auto* r = s.own<PresetsResults>();
  return r ? double((*r).*member) : no_value;
}

// name, label, how it is written, arguments, what it is, value, unit
constexpr QuantityInfo list[] = {
    {"presets_examples", "Examples", whole_form, "", "examples of the sources",
     [](Q, S s) {
       const auto* r = s.own<PresetsResults>();
       return r ? double(r->presets.size()) : no_value;
     }},
    {"presets_agreeing", "Examples that agree", whole_form, "",
     "examples in which everything the source prints or states agrees",
     [](Q, S s) { return number_of(s, &PresetsResults::agreeing); }},
    {"presets_contradictions", "Contradictions", whole_form, "",
     "examples in which the source contradicts itself, another source or the numbers",
     [](Q, S s) { return number_of(s, &PresetsResults::contradictions); }},
    {"presets_formulas", "Formulas without a printed number", whole_form, "",
     "examples with a formula but no printed number",
     [](Q, S s) { return number_of(s, &PresetsResults::formulas); }},
    {"presets_differing", "Examples that differ", whole_form, "",
     "examples that a model trained here does not reproduce",
     [](Q, S s) { return number_of(s, &PresetsResults::differing); }},
};

}  // namespace

std::span<const QuantityInfo> presets_quantities() {
  return list;
}

}  // namespace headlight::scene
