// Setting fields by name, with answers a person can act on; JSON in and out; keeping a scene consistent.
// Tested in tests/scene/settings_test.cpp, json_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scene/setting.h"

namespace headlight::scene {

/// `assignment` is "name=value". An unknown name names the nearest right one; a wrong value says the type,
/// range or words. The scene is unchanged on error. Cross-field rules are check()'s.
base::Status set_field(Scene& scene, std::string_view assignment);
std::string get_field(const Scene& scene,
                      std::string_view name);  // as set_field reads it; "" for an unknown name

/// Several of them, "a=1;b=2": one ends at a ';' that the name of a setting and '=' follow, as a value may
/// hold ';' itself (matrices do). The error is that of the first one that is wrong.
base::Result<Scene> with_fields(Scene scene, std::string_view assignments);

/// The same as it is told to people: where a trained model decides a setting and has a value that the setting
/// cannot have (a feed-forward layer 16 or 2.5 times as wide), the model's own.
std::string told_value(const Scene& scene, std::string_view name);

/// Rules between fields: heads divides d_model, and the heads shown exist.
base::Status check(const Scene& scene);

/// Nearest valid scene, for sliders and for what a model file says: from_json(to_json(…)) gives it back,
/// equal. The rules: numbers into their ranges, heads to the nearest divisor of d_model (the smaller of two),
/// lists sorted where order means nothing, duplicates dropped, columns, pair, index and δ within P. Queries
/// and keys may lie beyond the tokens: they come back when the sentence grows again.
void repair(Scene& scene);

/// With the weights of a trained model: which of the settings that `wanted` changes against `before` repair()
/// puts back, because the model gives them, and how to free them; of saved attention, what the file has.
/// Empty: none.
std::string kept_by_model(const Scene& before, const Scene& wanted);

/// The weights are a trained model's, and it decides this setting: whatever is asked for, repair() puts it
/// back; or, as with the seed of random weights, it has no effect. False for an unknown name.
bool given_by_model(const Scene& scene, std::string_view name);

std::vector<int> divisors(int n);

/// What a file, a line or a lesson means by a setting that it leaves out: the default; of the order of the
/// tokens the original one, which was the default when there were such files already.
Scene written_defaults();

/// A JSON object {"headlight": 1, "sentence": …}; stable order, every field. A text that is not well-formed
/// UTF-8 is also there byte for byte, in hexadecimal: "sentence_bytes", "weights_file_bytes".
std::string to_json(const Scene& scene);

/// Missing fields are those of written_defaults(); an unknown field, a wrong type or range is an error naming
/// `origin` and the field.
base::Result<Scene> from_json(std::string_view json, const std::string& origin);

/// The table of `headlight fields`: text, or a JSON array of {name, type, min, max, default, values, help}.
std::string describe_fields(bool json);

}  // namespace headlight::scene
