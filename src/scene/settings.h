// Sets fields by name, with errors that a user can act on; converts scenes to and from JSON; keeps a scene
// consistent. Tested in tests/scene/settings_test.cpp, json_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "scene/setting.h"

namespace headlight::scene {

/// A setting as a file, a lesson or a command line gives it: its name, and its value as set_field() takes it.
using Given = std::pair<std::string, std::string>;

/// "there are 4 heads, 1 to 4". `nouns`: the plural where an s does not make it.
std::string what_exists(int first, int count, const char* noun, const char* nouns = nullptr);
/// The line about numbers that a setting names and that do not exist: "bench_a 9: there are 4 heads, 1 to 4;
/// 4 is used instead", or without `instead` "head 7, 9: there are 4 heads, 1 to 4; they are left out".
std::string missing_line(std::string_view name, const std::vector<int>& missing, const std::string& exists,
                         const std::string& instead);

/// That line for a number or list that was given to a setting, if it is another one in the scene, which
/// repair() has made valid. Empty: it is as it was given, or is no number.
std::string repaired_to(const Scene& scene, std::string_view name, const std::string& value);
/// The settings of a scene as it was read, before repair(), that are not the default, nor what a file means
/// that leaves them out; without texts.
std::vector<Given> chosen_in(const Scene& scene);
/// `unknown setting "hed" (did you mean head?)`
std::string unknown_setting(std::string_view name);
/// `assignment` is "name=value". The error for an unknown name gives the nearest known one; the error for a
/// wrong value gives the type, range or words. The scene is unchanged on error. check() has the rules between
/// fields.
base::Status set_field(Scene& scene, std::string_view assignment);
std::string get_field(const Scene& scene,
                      std::string_view name);  // in the form that set_field accepts; "" for an unknown name

/// Sets several fields, "a=1;b=2". An assignment ends at a ';' that is followed by the name of a setting and
/// '=', as a value may hold ';' itself (matrices do). The error is that of the first wrong assignment.
base::Result<Scene> with_fields(Scene scene, std::string_view assignments);

/// The value as users see it: when a trained model gives a setting a value that the setting cannot have (an
/// expansion factor of 16 or 2.5), the model's own value.
std::string value_in_words(const Scene& scene, std::string_view name);

/// Rules between fields: heads divides d_model, and the maps of a batch can be counted.
base::Status check(const Scene& scene);
/// An error when a head that is shown does not exist. repair() leaves such heads out.
base::Status check_heads(const Scene& scene);

/// Makes the scene the nearest valid one, for sliders and for values from a model file; from_json(to_json(…))
/// gives it back, equal. The rules: numbers are clamped to their ranges, heads become the nearest divisor of
/// d_model (the smaller of two), lists are sorted where order has no meaning, duplicates are dropped, and
/// columns, pair, index and δ stay within P. Queries and keys may lie beyond the tokens: they come back when
/// the sentence grows again.
void repair(Scene& scene);

/// With the weights of a trained model: names the settings that `wanted` changes against `before` and that
/// repair() resets because the model gives them, and how to free them; with saved attention, what the file
/// has. Empty: none.
std::string kept_by_model(const Scene& before, const Scene& wanted);

/// Does the setting choose one of what the model has, such as a layer? A number beyond the last chooses the
/// last.
bool chooses_of_model(std::string_view name);

/// True if the weights are a trained model's and it determines this setting: repair() resets any other value
/// or, as with the seed of random weights, the value has no effect. False for an unknown name.
bool given_by_model(const Scene& scene, std::string_view name);

std::vector<int> divisors(int n);

/// What a file, a line or a lesson means by a setting that it leaves out: the default; of the order of the
/// tokens the original one and of the query the second token, which were the defaults when there were such
/// files already.
Scene written_defaults();

/// A JSON object {"headlight": 1, "sentence": …}; stable order, every field. A text that is not well-formed
/// UTF-8 is also written byte for byte, in hexadecimal: "sentence_bytes", "weights_file_bytes".
std::string to_json(const Scene& scene);

/// Missing fields are those of written_defaults(); an unknown field, a wrong type or range is an error naming
/// `origin` and the field.
base::Result<Scene> from_json(std::string_view json, const std::string& origin);

/// The table of `headlight fields`: text, or a JSON array of {name, type, min, max, default, values, help}.
std::string describe_fields(bool json);

}  // namespace headlight::scene
