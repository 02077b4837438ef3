#include "pages/compare/view/page.h"

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "draw/no_canvas.h"
#include "kit/columns.h"
#include "kit/no_results.h"
#include "kit/page_input.h"
#include "kit/plain_text.h"
#include "kit/sides.h"
#include "pages/compare/compare.h"
#include "pages/compare/view/cards.h"

namespace headlight::views {

namespace {

constexpr float one_token_height = 310;
constexpr float wide_from = 980, three_from = 1560;
// The least width of a page with three cards below the maps, and of one whose row has the whole table of
// roles beside the other cards.
constexpr float pairs_beside_from = 1400, role_table_from = 2200;
constexpr float hero_share = 0.745f, least_hero_share = 0.58f,
                tight_hero_share = 0.44f;  // the maps' share of the window's height

const scene::CompareResults* results_of(const PageInput& in) {
  const scene::CompareResults* r = in.own<scene::CompareResults>();
  if (!r || in.results.attention.T == 0 || r->on.empty()) return nullptr;
  const nn::AttentionTrace& trace = compare_trace(in, *r);
  return static_cast<int>(r->on.size()) == trace.heads && r->difference.rows() == trace.T ? r : nullptr;
}

/// Returns the height of the card of switched heads: no more than a screen, if its bars leave room for a
/// plot.
float output_height(const CompareView& view, float width, float screen) {
  const float whole = compare_output_height(view, width);
  const bool window = !view.canvas().plain() && !on_slide(view.pen());
  return window ? std::clamp(screen, compare_output_height(view, width, true), whole) : whole;
}

std::string pair_words(const CompareView& view, int query, int key) {
  if (query < 0 || key < 0 || query >= view.sheet.trace().T || key >= view.sheet.trace().S) return {};
  const std::string pair = pair_in_words(view.sheet.in, query, key);
  if (!may_read(view.sheet.trace(), query, key)) return pair + " · masked: both weights are exactly 0";
  const double a = static_cast<double>(view.weight_a(query, key)),
               b = static_cast<double>(view.weight_b(query, key));
  // One line, which covers few cells. The card's foot has the heads' names.
  const int decimals = view.decimals();  // as in the cells
  return pair + " · A " + weight_text(a, decimals) + " · B " + weight_text(b, decimals) + " · A − B " +
         difference_text(a, b, decimals);
}

}  // namespace

std::string compare_question(const PageInput& in) {
  const scene::CompareResults* r = results_of(in);
  if (!r) return "Where do two heads differ?";
  const bool stack = r->layered(), seeds = r->other_seed;
  const auto name = [&](int layer, int head) {
    return (stack ? "head " + std::to_string(layer + 1) + "." : "head ") + std::to_string(head + 1);
  };
  if (r->a == r->b && !seeds && (!stack || r->layer_a == r->layer_b)) return "Where do two heads differ?";
  return "Where do " + name(r->layer_a, r->a) + " and " + name(r->layer_b, r->b) +
         (!seeds                       ? ""
          : in.results.model && !stack ? " of random weights"
                                       : " of another seed") +
         " differ?";
}

float compare_page(draw::Canvas& canvas, Box area, const PageInput& in) {
  const Pen pen{canvas, in.theme, in.hover};
  const scene::CompareResults* results = results_of(in);
  if (!results) {
    const scene::CompareResults* failed = in.own<scene::CompareResults>();
    return no_results(pen, area, failed ? failed->problem : "", !in.results.tokens.empty(),
                      {.failed = "The heads cannot be computed",
                       .computing = "The heads are being computed",
                       .appears = "they appear here when they are done",
                       .sentence = "then compare two of its heads"});
  }
  const Selection selection = compare_selection(in, *results);
  const Sheet sheet{pen, in, selection, &compare_trace(in, *results)};
  const CompareView view(sheet, *results);
  const float margin = area.w < 700 ? 10.f : 16.f;
  Box rest{area.x + margin, area.y + 8, area.w - 2 * margin, 1e6f};
  const auto next = [&](float height) { return take_top(rest, height); };
  float roles = compare_roles_height(view);
  if (rest.w >= wide_from) {
    const float window = area.y + area.h - margin - rest.y;
    const bool three = rest.w >= three_from;  // the heads that are switched off are in the row below the maps
    const bool window_only = !canvas.plain();
    // Of the cards in that row, the one of roles shows A and B alone where it has no room for the table.
    const bool beside = rest.w >= pairs_beside_from || three;
    // A card alone, as in a lesson, has the table: its words may speak of any head.
    const bool pairs = window_only && !in.alone && beside && rest.w < role_table_from;
    const float right_width = three ? std::max(400.f, std::round(rest.w * 0.36f)) : rest.w;
    const float output_width = beside ? right_width : std::round(rest.w * 0.62f);
    float output = output_height(view, output_width, window);
    const auto row_height = [&](bool tight) {
      const float of_roles =
          pairs ? compare_role_pairs_height(view, tight) : compare_roles_height(view, tight);
      return beside ? std::max(of_roles, compare_apart_height(view, tight)) : of_roles;
    };
    roles = row_height(false);
    // The maps take most of the first screen, or less if the next row then fits beneath them, or all of it if
    // nothing else fits.
    const bool large = window_only && rest.w >= columns_from - 2 * card_gap;
    // In a large window the maps are a little higher than wide, so that they have most of it.
    const float most = rest.w / 3 + (canvas.plain() ? 190.f : large ? 252.f : 212.f);
    const auto above = [&](float below, float share) {
      const float at_least = std::max(window - below - card_gap, window * share);
      return std::clamp(std::min(window * hero_share, at_least), 350.f, most);
    };
    float below = std::max(roles, three ? output : 300.f), wanted = above(below, least_hero_share);
    if (three && wanted + card_gap + below > window) {  // try the row at its least height below smaller maps
      const float tight = std::max(row_height(true), compare_output_height(view, right_width, true));
      const float smaller = above(tight, tight_hero_share);
      if (smaller + card_gap + tight <= window) roles = output = below = tight, wanted = smaller;
    }
    if (large) {
      below = std::max(row_height(true), compare_output_height(view, right_width, true));
      wanted = std::max(wanted, std::min(most, window - card_gap - below));
      roles = output = below = std::max(below, window - card_gap - wanted);
    }
    // Few heads need little below the maps, which then have most of the window.
    constexpr float low_row = 196, least_window = 760, most_heads = 4;
    const bool low =
        !three && window_only && window >= least_window && static_cast<float>(view.heads()) <= most_heads;
    if (low) {
      roles = below = std::max(row_height(true), low_row);
      wanted = std::min(above(below, hero_share), window - card_gap - below);
    }
    // Maps of one cell need no more on paper. In a window they fill the first screen, as others do.
    if (view.one_token() && canvas.plain()) wanted = std::min(wanted, one_token_height);
    const float maps = first_row(window, wanted, below), left = window - maps - card_gap;
    float heights[] = {
        maps,
        three ? std::max({roles, output, std::min(left, 460.f)}) : std::max({roles, left, low ? 0.f : 300.f}),
        output};
    fill_screens(pen, std::span(heights).first(three ? 2 : 3), window, in.question_above);
    compare_maps_card(view, next(maps));
    const auto roles_card = [&](Box box) {
      pairs ? compare_role_pairs_card(view, box) : compare_roles_card(view, box);
    };
    Box row = next(heights[1]);
    if (three) {
      compare_similarity_card(view, take_left(row, std::min(std::round(row.w * 0.2f), row.h)));
      const Box right = row.cut_right(std::min(right_width, row.w - 400));
      row.cut_right(card_gap);
      const float half = part_of(row.w, pairs ? 0.5f : 0.6f);
      roles_card(take_left(row, half));
      compare_apart_card(view, row);
      compare_output_card(view, right);
    } else {
      compare_similarity_card(view, take_left(row, std::round(row.w * (beside ? 0.3f : 0.34f))));
      roles_card(beside ? take_left(row, part_of(row.w, 0.5f)) : row);
      if (beside) compare_apart_card(view, row);
      Box last = next(heights[2]);
      compare_output_card(view, beside ? last : take_left(last, output_width));
      if (!beside) compare_apart_card(view, last);
    }
  } else {
    const float window = area.h - 8 - margin;
    const bool upright = in.alone && !view.one_token() && compare_maps_upright(pen, {0, 0, rest.w, window});
    // As in the card of maps: a low window has all three in one row.
    const float inside = rest.w - 2 * card_padding;
    const bool three = !upright && (inside >= 560 || compare_maps_low_row(pen, inside, window));
    const float whole = three                       ? 130 + rest.w * 0.36f
                        : compare_maps_stacked(pen) ? 400 + rest.w * 1.3f
                                                    : 170 + rest.w * 1.3f;
    const float maps = (view.one_token() && three ? one_token_height : whole) + compare_choosers_more(view);
    constexpr float two_rows = 600;  // in less height their maps would be a few units high each
    float high = hero_height(pen, window, maps, (three ? 270.f : two_rows) + compare_choosers_more(view));
    const float similarity = std::clamp(rest.w * 0.8f, 300.f, 460.f);
    // Where the table of roles fits beneath the maps, it fills the first screen.
    const float tight = compare_roles_height(view, true);
    const bool beneath = !pen.canvas.plain() && three && high + card_gap + tight <= window;
    if (beneath) {
      const float most = view.one_token() ? window : high + rest.w * 0.08f;
      high = std::min(window - card_gap - tight, most);
      roles = std::max(tight, window - card_gap - high);
    } else if (three && !pen.canvas.plain() && !on_slide(pen)) {
      // Higher cells take the rest of the window.
      high = std::clamp(window, high, view.one_token() ? window : high + rest.w * 0.18f);
    }
    float heights[] = {high, beneath ? roles : similarity, beneath ? similarity : roles,
                       compare_apart_height(view), output_height(view, rest.w, window)};
    fill_screens(pen, heights, window, in.question_above);
    compare_maps_card(view, next(heights[0]));
    if (beneath) compare_roles_card(view, next(heights[1]));
    compare_similarity_card(view, next(heights[beneath ? 2 : 1]));
    if (!beneath) compare_roles_card(view, next(heights[2]));
    compare_apart_card(view, next(heights[3]));
    compare_output_card(view, next(heights[4]));
  }
  return std::max(area.h, rest.y - card_gap + margin - area.y);
}

std::string compare_tooltip(const PageInput& in, const draw::Hit& hit) {
  const draw::Mark& mark = hit.mark;
  if (!mark.note.empty()) return mark.note;
  const scene::CompareResults* results = results_of(in);
  if (!results) return {};
  const Selection selection = compare_selection(in, *results);
  draw::NoCanvas unused;  // only text is produced here
  const Sheet sheet{Pen{unused, in.theme, in.hover}, in, selection, &compare_trace(in, *results)};
  const CompareView view(sheet, *results);
  if (mark.part == Part::cell) return pair_words(view, mark.query, mark.key);
  return token_tooltip(in, mark);
}

std::pair<int, int> compare_marked(const PageInput& in, std::string_view card) {
  const scene::CompareResults* r = results_of(in);
  if (r && card == "apart" && r->largest > 0) return {r->largest_query, r->largest_key};
  if (!r || card != "maps") return {-1, -1};
  const Selection selection = compare_selection(in, *r);
  draw::NoCanvas unused;
  const Sheet sheet{Pen{unused, in.theme, in.hover}, in, selection, &compare_trace(in, *r)};
  const CompareView view(sheet, *r);
  return {view.query, view.key};
}

std::string compare_words(const PageInput& in) {
  const scene::CompareResults* r = results_of(in);
  if (!r) return {};
  const Selection selection = compare_selection(in, *r);
  draw::NoCanvas unused;
  const Sheet sheet{Pen{unused, in.theme, in.hover}, in, selection, &compare_trace(in, *r)};
  const CompareView view(sheet, *r);
  return "A is " + view.name_a() + ", B is " + view.name_b() + ": cosine " + cosine_words(in) +
         ", largest difference " + in.text("bench_difference", base::weight_form(view.decimals()));
}

namespace {

std::string heads_off_words(const CompareView& view) {
  const scene::CompareResults& r = view.results;
  const PageInput& in = view.sheet.in;
  if (view.saved()) return {};
  const std::string of_layer = view.stack() ? " of " + view.layer_a() : std::string();
  if (const auto off = std::count(r.on.begin(), r.on.end(), 0); off > 0)
    return "Without " + base::counted(off, "head") + of_layer + " the output changes by " +
           in.text("bench_change") + " of its norm";
  if (r.effects.size() < 2 || std::isnan(r.effects.front().share)) return "All heads are on";
  const auto less = [](const nn::HeadEffect& a, const nn::HeadEffect& b) { return a.share < b.share; };
  const auto most = std::max_element(r.effects.begin(), r.effects.end(), less) - r.effects.begin() + 1;
  const auto effect = [&](int head) { return in.text(quantity("effect", {{"head", head}})); };
  if (!(r.effects[static_cast<std::size_t>(most - 1)].share > 0))
    return "The output" + of_layer + " is the same without any one head";
  int alike = 0;
  for (int head = 1; head <= static_cast<int>(r.effects.size()); ++head)
    alike += effect(head) == effect(static_cast<int>(most));
  if (alike > 1)
    return "Without any of " + base::counted(alike, "head") + of_layer + " the output changes by " +
           effect(static_cast<int>(most)) + " of its norm, the most";
  return "The output changes most without head " + std::to_string(most) + of_layer + ": by " +
         effect(static_cast<int>(most)) + " of its norm";
}

/// Says which common target A and B attend to, the one furthest above uniform attention. Empty when there are
/// no targets, as in cross-attention.
std::string both_roles(const CompareView& view) {
  const scene::CompareResults& r = view.results;
  const std::string a = strongest_role(r.uniform, r.roles[static_cast<std::size_t>(r.a)]),
                    b = strongest_role(r.uniform_b, r.role_b);
  if (a.empty() || b.empty()) return {};
  return "A, " + view.name_a() + ": " + a + "; B, " + view.name_b() + ": " + b;
}

}  // namespace

std::string compare_finding(const PageInput& in, std::string_view card) {
  const scene::CompareResults* r = results_of(in);
  if (!r || r->largest_query < 0 || r->largest_key < 0) return {};
  const Selection selection = compare_selection(in, *r);
  draw::NoCanvas unused;
  const Sheet sheet{Pen{unused, in.theme, in.hover}, in, selection, &compare_trace(in, *r)};
  const CompareView view(sheet, *r);
  if (card == "off") return heads_off_words(view);
  if (card == "roles") return both_roles(view);
  if (card != "maps" && card != "similarity" && card != "apart") return {};
  const std::string both = "A (" + view.name_a() + ") and B (" + view.name_b() + ")";
  if (!(r->largest > 0)) return both + " have the same weights";
  constexpr double rounds_to_one = 0.995;
  if (card == "similarity")
    return "The maps of " + both + " have a cosine " +
           (in.value("bench_cosine") >= rounds_to_one ? "above 0.995" : "of " + in.text("bench_cosine"));
  const int others = r->largest_pairs - 1;
  const std::string most = both + " differ most at " + pair_in_words(in, r->largest_query, r->largest_key) +
                           (others > 0 ? " and " + base::counted(others, "other pair") : std::string()) +
                           ", by " + in.text("bench_difference", base::weight_form(view.decimals()));
  if (card == "apart" || (view.query == r->largest_query && view.key == r->largest_key)) return most;
  // Add the pair that the maps mark.
  const auto at = static_cast<double>(r->difference.at(view.query, view.key));
  return most + ". At " + pair_in_words(in, view.query, view.key) + " A − B is " +
         weight_text(at, view.decimals());
}

}  // namespace headlight::views
