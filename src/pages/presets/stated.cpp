// What a source says in words, compared with its own tables, with another source, or with a computed number.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "nn/attention.h"
#include "nn/cost.h"
#include "nn/positional.h"
#include "nn/random.h"
#include "pages/presets/list.h"
#include "pages/presets/presets.h"

namespace headlight::scene {

namespace {

constexpr const char* slides = "Self-Attention and Positional Encoding, slides";
constexpr const char* section = "Self-Attention and Positional Encoding, section";
constexpr const char* notes = "Self-attention and transformers";

std::string whole(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) at -= 3, digits.insert(at, 1, ',');
  return digits;
}

std::string decimals(double value, int count) {
  return numbers_text({value}, count);
}

Preset same_complexity() {
  Preset p{"“Same complexity per step”", std::string(slides) + ", Recap against its table",
           "page=cost;cost_n=512;cost_d=64;cost_k=3"};
  for (const int n : {64, 512}) {
    const nn::LayerSize size{n, 64, 3};
    const auto steps = static_cast<std::uint64_t>(n);
    const std::uint64_t rnn = nn::cost_of(nn::Architecture::recurrence, size).leading / steps,
                        attention = nn::cost_of(nn::Architecture::self_attention, size).leading / steps;
    PresetLine line = against("per token, n = " + std::to_string(n) + ", d = 64", "its recap",
                              "“Compared to RNNs: same complexity per step”",
                              "d² = " + whole(rnn) + ", n·d = " + whole(attention));
    line.agrees = rnn == attention;
    p.lines.push_back(line);
  }
  p.remark =
      "Its own table has O(nd²) for a recurrence and O(n²d) for self-attention: d² and n·d for each of n "
      "tokens. They are equal only at n = d.";
  p.short_word = "slides: “same complexity per step”; by its table 4,096 against 32,768 at n = 512, d = 64";
  return p;
}

Preset convolution_path() {
  Preset p{"Path length of a convolution",
           std::string(slides) + " and section, against " + chapter + ", 39.3",
           "page=cost;cost_n=512;cost_d=64;cost_k=3"};
  const nn::LayerSize size{512, 64, 3};
  using nn::Architecture;
  const auto line = [&](Architecture kind, const char* by, const char* stated, double growth) {
    nn::LayerSize one_sided = size;
    one_sided.side = nn::KernelSide::one_sided;
    PresetLine out =
        against("n = 512, k = 3: maximum path length", by, stated,
                decimals(growth, 1) + ", counted " + std::to_string(nn::cost_of(kind, size).longest_path) +
                    " layers with centred kernels and " +
                    std::to_string(nn::cost_of(kind, one_sided).longest_path) + " with one-sided ones");
    out.agrees = true;  // each is correct for its own kind
    return out;
  };
  p.lines.push_back(line(Architecture::convolution, "slides and section", "“O(n/k)”", 512.0 / 3));
  p.lines.push_back(
      line(Architecture::dilated_convolution, "chapter", "“O(log_k T)”", std::log(512.0) / std::log(3.0)));
  p.lines.push_back(against("which kind is meant", "chapter", "not stated",
                            "n/k without gaps, log_k n where the gaps grow"));
  p.remark =
      "Two different stacks: n/k for convolutions without gaps, log_k n when the gaps grow from layer to "
      "layer (dilated). The section means the first: its example is two layers of kernel 3 that cover five "
      "tokens. The chapter does not state which; Vaswani et al. (2017) name both. The counted numbers "
      "include what O(…) omits: a centred kernel of 3 carries information one position to each side, a "
      "one-sided kernel two positions to one side.";
  p.short_word =
      "path O(n/k) against O(log_k T): two kinds, and the chapter does not state which; 511 layers against 9 "
      "at n = 512, k = 3";
  return p;
}

Preset depth() {
  Preset p{"Variance 1, “regardless of depth”", "Self-Attention, Multi-Head, Positional Encodings, Why √d_k?",
           "page=variants;scale=true"};
  constexpr int samples = 4000;
  NumberList bare, scaled;
  for (const int d : {4, 16, 64}) {
    std::vector<float> q(static_cast<std::size_t>(samples * d)), k(q.size());
    nn::Random(7, 1).normals(0, q), nn::Random(7, 2).normals(0, k);
    double squares = 0;
    for (std::size_t at = 0; at < q.size(); at += static_cast<std::size_t>(d)) {
      double dot = 0;
      for (std::size_t c = at; c < at + static_cast<std::size_t>(d); ++c)
        dot += static_cast<double>(q[c]) * static_cast<double>(k[c]);
      squares += dot * dot;
    }
    bare.push_back(squares / samples), scaled.push_back(squares / samples / d);
  }
  p.lines.push_back(against("q·k ÷ √d_k, d_k = 4 16 64", "its words", "“at 1 regardless of depth”",
                            numbers_text(scaled, 2) + ": regardless of the width"));
  p.lines.push_back(against("q·k, d_k = 4 16 64", "its words", "“qk has variance dk”",
                            numbers_text(bare, 1) + ": it grows with the width"));
  p.lines.back().agrees = true;
  p.remark =
      "Width, not depth: the division removes d_k, the number of components, from the variance. The number "
      "of earlier layers does not occur in it, and the q and k of a deep layer need not have unit variance.";
  p.short_word = "“variance at 1 regardless of depth”: of the width d_k; depth is not in the formula";
  return p;
}

Preset extrapolation(base::Parallel& parallel) {
  Preset p{"Lengths that were never seen",
           std::string(notes) + ", the clock analogy against Positional encodings",
           "page=position;d_model=32;heads=4;positions=500;position_base=10000"};
  const auto closest = [&](int positions) {
    nn::Matrix rows;
    nn::sinusoidal({positions, 32, 10000, 0}, parallel, rows);
    double least = 1e30;
    for (const nn::NearestRow& row : nn::nearest_rows(rows, parallel)) least = std::min(least, row.distance);
    return least;
  };
  PresetLine works =
      against("closest rows of P, d = 32", "the clock analogy",
              "“This works, even if we never saw a long input sequence length during training”",
              decimals(closest(60), 2) + " apart of 60 positions, " + decimals(closest(500), 2) + " of 500");
  works.agrees = true;
  p.lines.push_back(works);
  p.lines.push_back(against("a model beyond its lengths", "Positional encodings",
                            "“does not enable extrapolation to sequences that are way longer”", ""));
  p.remark =
      "It remains true that every position has a unique code; the closest codes are as far apart at 500 "
      "positions as at 60. It does not follow that a model can use a code it was never trained on, and the "
      "same note says that it cannot.";
  p.short_word = "notes: “this works, even if we never saw a long input” and “does not enable extrapolation”";
  return p;
}

Preset divisor(base::Parallel& parallel) {
  Preset p{"λ: a divisor, not a wavelength", std::string(notes) + ", Represent position using sinusoids",
           "page=position;d_model=4;heads=1;positions=700;position_base=10000;position_pair=1"};
  // Its λ_1 for D = 4 is 10000^(2/4) = 100: pair 1 here, ω = 1/100.
  nn::Matrix rows;
  nn::sinusoidal({700, 4, 10000, 0}, parallel, rows);
  const double lambda = std::pow(10000, 0.5), period = 2 * std::numbers::pi / nn::frequencies(4, 10000)[1];
  const auto at = [&](double t) { return static_cast<double>(rows.at(static_cast<int>(std::lround(t)), 2)); };
  p.lines.push_back(
      follows("λ at D = 4", "its formula, 10,000^(2/4)", {100}, {1 / nn::frequencies(4, 10000)[1]}, 1));
  p.lines.push_back(follows("wavelength of sin(t/λ)", "2πλ", {2 * std::numbers::pi * lambda}, {period}, 1));
  p.lines.push_back(follows("sin(t/λ) at 10, 10 + λ, 10 + 2πλ", "its formula",
                            {std::sin(10 / lambda), std::sin(10 / lambda + 1), std::sin(10 / lambda)},
                            {at(10), at(10 + lambda), at(10 + period)}, 2));
  p.remark =
      "λ is the usual letter of a wavelength, after which a wave repeats; the note does not call it one. In "
      "sin(t/λ_m) it is the divisor of the position: the wavelength is 2πλ_m, as on the Positions page.";
  return p;
}

Preset one_sine(base::Parallel& parallel) {
  Preset p{
      "One sine, unique up to T = 36", std::string(notes) + ", Represent position using sinusoids",
      "page=position;d_model=4;heads=1;positions=36;position_base=32.828;position_pair=1;position_step=1"};
  // Pair 1 of d = 4 has ω = base^(−1/2): this base gives it a period of 36 positions.
  const double per_radian = 36 / (2 * std::numbers::pi);
  nn::Matrix rows;
  nn::sinusoidal({36, 4, per_radian * per_radian, 0}, parallel, rows);
  // The longest prefix of the sequence in which no value occurs twice.
  const auto unique = [&](bool with_cosine) {
    for (int t = 1; t < rows.rows(); ++t) {
      for (int s = 0; s < t; ++s) {
        double apart = std::abs(static_cast<double>(rows.at(t, 2)) - static_cast<double>(rows.at(s, 2)));
        if (with_cosine)
          apart += std::abs(static_cast<double>(rows.at(t, 3)) - static_cast<double>(rows.at(s, 3)));
        if (apart < 1e-4) return t;
      }
    }
    return rows.rows();
  };
  p.lines.push_back(against(
      "a sine of period 36: unique", "its words", "“unique positional feature value … up to T = 36”",
      std::to_string(unique(false)) + " positions; sin at 8 and 10 is " +
          numbers_text({static_cast<double>(rows.at(8, 2)), static_cast<double>(rows.at(10, 2))}, 3)));
  PresetLine pair = against("the same with its cosine", "its words", "“unique … for a longer range”",
                            std::to_string(unique(true)) + " positions");
  pair.agrees = true;
  p.lines.push_back(pair);
  p.remark =
      "A sine takes each value twice per period, once rising and once falling: from position 0, only a "
      "quarter of the period is unique. With the cosine, the whole period is.";
  p.short_word = "notes: one sine unique “up to T = 36”; with a period of 36 position 10 has the value of 8";
  return p;
}

Preset twenty_years() {
  Preset p{"“Twenty years later”", std::string(chapter) + ", 39.4", "page=memory"};
  p.lines.push_back(
      compare("from 1991 to 2021, in years", "its words: “Twenty years later”", {20}, {2021.0 - 1991.0}, 0));
  p.remark =
      "“In 1991, Jürgen Schmidhuber published …” and “Twenty years later, Schlag, Irie, and Schmidhuber "
      "(2021)”.";
  p.short_word = "chapter: “twenty years later”, from 1991 to 2021: 30";
  return p;
}

Preset networks() {
  Preset p{"Three networks or two", std::string(chapter) + ", 39.4 against 39.4.1", "page=memory"};
  const std::vector<std::string> listed = {"a slow net for key and value",
                                           "a second slow network for the query",
                                           "the fast weights that they write"};
  std::string names;
  for (const std::string& name : listed) names += (names.empty() ? ": " : ", ") + name;
  PresetLine three = against("networks that it lists", "39.4", "“The architecture had three networks”",
                             std::to_string(listed.size()) + " in the chapter" + names);
  three.agrees = true;
  p.lines.push_back(three);
  p.lines.push_back(
      against("networks that it lists", "39.4.1", "“is a two-network system”",
              std::to_string(listed.size()) + " in the chapter, or 2 without the fast weights"));
  p.remark =
      "Both passages describe the same machine: two trained nets and a matrix that they write. 39.4 counts "
      "the matrix, 39.4.1 calls the system after two and then names a second slow network beside the first. "
      "In the 1991 paper the matrix is multiplied by the input, and no network produces a query.";
  p.short_word = "chapter: “three networks” in 39.4, “a two-network system” in 39.4.1";
  return p;
}

Preset exponential_map() {
  Preset p{"“φ(·) = exp(·)”", std::string(chapter) + ", 39.4.1", "page=memory"};
  const double q[2] = {1, 0}, keys[3][2] = {{1, 0}, {0, 1}, {1, 1}};
  NumberList softmax, mapped;
  double softmax_sum = 0, mapped_sum = 0;
  for (const auto& k : keys) {
    softmax.push_back(std::exp(q[0] * k[0] + q[1] * k[1]));
    mapped.push_back(std::exp(q[0]) * std::exp(k[0]) + std::exp(q[1]) * std::exp(k[1]));
    softmax_sum += softmax.back(), mapped_sum += mapped.back();
  }
  p.lines.push_back(against("exp(q·k), exp(q)·exp(k)", "its words", "“differs only in using φ(·) = exp(·)”",
                            numbers_text({softmax[2], mapped[2]}, 3)));
  for (double& weight : softmax) weight /= softmax_sum;
  for (double& weight : mapped) weight /= mapped_sum;
  p.lines.push_back(against("weights on three keys", "its words", "“together with normalisation”",
                            "softmax " + numbers_text(softmax, 3) + ", φ = exp " + numbers_text(mapped, 3)));
  p.remark =
      "With q = [1, 0] and keys [1, 0], [0, 1], [1, 1]; the first line is the third key. exp(q)·exp(k) is a "
      "sum of products of exponentials. A feature map φ "
      "with "
      "φ(q)·φ(k) = exp(q·k) exists, but it has infinitely many components.";
  p.short_word = "chapter: softmax is “φ = exp”; exp(q·k) = 2.718 where exp(q)·exp(k) = 10.107";
  return p;
}

Preset previous_or_second() {
  Preset p{"The previous token, or position 2", std::string(chapter) + ", 39.7.1", "page=training"};
  int same = 0, queries = 0;
  std::string where;
  for (int query = 1; query < 4; ++query) {
    ++queries;
    if (query - 1 != 2) continue;
    ++same;
    where += (where.empty() ? "" : ", ") + std::to_string(query);
  }
  p.lines.push_back(against("previous token at position 2", "its motivation",
                            "“attend to the previous token regardless of identity”",
                            std::to_string(same) + " of " + std::to_string(queries) + ": query " + where));
  p.lines.push_back(against("the target of its toy", "its toy", "“(a) attend to the position-2 token”",
                            "key 2 for every query: target_pos[b, :, 2] = 1"));
  p.lines.back().agrees = true;
  p.remark =
      "The motivation is a relative relation, key i − 1. The toy task trains an absolute one, key 2 for "
      "every query: a different relation.";
  p.short_word = "chapter: motivates with “the previous token”, trains on “the position-2 token”";
  return p;
}

Preset space(base::Parallel& parallel) {
  Preset p{"“More space-efficient than binary”", std::string(section) + ", Absolute Positional Information",
           "page=position;d_model=32;heads=4;positions=60;position_base=10000;position_index=5"};
  nn::Matrix rows;
  nn::sinusoidal({60, 32, 10000, 0}, parallel, rows);
  int bits = 0;
  while ((1 << bits) < rows.rows()) ++bits;
  p.lines.push_back(against("60 positions: bits of one code", "its words",
                            "“Since the outputs are float numbers … more space-efficient than binary”",
                            std::to_string(bits) + " in binary, " + whole(rows.row(0).size_bytes() * 8) +
                                " as " + std::to_string(rows.cols()) + " floats"));
  p.remark =
      "Six bits distinguish 60 positions; a row of P has 32 floats of 32 bits. The advantage of the sines is "
      "not space but smoothness: close positions have close codes, and an offset is a rotation.";
  p.short_word = "section: “more space-efficient than binary”; 60 positions are 6 bits, a row of P is 1,024";
  return p;
}

}  // namespace

std::vector<Preset> stated_presets(base::Parallel& parallel) {
  return {same_complexity(), convolution_path(),   depth(),        extrapolation(parallel),
          divisor(parallel), one_sine(parallel),   twenty_years(), networks(),
          exponential_map(), previous_or_second(), space(parallel)};
}

}  // namespace headlight::scene
