// The choices of the Variants page: positions, masks and the division of each side, presets, and the steps
// from one to the next.
#include <array>

#include "pages/variants/variants.h"
#include "pages/variants/view/view.h"

namespace headlight::views {

using scene::VariantMask;
using scene::VariantPosition;

namespace {

std::string position_note(VariantPosition position) {
  static constexpr const char* notes[] = {
      "no information about the order",
      "the sinusoids of Vaswani et al. (2017), added to the embeddings",
      "the sinusoids, concatenated to the embeddings instead of added",
      "a row of a learned table per position, added (BERT, GPT-2); here random from the seed",
      "a learned number per bucket of relative positions, added to the scores (T5); here random from the "
      "seed",
      "−slope · |distance| added to the scores, one slope per head (Press et al. 2022)",
      "queries and keys are rotated by position · ω, pairs 2j and 2j + 1 (Su et al. 2021)",
      "the same rotation on pairs j and j + d_k/2 (Hugging Face’s LLaMA)",
      "a row per distance up to the clip distance, added to keys and values (Shaw et al. 2018); here random "
      "from the seed"};
  return notes[static_cast<int>(position)];
}

const char* mask_note(VariantMask mask) {
  static constexpr const char* notes[] = {
      "every query may attend to every key",
      "no key after the query",
      "only the first keys, as many as “Tokens before padding”; the rest is padding",
      "keys at most “Window radius” positions away",
      "a window, and the first “Global tokens” attend to all tokens and all attend to them (Longformer)",
      "a window with gaps: every “Stride”-th key",
      "only keys of the same block of “Stride” tokens",
      "the last “Stride” keys, including its own, and every “Stride”-th one before (Sparse Transformer)",
      "the query’s own block and the last key of each earlier block (Sparse Transformer)",
      "whole blocks: diagonal, first row and column, and random ones (BigBird)"};
  return notes[static_cast<int>(mask)];
}

std::string prefix(WhichSide which) {
  return which == WhichSide::a ? "a" : "b";
}

const scene::VariantSide& requested(const VariantsView& view, WhichSide which) {
  const scene::VariantsSettings& s = view.in.scene.variants;
  return which == WhichSide::a ? s.a : s.b;
}

/// Says for a model whose positions these are, and the consequence.
std::string with_model(const VariantsView& view, VariantPosition position) {
  const scene::VariantsResults& r = view.results;
  if (r.layer == 0) return {};
  if (position == r.own) return "\nthe model was trained with these";
  if (position == VariantPosition::concat)
    return "\nnot with a trained model: its input has exactly d components per token";
  if (position == VariantPosition::shaw && r.layer > 1)
    return "\nonly in layer 1 of a trained model: the earlier layers have no such tables";
  return r.layer > 1 ? "\ninstead of the model’s own: the earlier layers are run again with them"
                     : "\ninstead of the model’s own";
}

}  // namespace

std::vector<Choice> position_choices(const VariantsView& view, WhichSide which) {
  std::vector<Choice> out;
  for (int i = 0; i < 9; ++i) {
    const auto position = static_cast<VariantPosition>(i);
    const std::string word = scene::word(position);
    out.push_back(
        {position_name(position), "variants_" + prefix(which) + "_position=" + word,
         prefix(which) + " position " + word, requested(view, which).position == position,
         position_note(position) + with_model(view, position),
         view.results.layer == 0 || (position != VariantPosition::concat &&
                                     (position != VariantPosition::shaw || view.results.layer == 1))});
  }
  return out;
}

std::vector<Choice> mask_choices(const VariantsView& view, WhichSide which) {
  std::vector<Choice> out;
  for (int i = 0; i < 10; ++i) {
    const auto mask = static_cast<VariantMask>(i);
    const std::string word = scene::word(mask);
    out.push_back({mask == VariantMask::window_global ? "with global" : mask_name(mask),
                   "variants_" + prefix(which) + "_mask=" + word, prefix(which) + " mask " + word,
                   requested(view, which).mask == mask, mask_note(mask)});
  }
  return out;
}

std::array<Choice, 2> scale_choices(const VariantsView& view, WhichSide which) {
  const bool on = requested(view, which).scale;
  const std::string field = "variants_" + prefix(which) + "_scale=";
  return {Choice{"÷√d_k", field + "true", prefix(which) + " scaled", on, "scores are q·k ÷ √d_k"},
          Choice{"q·k", field + "false", prefix(which) + " raw", !on, "scores are q·k, not divided"}};
}

std::vector<Choice> compare_choices(const VariantsView& view) {
  struct Preset {
    const char *name, *a_mask, *a_position, *a_scale, *b_mask, *b_position, *b_scale, *note;
  };
  static constexpr Preset presets[] = {{"causal or not", "none", "sinusoidal", "true", "causal", "sinusoidal",
                                        "true", "the same positions; B masks the keys after its query"},
                                       {"√d_k on and off", "none", "sinusoidal", "true", "none", "sinusoidal",
                                        "false", "without ÷√d_k scores are √d_k times as large"},
                                       {"ALiBi or none", "none", "alibi", "true", "none", "none", "true",
                                        "a penalty on distance, compared with no positions"},
                                       {"RoPE or sinusoidal", "none", "rope", "true", "none", "sinusoidal",
                                        "true", "relative and absolute: shift the sentence"},
                                       {"window and global", "window_global", "sinusoidal", "true", "none",
                                        "sinusoidal", "true", "a sparse pattern, compared with all pairs"}};
  const scene::VariantsSettings& s = view.in.scene.variants;
  const auto is = [](const scene::VariantSide& side, const char* mask, const char* position,
                     const char* scale) {
    return scene::word(side.mask) == std::string(mask) &&
           scene::word(side.position) == std::string(position) &&
           side.scale == (std::string(scale) == "true");
  };
  const auto set = [](const char* side, const std::string& mask, const std::string& position,
                      const std::string& scale) {
    const std::string field = std::string("variants_") + side;
    return field + "_mask=" + mask + ";" + field + "_position=" + position + ";" + field + "_scale=" + scale;
  };
  std::vector<Choice> out;
  for (const Preset& p : presets) {
    out.push_back(
        {p.name,
         set("a", p.a_mask, p.a_position, p.a_scale) + ";" + set("b", p.b_mask, p.b_position, p.b_scale),
         p.name, is(s.a, p.a_mask, p.a_position, p.a_scale) && is(s.b, p.b_mask, p.b_position, p.b_scale),
         p.note});
  }
  const auto words = [](bool on) { return on ? "true" : "false"; };
  out.push_back({"A ⇄ B",
                 set("a", scene::word(s.b.mask), scene::word(s.b.position), words(s.b.scale)) + ";" +
                     set("b", scene::word(s.a.mask), scene::word(s.a.position), words(s.a.scale)),
                 "swap A and B", false, "swap the two sides"});
  return out;
}

std::vector<Choice> stepper(const std::vector<Choice>& all, const std::string& name,
                            const std::string& none) {
  const auto count = static_cast<int>(all.size());
  int on = 0;
  while (on + 1 < count && !all[static_cast<std::size_t>(on)].on) ++on;
  const bool chosen = none.empty() || all[static_cast<std::size_t>(on)].on;
  const auto step = [&](int by, const char* label, const char* which) {
    int at = chosen ? on : by > 0 ? count - 1 : 0;  // without a chosen one, to the first or the last
    do {
      at = (at + by + count) % count;
    } while (chosen && at != on && !all[static_cast<std::size_t>(at)].enabled);
    Choice out = all[static_cast<std::size_t>(at)];
    out.note = out.label + (out.note.empty() ? "" : ": " + out.note);
    out.label = label, out.name = name + ' ' + which, out.on = false;
    return out;
  };
  Choice middle = all[static_cast<std::size_t>(on)];
  if (!chosen) {
    middle = all.front();
    middle.note = middle.label + (middle.note.empty() ? "" : ": " + middle.note);
    middle.label = none, middle.name = name + " none";
  }
  return {step(-1, "‹", "before"), middle, step(1, "›", "after")};
}

}  // namespace headlight::views
