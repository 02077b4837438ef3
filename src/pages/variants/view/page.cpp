#include "pages/variants/view/page.h"

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "draw/no_canvas.h"
#include "kit/choices.h"
#include "kit/columns.h"
#include "kit/page_input.h"
#include "pages/variants/variants.h"
#include "pages/variants/view/side_maps.h"
#include "pages/variants/view/view.h"
#include "scene/pinned.h"

namespace headlight::views {

namespace {

/// Draws the presets, and the heads at their right or below. Returns the height used.
float top_row(const VariantsView& view, Box area) {
  const std::vector<Choice> presets = compare_choices(view);
  const std::vector<Choice> heads =
      head_choices(view.results.heads, view.results.head, 8, "head", "variants_head");
  const float word = view.pen.canvas.text_width("head", words_style({})) + 10;
  const float wide = segmented_width(view.pen, heads) + word;
  float all = 0;
  for (const Choice& choice : presets) all += button_width(view.pen, choice) + 6;
  const bool beside = all + wide + 12 <= area.w;
  // Without room for all, the presets take turns, so that one line has all controls.
  if (!beside && !view.pen.canvas.plain()) {
    const std::vector<Choice> turns = stepper({presets.begin(), presets.end() - 1}, "preset", "presets");
    const float steps = segmented_width(view.pen, turns), swap = button_width(view.pen, presets.back());
    if (steps + 8 + swap + 16 + wide <= area.w) {
      segmented(view.pen, {area.x + steps, area.y}, turns);
      button(view.pen, {area.x + steps + 8 + swap, area.y}, presets.back());
      const Box box = segmented(view.pen, {area.right(), area.y}, heads);
      put(view.pen, {area.right() - wide, box.centre().y}, "head", words_style(view.theme().dim), word);
      return control_height;
    }
  }
  float used = button_flow(view.pen, {area.x, area.y}, beside ? area.w - wide - 12 : area.w, presets);
  float y = area.y;
  if (!beside) y += used + 6, used += 6 + control_height;
  const float right = beside ? area.right() : area.x + wide;
  const Box box = segmented(view.pen, {right, y}, heads);
  put(view.pen, {right - wide, box.centre().y}, "head", words_style(view.theme().dim), word);
  return used;
}

struct Rows {
  Box area;  // what is left; its bottom is not a limit
  Box take(float height) {
    const Box box{area.x, area.y, area.w, height};
    area.y += height + card_gap;
    return box;
  }
};

float decoding_rows(const VariantsView& view) {
  return 18.f * static_cast<float>(std::clamp<std::size_t>(view.results.decoding.steps.size(), 4, 12));
}

/// The heights of the page's rows, from the top, when the page is as wide as three cards.
struct RowHeights {
  float comparison = 0, applied = 0, division = 0, second_sentence = 0;
};

void comparison(const VariantsView& view, Rows& rows, float on_screen, bool fills, float window,
                RowHeights& heights) {
  const float w = rows.area.w;
  const bool slide = on_slide(view.pen);  // a slide shows one card
  int columns = slide ? 1 : w >= 900 ? 3 : w >= 560 ? 2 : 1;
  constexpr float least_map = 172, least_low_map = 140, title_and_bar = 68, least_three = 520;
  constexpr float least_low = 228;  // of the cards of what each side applies
  // The maps have most of the window: where they would not, what each side applies is on the next screen.
  constexpr float most_of_window = 0.638f, around_page = 166, question = 48;
  const bool window_of_cards = !slide && !view.pen.canvas.plain();
  const bool large = window_of_cards && w >= columns_from - 2 * card_gap;
  const auto controls_in = [&](int across, Choosers choosers) {
    return side_controls_height(view, column_of(rows.area, 0, across).w, choosers);
  };
  struct Heights {
    float least = 0, high = 0;
  };
  /// The height of the cards of A, B and their difference, at least and as they are.
  const auto heights_with = [&](Choosers choosers) {
    const float controls = controls_in(columns, choosers);
    const float map = column_of(rows.area, 0, columns).w * 0.8f;
    // They share the first screen with the cards of what each applies, if it is high enough.
    const float rows_of_map = std::clamp(22.f * static_cast<float>(view.results.T) + 40, 172.f, 240.f);
    const float around = controls + 2 * card_padding + title_and_bar;
    const float least = std::clamp(
        on_screen, around + (choosers == Choosers::all ? least_map : least_low_map), around + rows_of_map);
    const float most = controls + 110 + map;
    float wanted = std::max(least, std::min(on_screen * 0.64f, most));
    if (least + card_gap + least_low <= on_screen)
      wanted = std::min(wanted, on_screen - card_gap - least_low);
    const bool alone = !fills && columns == 3 &&
                       (large || choosers == Choosers::steps ||
                        on_screen - card_gap - least_low <
                            most_of_window * (window + 2 * card_gap + around_page) - question);
    if (alone && window_of_cards) wanted = std::max(wanted, on_screen);
    if (fills)
      wanted = std::max(least, on_screen - card_gap - std::clamp(on_screen * 0.34f, least_low, 460.f));
    // In a high window A, B, their difference and what is applied are on one screen.
    constexpr float least_half = 300;
    const float half = (on_screen - card_gap) / 2;
    const bool halves = columns == 2 && choosers == Choosers::steps && half >= least_half;
    const float two = halves ? std::max(least, half)
                             : std::max(least, std::min({480.f, most, columns == 2 ? on_screen : most}));
    return Heights{least, columns == 3 ? first_row(on_screen, wanted, least_low) : two};
  };
  // In a low window the difference is beside A and B. Where the maps would have less than half of their
  // cards, mask and positions are chosen step by step, on one line each.
  Choosers choosers = Choosers::all;
  if (window_of_cards) {
    constexpr float labels = 56, least_share = 0.5f;
    const float high = heights_with(Choosers::all).high, controls = controls_in(columns, Choosers::all);
    const float cells = high - controls - 2 * card_padding - title_and_bar - labels;
    if (cells < std::max(controls, least_share * high)) choosers = Choosers::steps;
    const float left = on_screen - 2 * card_padding - title_and_bar;  // for the controls and the map
    if (w >= least_three && left - controls_in(std::max(columns, 2), Choosers::all) < least_map)
      choosers = Choosers::steps, columns = 3;
  }
  const bool steps = choosers == Choosers::steps;
  const auto [least, high] = heights_with(choosers);
  // A wide page has no more rows, so its second row fills the window.
  const float most_low = fills ? 1e6f : 340.f;
  const float low = std::max(least_low, columns == 3 ? std::min(on_screen - high - card_gap, most_low) : 0.f);
  if (steps && columns == 3 && w < 900) {  // two cards beside each other have room below the maps, not three
    const Box top = rows.take(std::max(least, on_screen));
    side_card(view, column_of(top, 0, 3), WhichSide::a, choosers);
    side_card(view, column_of(top, 1, 3), WhichSide::b, choosers);
    difference_card(view, column_of(top, 2, 3), choosers);
    const Box bottom = rows.take(least_low);
    applied_card(view, column_of(bottom, 0, 2), WhichSide::a);
    applied_card(view, column_of(bottom, 1, 2), WhichSide::b);
    return shift_card(view, rows.take(least_low));
  }
  if (columns == 3) {
    float all[] = {high, low, std::max(300.f, 192 + decoding_rows(view)), std::clamp(w * 0.3f, 380.f, 560.f)};
    if (large) {  // all others are on one more screen
      const float two = window - all[2] - 2 * card_gap;
      all[1] = std::round(two * 0.36f), all[3] = two - all[1];
    } else if (!fills) {
      fill_screens(view.pen, all, window);
    }
    heights = {all[0], all[1], all[2], all[3]};
    const Box top = rows.take(high);
    side_card(view, column_of(top, 0, 3), WhichSide::a, choosers);
    side_card(view, column_of(top, 1, 3), WhichSide::b, choosers);
    difference_card(view, column_of(top, 2, 3), choosers);
    const Box bottom = rows.take(heights.applied);
    applied_card(view, column_of(bottom, 0, 3), WhichSide::a);
    applied_card(view, column_of(bottom, 1, 3), WhichSide::b);
    return shift_card(view, column_of(bottom, 2, 3));
  }
  if (columns == 2) {
    const Box top = rows.take(high);
    side_card(view, column_of(top, 0, 2), WhichSide::a, choosers);
    side_card(view, column_of(top, 1, 2), WhichSide::b, choosers);
    const Box middle = rows.take(high);
    difference_card(view, column_of(middle, 0, 2), choosers);
    shift_card(view, column_of(middle, 1, 2));
    const Box bottom = rows.take(low);
    applied_card(view, column_of(bottom, 0, 2), WhichSide::a);
    return applied_card(view, column_of(bottom, 1, 2), WhichSide::b);
  }
  side_card(view, rows.take(high), WhichSide::a, choosers);
  side_card(view, rows.take(high), WhichSide::b, choosers);
  constexpr float wide_slide = 0.44f;  // height to width, as what is left of a slide below its words
  difference_card(view, rows.take(slide ? w * wide_slide : high), choosers);
  applied_card(view, rows.take(low), WhichSide::a);
  applied_card(view, rows.take(low), WhichSide::b);
  shift_card(view, rows.take(low));
}

void further(const VariantsView& view, Rows& rows, const RowHeights& heights) {
  const float w = rows.area.w, steps = decoding_rows(view);
  if (heights.division > 0) {
    Box first = rows.take(heights.division);
    const Box right = first.cut_right(std::clamp(first.w * 0.34f, 330.f, 560.f));
    first.cut_right(card_gap);
    dots_card(view, first);
    decoding_card(view, right);
    const Box second = rows.take(heights.second_sentence);
    cross_card(view, column_of(second, 0, 2));
    return batch_card(view, column_of(second, 1, 2));
  }
  dots_card(view, rows.take(w >= 380 ? 430.f : 720.f));
  decoding_card(view, rows.take(208 + steps));
  cross_card(view, rows.take(340));
  batch_card(view, rows.take(w >= 480 ? 380.f : 620.f));
}

/// Describes the same cell of A, B and their difference.
std::string cell_words(const PageInput& in, int query, int key, const char* between) {
  const scene::VariantsResults& r = *in.own<scene::VariantsResults>();
  if (query < 0 || key < 0 || query >= r.T || key >= r.T) return {};
  const auto at =
      static_cast<std::size_t>(query) * static_cast<std::size_t>(r.T) + static_cast<std::size_t>(key);
  const bool both = !r.difference.weights.empty();
  draw::NoCanvas unseen;
  // As in the cells of both maps.
  const int decimals = weight_decimals(side_scale(VariantsView(unseen, in)).end);
  const auto side = [&](const char* name, const char* quantity, const scene::VariantSideResults& s) {
    if (!s.error.empty()) return std::string(name) + ": positions not available";
    if (!s.allow[at]) return std::string(name) + " masked, weight exactly 0";
    return std::string(name) + " weight " +
           in.text(std::string(quantity) + " query=" + std::to_string(query) + " key=" + std::to_string(key),
                   base::weight_form(decimals)) +
           ", score " + fixed(static_cast<double>(s.scores.data()[at]), 3);
  };
  std::string out = pair_in_words(in, query, key) + between + side("A", "variant_weight side=a", r.a) +
                    between + side("B", "variant_weight side=b", r.b);
  if (both)
    out += between + std::string("A − B ") +
           difference_text(static_cast<double>(r.a.weights.at(query, key)),
                           static_cast<double>(r.b.weights.at(query, key)), decimals);
  return out;
}

/// Describes a cell of a padded sentence or of the second sentence: “cat” → “pad”, then its weight.
std::string note_words(const PageInput& in, const draw::Mark& mark) {
  const scene::VariantsResults& r = *in.own<scene::VariantsResults>();
  const bool cross = mark.name == "cross";
  const scene::BatchSentence* padded = nullptr;
  for (std::size_t n = 0; n < r.batch.size(); ++n)
    if (mark.name == "batch " + std::to_string(n + 1)) padded = &r.batch[n];
  if (!cross && !padded) return mark.note;
  const nn::Matrix& weights = cross ? r.cross.weights : padded->weights;
  if (mark.query < 0 || mark.key < 0 || mark.query >= weights.rows() || mark.key >= weights.cols()) return {};
  const auto name = [](const std::vector<nn::Token>& tokens, int i) {
    const auto at = static_cast<std::size_t>(i);
    return in_quotes(at < tokens.size() ? shown_token(tokens[at].text) : "pad");
  };
  const std::string pair = name(cross ? r.cross.queries : padded->tokens, mark.query) + " → " +
                           name(cross ? r.cross.keys : padded->tokens, mark.key) + "\n";
  if (padded && mark.key >= padded->length) return pair + "masked: the weight is exactly 0";
  if (cross)
    return pair + "weight " + in.text(quantity("cross_weight", {{"query", mark.query}, {"key", mark.key}}));
  return pair + "weight " + weight_text(static_cast<double>(weights.at(mark.query, mark.key)), 3);
}

}  // namespace

std::string variants_question(const PageInput&) {
  return "What does another mask or position change?";
}

float variants_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const Pen pen{canvas, in.theme, in.hover};
  const auto* r = in.own<scene::VariantsResults>();
  if (!r) {
    placeholder(pen, area, "The variants are being computed", "");
    return area.h;
  }
  if (r->T == 0) {
    placeholder(pen, area, pen.canvas.plain() ? "The sentence is empty" : "Type a sentence",
                in_window(pen, "it is shown with two settings, side by side"));
    return area.h;
  }
  const VariantsView view(canvas, in);
  const float margin = area.w < 700 ? 10.f : 16.f;
  Box page{area.x + margin, area.y + 10, area.w - 2 * margin, std::max(0.f, area.h - 10 - margin)};
  const float top = top_row(view, page) + 10;
  page.cut_top(top);
  if (const std::string words = layer_words(view); !words.empty()) {
    for (const std::string& line : wrap(pen, words, words_style(in.theme.dim), page.w, 3)) {
      put(pen, {page.x, page.y + 6}, line, words_style(in.theme.dim), page.w);
      page.cut_top(16);
    }
    page.cut_top(6);
  }
  const std::size_t left_out = in.results.tokens_in_sentence - static_cast<std::size_t>(view.results.T);
  if (left_out > 0) {
    put(pen, {page.x, page.y + 6},
        "the first " + std::to_string(view.results.T) + " tokens are shown; " + std::to_string(left_out) +
            " more are omitted",
        words_style(in.theme.dim), page.w);
    page.cut_top(22);
  }
  const ColumnCard later[] = {{430, [&](Box box) { dots_card(view, box); }},
                              {172 + decoding_rows(view), [&](Box box) { decoding_card(view, box); }},
                              {340, [&](Box box) { cross_card(view, box); }},
                              {620, [&](Box box) { batch_card(view, box); }}};
  // In a window they have a screen of their own, so that the maps have most of it.
  const bool all = canvas.plain() && in_columns(page, later);
  Rows rows{page};
  RowHeights heights;
  comparison(view, rows, page.h, all, area.h - 2 * card_gap, heights);
  if (!all) further(view, rows, heights);
  return std::max(area.h, rows.area.y - card_gap + margin - area.y);
}

std::string variants_tooltip(const PageInput& in, const draw::Hit& hit) {
  if (!in.own<scene::VariantsResults>()) return hit.mark.note;
  if (hit.mark.part == draw::Part::note) return note_words(in, hit.mark);
  if (hit.mark.part != draw::Part::cell) return hit.mark.note;
  return cell_words(in, hit.mark.query, hit.mark.key, "\n");
}

std::string variants_words(const PageInput& in) {
  if (!in.own<scene::VariantsResults>() || in.own<scene::VariantsResults>()->T == 0) return {};
  const scene::VariantsResults& r = *in.own<scene::VariantsResults>();
  if (in.hover && in.hover->mark.part == draw::Part::cell)
    return cell_words(in, in.hover->mark.query, in.hover->mark.key, " · ");
  const scene::Pinned pinned = scene::pinned(in.scene, r.T, r.T);
  if (pinned.detail_query >= 0 && pinned.key >= 0) {
    const std::string words = cell_words(in, pinned.detail_query, pinned.key, " · ");
    if (!words.empty()) return words;
  }
  return "A " + side_name(r.a.settings) + " against B " + side_name(r.b.settings) + ", head " +
         std::to_string(r.head + 1) + " of " + std::to_string(r.heads);
}

std::pair<int, int> variants_marked(const PageInput& in, std::string_view card) {
  const bool maps = card == "a" || card == "b" || card == "difference";
  const auto* r = in.own<scene::VariantsResults>();
  if (!r || !maps) return {-1, -1};
  const scene::Pinned pinned = scene::pinned(in.scene, r->T, r->T);
  return {pinned.detail_query, pinned.key};
}

std::string variants_finding(const PageInput& in, std::string_view card) {
  if (!in.own<scene::VariantsResults>() || in.own<scene::VariantsResults>()->T == 0) return {};
  const scene::VariantsResults& r = *in.own<scene::VariantsResults>();
  if (card == "decoding" && r.decoding.error.empty() && !r.decoding.steps.empty())
    return (in.value("decoding_residual") == 0
                ? std::string("Token by token, the outputs equal those of all tokens at once")
                : "Token by token, outputs differ from those of all tokens at once by at most " +
                      in.text("decoding_residual")) +
           (in.value("decoding_forgotten") == 0
                ? std::string("; they are the same if the position stays 0")
                : "; if the position stays 0 they differ by up to " + in.text("decoding_forgotten"));
  if (card == "dots")
    return "At width 512, q·k has a variance of " + in.text("dots_variance d=512") +
           "; divided by √d_k, of " + in.text("dots_scaled_variance d=512");
  if (card == "shift" && r.a.shift_error.empty() && r.b.shift_error.empty())
    return "Shifted by " + std::to_string(in.results.scene.variants.shift) +
           ", the weights of A change by up to " + in.text("variant_shift_weight side=a") +
           ", those of B by up to " + in.text("variant_shift_weight side=b");
  if (card == "shift" || card.starts_with("applied")) {
    if (!r.a.shift_error.empty() || !r.b.shift_error.empty())
      return "A learned table has no row for every shifted position";
    return "Shifted by " + std::to_string(in.results.scene.variants.shift) +
           ", the scores of A change by up to " + in.text("variant_shift side=a") + ", those of B by up to " +
           in.text("variant_shift side=b");
  }
  if (card == "batch") {
    // "0.0 %" is nothing, or too little to be written.
    const auto share = [&in](const char* sentence) {
      const double value = in.value(sentence);
      return value == 0                    ? std::string("nothing")
             : value > 0 && value < 0.0005 ? "less than 0.1 % of a row"
                                           : in.text(sentence) + " of a row";
    };
    return "Without the mask of padding, the first sentence assigns " + share("batch_pad_share sentence=1") +
           " to padding, the second " + share("batch_pad_share sentence=2");
  }
  if (card == "cross" && std::isnan(in.value("cross_entropy"))) return {};
  if (card == "cross")
    return in.text("cross_queries") +
           (in.value("cross_queries") == 1 ? " query attends to " : " queries attend to ") +
           in.text("cross_keys") + (in.value("cross_keys") == 1 ? " key" : " keys") +
           "; the mean entropy is " + in.text("cross_entropy") + " bits";
  if (card != "a" && card != "b" && card != "difference") return {};
  const scene::VariantDifference& d = r.difference;
  if (d.weights.empty()) return {};
  const auto side = [](const char* letter, const scene::VariantSide& settings) {
    std::string name = side_name(settings);
    constexpr std::string_view dot = " · ";
    for (std::size_t at = name.find(dot); at != std::string::npos; at = name.find(dot))
      name.replace(at, dot.size(), ", ");
    return std::string(letter) + " (" + name + ") ";
  };
  const std::string sides = "From " + side("A", r.a.settings) + "to " + side("B", r.b.settings);
  if (std::isnan(d.moved)) return base::capital(no_common_rows(r));
  if (d.largest == 0) return sides + "no weight moves";
  // The card of the difference says itself how much of the weight moves.
  if (card == "difference" && d.query >= 0 && d.key >= 0 && d.places == 1)
    return sides + "the weight of " + pair_in_words(in, d.query, d.key) + " changes most, by " +
           in.text("variant_difference");
  return sides + in.text("variant_moved") + " of the weight moves" +
         most_moved(", ", d, [&](int token) { return token_in_words(in, token); });
}

}  // namespace headlight::views
