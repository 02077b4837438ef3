#include "draw/theme.h"

#include <array>

namespace headlight::draw {

namespace {

constexpr Theme dark_theme{.dark = true,
                           .window = rgb(0x0a0c11),
                           .panel = rgb(0x12151d),
                           .border = rgb(0x2a2f3d),
                           .field = rgb(0x1c202b),
                           .field_hover = rgb(0x252a37),
                           .selected = rgb(0x363d4e),
                           .text = rgb(0xeceef4),
                           .dim = rgb(0x9ba3b5),
                           .faint = rgb(0x2a2f3d),
                           .accent = rgb(0xc9d0e0),
                           .on_accent = rgb(0x12151d),
                           .query = rgb(0xf0647c),
                           .key = rgb(0x4c9dfb),
                           .value = rgb(0x45e5d0),
                           .offset = rgb(0xdbc27f),
                           .good = rgb(0xc6ee6a),
                           .bad = rgb(0xff8a3d),
                           .mask = rgb(0x0a0c11),
                           .focus = rgb(0xc9d0e0)};

constexpr Theme light_theme{.dark = false,
                            .window = rgb(0xf1f2f6),
                            .panel = rgb(0xffffff),
                            .border = rgb(0xd9dce6),
                            .field = rgb(0xeef0f5),
                            .field_hover = rgb(0xe4e7ef),
                            .selected = rgb(0xffffff),
                            .text = rgb(0x13161f),
                            .dim = rgb(0x565e70),
                            .faint = rgb(0xd9dce6),
                            .accent = rgb(0x2b3040),
                            .on_accent = rgb(0xffffff),
                            .query = rgb(0xb3123f),
                            .key = rgb(0x015093),
                            .value = rgb(0x00796c),
                            .offset = rgb(0x7c6d01),
                            .good = rgb(0x4c7600),
                            .bad = rgb(0x7a2a00),
                            .mask = rgb(0xf1f2f6),
                            .focus = rgb(0x2b3040),
                            .weight = Colormap::weight_light,
                            .signed_weight = Colormap::signed_light};

Theme with(Theme theme, Ramp ramp) {
  if (ramp == Ramp::headlight) return theme;
  theme.weight = ramp == Ramp::viridis ? Colormap::viridis : Colormap::cividis;
  theme.signed_weight = Colormap::diverging;
  return theme;
}

}  // namespace

const Theme& theme(bool dark, Ramp ramp) {
  static const std::array<Theme, 6> themes{
      with(dark_theme, Ramp::headlight),  with(dark_theme, Ramp::viridis),  with(dark_theme, Ramp::cividis),
      with(light_theme, Ramp::headlight), with(light_theme, Ramp::viridis), with(light_theme, Ramp::cividis)};
  return themes[(dark ? 0u : 3u) + static_cast<std::size_t>(ramp)];
}

Colormap resolved(Colormap map, const Theme& theme) {
  return map == Colormap::weight ? theme.weight : map == Colormap::signed_weight ? theme.signed_weight : map;
}

Color color_of(const Theme& theme, Colormap map, float value, float lo, float hi) {
  return color_of(resolved(map, theme), value, lo, hi);
}

Color series(const Theme& theme, int index) {
  static constexpr std::uint32_t on_dark[] = {0xdbc27f, 0x8678c9, 0xbdfcaf, 0xea91bc,
                                              0x339c6d, 0xac7d1b, 0xf9ddff, 0x51bfee};
  static constexpr std::uint32_t on_light[] = {0x7e6f01, 0x7b67cc, 0x660344, 0xb94f87,
                                               0x8a3819, 0x422700, 0x6d3369, 0x320f71};
  const int n = ((index % 8) + 8) % 8;
  return rgb(theme.dark ? on_dark[n] : on_light[n]);
}

}  // namespace headlight::draw
