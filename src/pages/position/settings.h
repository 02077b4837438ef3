// The settings of the Positions page, and their one list.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "scene/field.h"

namespace headlight::scene {

/// The positions of P: down, as rows; or across, on one axis with the wave of the chosen pair.
enum class PAxis { down, across };
enum class ClockSpeed { true_speed, logarithmic };

template <>
struct Words<PAxis> {
  static constexpr const char* list[] = {"down", "across"};
};
template <>
struct Words<ClockSpeed> {
  static constexpr const char* list[] = {"true", "logarithmic"};
  static constexpr const char* labels[] = {"true", "log"};
};

struct PositionSettings {
  int count = 60;  // rows of P
  int index = 10;
  int delta = 5;
  IndexList columns = {6, 7, 8, 9};
  int pair = 3;
  int step = 3;  // build-up: 1 = one sinusoid, 2 = sine and cosine, 3 = all frequencies
  PAxis axis = PAxis::down;
  ClockSpeed clock_speed = ClockSpeed::true_speed;
  bool play = false;
  double play_speed = 5;  // positions per second
  bool operator==(const PositionSettings&) const = default;
};

template <class S, class F>
requires std::same_as<std::remove_const_t<S>, PositionSettings>
void list_fields(S& s, F&& visit) {
  using G = Group;
  visit(Field{.name = "positions",
              .label = "Positions",
              .help = "rows of P",
              .group = G::encoding,
              .min = 1,
              .max = 4096,
              .logarithmic = true,
              .computes = true},
        s.count);
  visit(Field{.name = "position_index",
              .label = "Position i",
              .help = "position that the clocks show, a row of P",
              .group = G::encoding,
              .max = 1004095},
        s.index);
  visit(Field{.name = "position_delta",
              .label = "Offset δ",
              .help = "distance from the position to the second one",
              .group = G::encoding,
              .min = -4095,
              .max = 4095,
              .computes = true},
        s.delta);
  visit(Field{.name = "position_columns", .label = "Columns", .help = "plotted columns of P", .max = 65535},
        s.columns);
  visit(Field{.name = "position_pair",
              .label = "Pair j",
              .help = "pair of columns, 2j and 2j + 1, whose rotation is shown",
              .group = G::encoding,
              .max = 32767},
        s.pair);
  visit(Field{.name = "position_step",
              .label = "Build-up",
              .help = "1 one sinusoid, 2 sine and cosine, 3 all frequencies",
              .min = 1,
              .max = 3},
        s.step);
  visit(Field{.name = "p_axis",
              .label = "Positions of P",
              .help = "down, as rows, beside the plotted columns; or across, above the wave of pair j"},
        s.axis);
  visit(Field{.name = "clock_speed",
              .label = "Clock speed",
              .help = "true speeds, or logarithmic speeds, which are not those of the encoding",
              .group = G::motion},
        s.clock_speed);
  visit(Field{.name = "play", .label = "Play", .help = "move the position continuously", .group = G::motion},
        s.play);
  visit(Field{.name = "play_speed",
              .label = "Speed",
              .help = "positions per second",
              .group = G::motion,
              .min = 0.25,
              .max = 60,
              .logarithmic = true},
        s.play_speed);
}

/// Part of repair() in scene/settings.h: columns, pair, index and δ stay within P. Where none of the chosen
/// columns exists, the last four take their place; where nobody has chosen any, those of an opened model that
/// rotate visibly.
void repair_positions(Scene& scene);

/// What there is in the place of what the setting of this name has in `requested`: "there are 60 positions, 0
/// to 59". Empty: it is another setting, or a pair that exists.
std::string positions_there(const Scene& scene, const Scene& requested, std::string_view name);

/// The line about chosen columns that do not exist. Empty: all exist, or it is another setting.
std::string columns_left_out(const Scene& scene, const Scene& requested, std::string_view name);

}  // namespace headlight::scene
