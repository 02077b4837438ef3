#include "kit/page_view.h"

#include "pages/position/view/page.h"

namespace headlight::views {

namespace {

constexpr TabName position_tabs[] = {{"p", "Matrix P"},
                                     {"columns", "Waves"},
                                     {"clocks", "Clocks"},
                                     {"rotation", "Rotation"},
                                     {"build-up", "Columns of P"},
                                     {"uniqueness", "Unique rows"},
                                     {"binary", "Binary positions"},
                                     {"same-arc", "Same arc"},
                                     {"concat", "Concatenation"}};

std::string position_quantity(const PageInput&, const draw::Hit& hit) {
  if (hit.mark.part != draw::Part::position_cell || hit.mark.query < 0 || hit.mark.key < 0) return {};
  return quantity("p", {{"row", hit.mark.query}, {"col", hit.mark.key}});
}

constexpr CardControl own_controls[] = {{"clock_speed", "clocks"}, {"play", "clocks"}};

constexpr std::string_view of_positions_alone[] = {"p",        "columns",    "clocks", "rotation",
                                                   "build-up", "uniqueness", "binary", "same-arc"};

constexpr bool axis_across(const scene::Scene& scene) {
  return scene.positions.axis == scene::PAxis::across;
}

constexpr SettingCards acts_on[] = {
    {"sentence", "concat"},
    {"position_delta", "p columns clocks rotation same-arc binary uniqueness"},
    {"position_pair", "clocks rotation same-arc build-up"},
    {"position_pair", "p", axis_across},
    {"clock_speed", "clocks"},
    {"play_speed", "clocks"}};

constexpr PageQuestion position_questions[] = {
    {.question = "How is position encoded?",
     .answer = "Positions: the matrix P, its waves and its clocks",
     .words = "positional encoding embedding sinusoidal learned need where token",
     .place = "card p"},
    {.question = "How do the clocks relate to P?",
     .answer = "Positions: the hand of a clock is a sine and a cosine, two columns of P",
     .words = "clock hand relation angle columns sine cosine pair frequency rotation",
     .place = "card clocks"},
    {.question = "Why sine and cosine?",
     .answer = "Positions: a pair of columns is an angle, so a shift is a rotation",
     .words = "sin cos both pair rotation why",
     .place = "card rotation"},
    {.question = "What does the base change?",
     .answer = "Positions: wavelengths start at 2π and stay below 2π times the base",
     .words = "10000 wavelength wavelengths frequency frequencies period slow",
     .place = "card columns"},
    {.question = "Are two positions ever the same?",
     .answer = "Positions: how far apart the rows of P are",
     .words = "unique uniqueness distinct equal repeat collide",
     .place = "card uniqueness"},
};

}  // namespace

const PageView position_view{
    .draw = position_page,
    .question = position_question,
    .tooltip = position_tooltip,
    .status = position_words,
    .describe = plain::describe_position,
    .help = position_help,
    .hint =
        "Drag a position of P or a marker on a curve. Where there are clocks, Space runs them at their true "
        "speeds.",
    .also = "sinusoidal sine cosine clocks encoding wavelength",
    .questions = position_questions,
    .quantity_under = position_quantity,
    .finding = position_finding,
    .tabs = position_tabs,
    .without_sentence = of_positions_alone,
    .on_cards = own_controls,
    .acts_on = acts_on,
    .fills = true,
    .column = true,
    .sliders = true,
    .asks_itself = true,
};

}  // namespace headlight::views
