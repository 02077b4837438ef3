#include "teach/lesson_check.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <initializer_list>
#include <optional>

#include "base/one_line.h"
#include "pages/controls.h"
#include "pages/missing.h"
#include "pages/page.h"
#include "pages/quantity_values.h"
#include "scene/settings.h"
#include "scene/trained_model.h"

namespace headlight::scene {

namespace {

/// The number with decimals that agree with the value, as few as its form and size allow.
std::optional<std::string> number_text(double value, base::NumberForm form) {
  if (!std::isfinite(value)) return std::nullopt;
  // Weights have two decimals everywhere, small ones as many as they need.
  if (form.style == base::NumberStyle::weight) form = decimals(2);
  const std::string usual = base::written(value, form);
  if (const auto number = parse_number(usual);
      number && agrees(value, *number) && (value == 0 || number->value != 0))
    return usual;
  for (int digits = 2; digits <= 9; ++digits) {
    const std::string text = base::fixed(value, digits);
    const auto number = parse_number(text);
    if (number && (number->value != 0 || digits == 9)) return text;
  }
  return std::nullopt;
}

/// Adds the arguments of the selection, so that head, query and key remain the same when others are clicked.
Quantity completed(Quantity quantity, const QuantitySource& from) {
  const std::string_view known = quantity.info->arguments;
  const auto takes = [&](std::string_view name) {
    for (std::size_t at = 0; (at = known.find(name, at)) != std::string_view::npos; at += name.size()) {
      const bool starts = at == 0 || known[at - 1] == ' ',
                 ends = at + name.size() == known.size() || known[at + name.size()] == ' ';
      if (starts && ends) return true;
    }
    return false;
  };
  const auto put = [&](const char* name, int value) {
    if (!takes(name) || !quantity.word(name, "").empty() || value < 0) return;
    quantity.arguments.emplace_back(name, std::to_string(value));
  };
  const int key = takes("key") ? key_of(quantity, from) : -1;
  put("head", head_of(quantity, from) + 1);
  put("query", query_of(quantity, from));
  put("key", key);
  return quantity;
}

struct WrittenQuantity {
  Quantity quantity;
  std::string number;
};
std::optional<WrittenQuantity> written_quantity(std::string_view text, const QuantitySource& from) {
  auto parsed = parse_quantity(text);
  if (!parsed) return std::nullopt;
  const double value = quantity_value(*parsed, from);
  Quantity whole = completed(*parsed, from);
  // If an argument changes the meaning of the default, the quantity remains as the page has it.
  const double same = quantity_value(whole, from);
  if (!(same == value)) whole = std::move(*parsed);
  auto number = number_text(value, whole.info->form);
  if (!number) return std::nullopt;
  return WrittenQuantity{std::move(whole), std::move(*number)};
}

/// The scenes that the choices of a control lead to: those of a number are not tried.
std::vector<Scene> scenes_by(const Setting& control, const Scene& scene) {
  std::vector<Scene> out;
  const auto with = [&](const auto& change) {
    Scene next = scene;
    control.visit(next, change);
    out.push_back(std::move(next));
  };
  control.visit(scene, [&](const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::same_as<Value, bool>) {
      with([&](auto& of) {
        if constexpr (std::same_as<std::decay_t<decltype(of)>, bool>) of = !of;
      });
    } else if constexpr (std::same_as<Value, MaskSet>) {
      with([&](auto& of) {
        if constexpr (std::same_as<std::decay_t<decltype(of)>, MaskSet>)
          of.causal = of.window = of.valid_length = true;
      });
    } else if constexpr (std::derived_from<Value, Word>) {
      for (int i = 0; i < static_cast<int>(value.list().size()); ++i) {
        with([&](auto& of) {
          if constexpr (std::derived_from<std::decay_t<decltype(of)>, SettableWord>) of.set(i);
        });
      }
    }
  });
  return out;
}

/// Why the control of a setting is not on view in this scene, or changes nothing; empty: it can be used.
std::string no_control(const std::string& name, const std::vector<std::string>& controls,
                       const QuantitySource& from) {
  const Setting* const one = find_setting(name);
  if (!one) return {};  // the lesson is not read
  const Field& field = one->field;
  const std::string control = "control " + base::in_quotes(name) + ": ",
                    page = room_of(from.scene.page).title;
  if (const auto own = own_page(field); own && *own != from.scene.page)
    return control + "it is a setting of " + room_of(*own).title + "; the page of this step is " + page;
  const bool by_model = from.results.model || from.results.opened || other_model(from.scene);
  if (by_model && fixed_by_model(field, from.scene))
    return control + "it is given by " + sizes_given_by(from.scene, from.results) + " and cannot be set";
  bool list = false;
  one->visit(from.scene,
             [&](const auto& value) { list = std::same_as<std::decay_t<decltype(value)>, IndexList>; });
  if (list && (!field.useful || useful_range(field, from.scene, from.results).max > most_chips))
    return control + "a list of these numbers has no control; choose them on the page";
  if (field.group == Group::none || field.group == Group::interface) return {};
  const auto shown = [&](const Scene& scene) { return !heading_of(field, scene).empty(); };
  if (shown(from.scene)) return {};
  // Another control of the step may bring it.
  for (const std::string& other : controls) {
    const Setting* const by = other == name ? nullptr : find_setting(other);
    if (!by) continue;
    const std::vector<Scene> scenes = scenes_by(*by, from.scene);
    if (std::any_of(scenes.begin(), scenes.end(), shown)) return {};
  }
  return control + page + " does not use it in the scene of this step";
}

class Checker {
 public:
  Checker(const LessonStep& step, std::span<const Given> given, const QuantitySource& from)
      : step_(step), given_(given), from_(from) {}

  std::vector<Finding> all() {
    words(step_.title, StepText::title, 0);
    paragraphs(step_.words, StepText::words);
    paragraphs(step_.reveal, StepText::reveal);
    if (step_.predict) words(step_.predict->ask, StepText::predict, 0);
    if (step_.question) {
      words(step_.question->ask, StepText::question, 0);
      paragraphs(step_.question->choices, StepText::choice);
      words(step_.question->why, StepText::why, 0);
    }
    if (step_.task) {
      words(step_.task->ask, StepText::task, 0);
      until();
    }
    for (std::size_t i = 0; i < step_.facts.size(); ++i)
      claim(step_.facts[i], StepText::fact, static_cast<int>(i));
    for (std::string& missing : what_is_missing(from_.scene, given_, &from_.results))
      found_.push_back({.text = StepText::picture, .message = std::move(missing)});
    for (const std::string& name : step_.controls) {
      if (std::string why = no_control(name, step_.controls, from_); !why.empty())
        found_.push_back({.text = StepText::picture, .message = std::move(why)});
    }
    notes();
    if (std::string elsewhere = framed_elsewhere(step_, from_); !elsewhere.empty())
      found_.push_back({.text = StepText::picture, .message = std::move(elsewhere)});
    return std::move(found_);
  }

 private:
  void paragraphs(const std::vector<std::string>& texts, StepText of) {
    for (std::size_t i = 0; i < texts.size(); ++i) words(texts[i], of, static_cast<int>(i));
  }

  void words(const std::string& text, StepText of, int index) {
    const auto paragraph = parse_words(text);
    if (!paragraph) {
      found_.push_back({.text = of, .index = index, .to = text.size(), .message = paragraph.error()});
      return;
    }
    for (const WordPart& part : *paragraph) {
      if (!part.number || !part.number->claim || holds(*part.number->claim, from_)) continue;
      const WordNumber& number = *part.number;
      const double value = quantity_value(number.claim->left, from_);
      Finding finding{
          .text = of, .index = index, .from = number.from, .to = number.to, .number = number.written.text};
      explain(finding, *number.claim, value);
      if (std::isfinite(value)) {
        std::string now = written_like(value, number.written);
        // "0.0" is not useful for 0.002.
        if (const auto zero = parse_number(now); value != 0 && zero && zero->value == 0)
          now = number_text(value, number.claim->left.info->form).value_or(now);
        finding.better =
            "{" + now + (number.at_start ? " at start = " : " = ") + number.claim->left.text() + "}";
      }
      found_.push_back(std::move(finding));
    }
  }

  void explain(Finding& finding, const Claim& claim, double value) const {
    const std::string name = claim.left.text();
    if (std::isnan(value)) {
      finding.unknown = from_.training == nullptr && trains();
      finding.message = finding.unknown
                            ? name + " is checked when the lesson is played and the run is trained"
                            : name + " has no value in this scene: " + why_no_value(claim.left, from_);
      if (const std::string why = not_there(claim.left, from_); !why.empty())
        finding.message = name + " is not there: " + why;
      return;
    }
    const std::string written = number_text(value, claim.left.info->form).value_or("not finite");
    finding.message = name + " is " + (claim.number ? written_like(value, *claim.number) : written);
    // Both may be equal to the last decimal that is written.
    if (claim.number && claim.relation != Relation::equal) finding.message = name + " is " + written;
    finding.message += claim.relation == Relation::below   ? ", not below "
                       : claim.relation == Relation::above ? ", not above "
                                                           : ", not ";
    if (claim.number) {
      finding.message += claim.number->text;
    } else {
      const double right = quantity_value(*claim.right, from_);
      finding.message +=
          claim.right->text() + ", which is " +
          number_text(right, claim.right->info->form).value_or("without a value in this scene");
    }
  }

  void notes() {
    const auto numbers = numbers_of_notes(step_.notes);
    if (!numbers)
      return found_.push_back({.text = StepText::picture, .message = "notes: " + numbers.error()});
    for (const WordNumber& number : *numbers) {
      if (!number.claim || holds(*number.claim, from_)) continue;
      Finding finding{.text = StepText::picture};
      explain(finding, *number.claim, quantity_value(number.claim->left, from_));
      finding.message = "notes: \"" + number.written.text + "\": " + finding.message;
      found_.push_back(std::move(finding));
    }
  }

  /// Adds no finding if the claim holds; one that cannot be read is a finding.
  void claim(const std::string& text, StepText of, int index) {
    const auto parsed = parse_claim(text);
    Finding finding{.text = of, .index = index, .to = text.size()};
    if (!parsed) {
      finding.message = parsed.error();
      found_.push_back(std::move(finding));
      return;
    }
    if (holds(*parsed, from_)) return;
    const double value = quantity_value(parsed->left, from_);
    explain(finding, *parsed, value);
    if (const auto number = number_text(value, parsed->left.info->form))
      finding.better =
          parsed->left.text() + " = " +
          (parsed->number && parsed->relation == Relation::equal ? written_like(value, *parsed->number)
                                                                 : *number);
    found_.push_back(std::move(finding));
  }

  /// Checks that each claim can be read, that what it names exists or can be brought into existence, and that
  /// not all of them hold before the user tries anything.
  void until() {
    const std::vector<std::string>& claims = step_.task->until;
    // The run of a page that trains is what the user tries.
    const QuantitySource untried{from_.scene, from_.results, trains() ? nullptr : from_.training};
    bool all = !claims.empty();
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const auto parsed = parse_claim(claims[i]);
      std::string message = parsed ? std::string() : parsed.error();
      if (parsed) message = never_there(parsed->left);
      if (parsed && message.empty() && parsed->right) message = never_there(*parsed->right);
      if (!message.empty())
        found_.push_back({.text = StepText::until,
                          .index = static_cast<int>(i),
                          .to = claims[i].size(),
                          .message = std::move(message)});
      all = all && parsed && holds(*parsed, untried);
    }
    if (claims.empty())
      found_.push_back({.text = StepText::until, .message = "the task has no goal yet; click a number"});
    if (all)
      found_.push_back({.text = StepText::until,
                        .to = claims.front().size(),
                        .message = "the goal is reached before anything is tried"});
  }

  bool trains() const { return room_of(from_.scene.page).uses(from_.scene).trains; }

  /// Why a goal can never be reached: its quantity has no value, and nothing that the step lets the user
  /// change can give it one. Empty: it has one, or may get one.
  std::string never_there(const Quantity& quantity) const {
    if (!std::isnan(quantity_value(quantity, from_)) || (trains() && !from_.training)) return {};
    const auto controls = [&](std::initializer_list<std::string_view> names) {
      return std::any_of(step_.controls.begin(), step_.controls.end(), [&](const std::string& one) {
        return std::find(names.begin(), names.end(), one) != names.end();
      });
    };
    if (controls({"page", "weights", "weights_file"})) return {};
    const std::string name = quantity.text();
    const PageRoom& room = room_of(page_of(*quantity.info));
    if (room.page != from_.scene.page && !room.computed_for_all)
      return name + " has no value in this scene: " + why_no_value(quantity, from_);
    const std::string why = not_there(quantity, from_);
    if (why.empty()) return {};
    const bool of_head = why.starts_with("head "),
               of_token = why.starts_with("query ") || why.starts_with("key ");
    // What else there may be of depends on settings that only the page knows: any of them may help.
    const bool may_come = of_head    ? controls({"heads"})
                          : of_token ? controls({"sentence", "saved_sequence", "heads"})
                                     : !step_.controls.empty();
    return may_come ? std::string() : name + " is not there: " + why;
  }

  const LessonStep& step_;
  std::span<const Given> given_;
  const QuantitySource& from_;
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> findings(const LessonStep& step, const QuantitySource& from) {
  return findings(step, step.scene, from);
}

std::vector<Finding> findings(const LessonStep& step, std::span<const Given> given,
                              const QuantitySource& from) {
  return Checker(step, given, from).all();
}

std::vector<std::string> untrue(const LessonStep& step, const QuantitySource& from) {
  return untrue(step, step.scene, from);
}

std::vector<std::string> untrue(const LessonStep& step, std::span<const Given> given,
                                const QuantitySource& from) {
  std::vector<std::string> lines;
  for (const Finding& one : findings(step, given, from)) {
    lines.push_back(one.number.empty() ? one.message : "\"" + one.number + "\": " + one.message);
  }
  return lines;
}

std::string* text_of(LessonStep& step, const Finding& finding) {
  const auto one_of = [&](std::vector<std::string>& texts) {
    const auto index = static_cast<std::size_t>(finding.index);
    return index < texts.size() ? &texts[index] : nullptr;
  };
  switch (finding.text) {
    case StepText::title:
      return &step.title;
    case StepText::words:
      return one_of(step.words);
    case StepText::reveal:
      return one_of(step.reveal);
    case StepText::predict:
      return step.predict ? &step.predict->ask : nullptr;
    case StepText::question:
      return step.question ? &step.question->ask : nullptr;
    case StepText::choice:
      return step.question ? one_of(step.question->choices) : nullptr;
    case StepText::why:
      return step.question ? &step.question->why : nullptr;
    case StepText::task:
      return step.task ? &step.task->ask : nullptr;
    case StepText::until:
      return step.task ? one_of(step.task->until) : nullptr;
    case StepText::fact:
      return one_of(step.facts);
    case StepText::picture:
      break;
  }
  return nullptr;
}

std::string number_in_words(std::string_view quantity, const QuantitySource& from) {
  const auto stated = written_quantity(quantity, from);
  return stated ? "{" + stated->number + " = " + stated->quantity.text() + "}" : std::string();
}

std::string number_as_claim(std::string_view quantity, const QuantitySource& from) {
  const auto stated = written_quantity(quantity, from);
  return stated ? stated->quantity.text() + " = " + stated->number : std::string();
}

}  // namespace headlight::scene
