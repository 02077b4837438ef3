// Printed examples about positions.
#include <cmath>

#include "nn/positional.h"
#include "pages/presets/list.h"

namespace headlight::scene {

namespace {

constexpr const char* encoding = "Self-Attention and Positional Encoding, ";

nn::Matrix rows_of_p(int length, int width, long offset, base::Parallel& parallel) {
  nn::Matrix p;
  nn::sinusoidal({length, width, 10000, offset}, parallel, p);
  return p;
}

Preset columns(base::Parallel& parallel) {
  Preset p{"Columns 6–9, d = 32, 60 positions", std::string(encoding) + "frequency along the dimension",
           "page=position;d_model=32;heads=4;positions=60;position_base=10000;position_columns=6,7,8,9;"
           "position_index=10;position_delta=5"};
  const nn::Matrix m = rows_of_p(60, 32, 0, parallel);
  const auto four = [&](int row, int from) {
    NumberList out;
    for (int c = from; c < from + 4; ++c) out.push_back(static_cast<double>(m.at(row, c)));
    return out;
  };
  p.lines.push_back(follows("shape of P", "by its code", {60, 32}, {double(m.rows()), double(m.cols())}, 0));
  p.lines.push_back(follows("row 0, columns 0–3", "follows from its formula", {0, 1, 0, 1}, four(0, 0), 6));
  p.lines.push_back(follows("row 1, columns 0–3", "follows from its formula",
                            {0.8414709848, 0.5403023059, 0.5331684399, 0.8460091103}, four(1, 0), 6));
  p.lines.push_back(follows("row 59, columns 6–9", "follows from its formula",
                            {-0.8757902465, -0.4826918728, -0.3738766648, 0.9274784307}, four(59, 6), 6));
  const auto omega = nn::frequencies(32, 10000);
  p.lines.push_back(follows("frequencies of 6, 7 and 8, 9", "follows from its formula", {0.1778279410, 0.1},
                            {omega[3], omega[4]}, 6));
  p.remark =
      "Columns 6 and 8 are sines, 7 and 9 cosines of the same angles; 6 and 7 are faster than 8 and 9.";
  return p;
}

Preset binary() {
  Preset p{"Binary 0–7", std::string(encoding) + "position as continuous binary",
           "page=position;positions=60;position_index=5"};
  const char* printed[] = {"000", "001", "010", "011", "100", "101", "110", "111"};
  for (int i = 0; i < 8; ++i) {
    std::string bits;
    for (int b = 2; b >= 0; --b) bits += (i >> b & 1) ? '1' : '0';
    p.lines.push_back(compare_words(std::to_string(i) + " in binary is", "printed", printed[i], bits));
  }
  p.remark =
      "The lowest bit flips with every number, the next with every second, the third with every fourth.";
  return p;
}

Preset relative_rotation(base::Parallel& parallel) {
  Preset p{"Relative positions as rotations", std::string(encoding) + "relative positions",
           "page=position;d_model=32;heads=4;positions=60;position_base=10000;position_index=30;position_"
           "delta=5;position_pair=3"};
  struct Move {
    int i, delta, j, d;
    NumberList to;
  };
  const Move moves[] = {
      {10, 5, 0, 32, {0.6502878402, -0.7596878129}}, {30, 5, 0, 32, {-0.4281826695, -0.9036922051}},
      {10, 5, 3, 32, {0.4566033249, -0.8896703905}}, {30, 5, 3, 32, {-0.0591727861, 0.9982477556}},
      {0, 1, 0, 8, {0.8414709848, 0.5403023059}},    {100, -40, 2, 8, {0.5646424734, 0.8253356149}}};
  for (const Move& move : moves) {
    const nn::Matrix row = rows_of_p(1, move.d, move.i, parallel);
    const double omega = nn::frequencies(move.d, 10000)[static_cast<std::size_t>(move.j)];
    const nn::Rotation r = nn::rotation(move.delta, omega);
    const double a = static_cast<double>(row.at(0, 2 * move.j)),
                 b = static_cast<double>(row.at(0, 2 * move.j + 1));
    p.lines.push_back(follows(std::to_string(move.i) + " → " + std::to_string(move.i + move.delta) +
                                  ", pair " + std::to_string(move.j) + ", d = " + std::to_string(move.d),
                              "follows from its formula", move.to,
                              {r[0][0] * a + r[0][1] * b, r[1][0] * a + r[1][1] * b}, 6));
  }
  p.remark =
      "One matrix maps 10 to 15 and 30 to 35: it depends on the offset δ, including its sign, not on the "
      "position.";
  return p;
}

Preset odd_dimension(base::Parallel& parallel) {
  Preset p{"Odd dimension, d = 5", std::string(encoding) + "PositionalEncoding class",
           "page=position;d_model=5;heads=1;positions=60;position_base=10000"};
  const nn::Matrix m = rows_of_p(3, 5, 0, parallel);
  const NumberList rows[] = {{0, 1, 0, 1, 0},
                             {0.8414709848, 0.5403023059, 0.0251162229, 0.9996845379, 0.0006309573},
                             {0.9092974268, -0.4161468365, 0.0502165994, 0.9987383507, 0.0012619144}};
  for (int r = 0; r < 3; ++r)
    p.lines.push_back(follows("row " + std::to_string(r), "by its code", rows[r], row_of(m, r), 6));
  p.remark =
      "Three sines and two cosines, with the code of the slides. The class as printed in the section fails "
      "for odd sizes: two columns for three cosines.";
  return p;
}

Preset offset(base::Parallel& parallel) {
  Preset p{"Offset 7, d = 6", std::string(encoding) + "PositionalEncoding class",
           "page=attention;d_model=6;heads=1;position=sinusoidal;position_offset=7;position_base=10000"};
  const nn::Matrix m = rows_of_p(4, 6, 7, parallel);
  const NumberList rows[] = {
      {0.6569865987, 0.7539022543, 0.3192246506, 0.9476790714, 0.0150804712, 0.9998862832},
      {0.9893582466, -0.1455000338, 0.3628524110, 0.9318466225, 0.0172346242, 0.9998514728},
      {0.4121184852, -0.9111302619, 0.4056983770, 0.9140066012, 0.0193886972, 0.9998120215},
      {-0.5440211109, -0.8390715291, 0.4476708347, 0.8941984253, 0.0215426803, 0.9997679295}};
  for (int r = 0; r < 4; ++r)
    p.lines.push_back(follows("position " + std::to_string(r + 7), "by its code", rows[r], row_of(m, r), 6));
  p.remark = "Row t of the encoding belongs to position t + offset.";
  return p;
}

Preset frequency_index(base::Parallel& parallel) {
  Preset p{"Where the frequency index starts", "Self-attention and transformers, positions as sinusoids",
           "page=position;d_model=4;heads=1;positions=60;position_index=1;position_base=10000"};
  const nn::Matrix m = rows_of_p(2, 4, 0, parallel);
  p.lines.push_back(follows("D = 4, position 1", "the other sources, j from 0",
                            {0.84147098, 0.54030231, 0.00999983, 0.99995000}, row_of(m, 1), 6));
  p.lines.push_back(follows("D = 4, position 1", "as this one prints it, m from 1",
                            {0.00999983, 0.99995000, 0.00010000, 1.00000000}, row_of(m, 1), 6));
  p.remark =
      "This source prints the divisors λ_m = 10000^(2m/D) with m = 1 … D/2, one step slower than the others "
      "and "
      "than Vaswani et al. (2017), where the index starts at 0. The program uses theirs.";
  p.short_word = "frequency index from 1 in one source, from 0 in the others";
  return p;
}

}  // namespace

std::vector<Preset> position_presets(base::Parallel& parallel) {
  return {columns(parallel),       binary(),         relative_rotation(parallel),
          odd_dimension(parallel), offset(parallel), frequency_index(parallel)};
}

}  // namespace headlight::scene
