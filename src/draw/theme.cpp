#include "draw/theme.h"

namespace headlight::draw {

namespace {

const Theme dark_theme{.dark = true,
                       .window = rgb(0x0e1016),
                       .panel = rgb(0x161922),
                       .border = rgb(0x272b38),
                       .field = rgb(0x1f2330),
                       .field_hover = rgb(0x2a2f40),
                       .text = rgb(0xe8eaf0),
                       .dim = rgb(0x959bab),
                       .faint = rgb(0x2c3140),
                       .accent = rgb(0x7c83ff),
                       .on_accent = rgb(0x0e1016),
                       .query = rgb(0xf25a5a),
                       .key = rgb(0x7c83ff),
                       .value = rgb(0x22b981),
                       .offset = rgb(0xf0a030),
                       .good = rgb(0x22b981),
                       .bad = rgb(0xf25a5a),
                       .mask = rgb(0x1b1e29),
                       .mask_stripe = rgb(0x343a4b),
                       .focus = rgb(0xf5c542)};

const Theme light_theme{.dark = false,
                        .window = rgb(0xf3f4f8),
                        .panel = rgb(0xffffff),
                        .border = rgb(0xdfe2ec),
                        .field = rgb(0xeeeff5),
                        .field_hover = rgb(0xe2e4ee),
                        .text = rgb(0x171a24),
                        .dim = rgb(0x5d6477),
                        .faint = rgb(0xe3e6ef),
                        .accent = rgb(0x4f46e5),
                        .on_accent = rgb(0xffffff),
                        .query = rgb(0xbe123c),
                        .key = rgb(0x4f46e5),
                        .value = rgb(0x04724f),
                        .offset = rgb(0xa05a00),
                        .good = rgb(0x04724f),
                        .bad = rgb(0xbe123c),
                        .mask = rgb(0xf0f1f5),
                        .mask_stripe = rgb(0xcfd3df),
                        .focus = rgb(0xb85c05)};

}  // namespace

const Theme& theme(bool dark) {
  return dark ? dark_theme : light_theme;
}

Color series(const Theme& theme, int index) {
  // After Paul Tol's bright and vibrant schemes, lightened or darkened until they stand out on either panel.
  static constexpr std::uint32_t on_dark[] = {0x7c83ff, 0xf0a030, 0x22b981, 0xf25a5a, 0x4cc9f0,
                                              0xe879c6, 0xc5d04a, 0xb69cff, 0xff9e80, 0x9fb3c8};
  static constexpr std::uint32_t on_light[] = {0x4f46e5, 0xa05a00, 0x04724f, 0xbe123c, 0x0077a8,
                                               0xb5338f, 0x6b7a00, 0x7a4fd0, 0xc2410c, 0x52606d};
  const int n = ((index % 10) + 10) % 10;
  return rgb(theme.dark ? on_dark[n] : on_light[n]);
}

}  // namespace headlight::draw
