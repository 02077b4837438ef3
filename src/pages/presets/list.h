// The examples by subject, and the comparison of a line of numbers. Tested in tests/scene/presets_test.cpp.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "kernels/tensor.h"
#include "pages/presets/presets.h"

namespace headlight::scene {

using NumberList = std::vector<double>;

inline constexpr const char* chapter = "Self-Attention chapter";  // a source

/// "0.401  0.198  0.401"; whole numbers without decimals when `decimals` is 0.
std::string numbers_text(const NumberList& numbers, int decimals);
/// Agrees if every number is within half a unit of the last printed decimal (and of float32's rounding).
PresetLine compare(std::string what, std::string by, const NumberList& printed, const NumberList& here,
                   int decimals);
/// Agrees if the texts are equal.
PresetLine compare_words(std::string what, std::string by, std::string printed, std::string here);
/// What a formula or code of the source gives, written down once, beside the result of the program, which
/// follows the same formula. It is not called a second opinion, because it is none.
PresetLine follows(std::string what, std::string by, const NumberList& given, const NumberList& here,
                   int decimals);
/// What the source says in words, and the computed number that contradicts it. Words have no distance: the
/// gap is −1.
PresetLine against(std::string what, std::string by, std::string stated, std::string here);
NumberList row_of(const nn::Matrix& m, int row);

std::vector<Preset> attention_presets(base::Parallel& parallel);
std::vector<Preset> position_presets(base::Parallel& parallel);
std::vector<Preset> cost_presets(base::Parallel& parallel);
/// What a source says in words, compared with its own tables, with another source, or with a number.
std::vector<Preset> stated_presets(base::Parallel& parallel);
/// What a source says about the layer itself: its products, its symmetry, its memory.
std::vector<Preset> layer_presets(base::Parallel& parallel);
/// Exercises and experiments that train models, with the results that were measured.
std::vector<Preset> exercise_presets(base::Parallel& parallel);

// the, cat, sat, on, mat: [5, 16]; projections [16, 8]
extern const std::array<float, 80> anagram_embedding;
extern const std::array<float, 128> anagram_w_q, anagram_w_k, anagram_w_v;

}  // namespace headlight::scene
