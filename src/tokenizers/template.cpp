#include "tokenizers/template.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/one_line.h"
#include "tokenizers/fields.h"

namespace headlight::tokenizers {

namespace {

constexpr int most = 1 << 30;

base::Result<std::vector<TemplateItem>> read_items(Fields& fields, std::string_view name) {
  std::vector<TemplateItem> out;
  const io::Json* special = fields.member("special_tokens");
  for (const io::Json& item : fields.list(name)) {
    const auto wrong = [&](const std::string& what) { return fields.wrong(std::string(name) + ": " + what); };
    const io::Json* sequence = io::member(item, "Sequence");
    const io::Json* token = io::member(item, "SpecialToken");
    const io::Json* body = sequence != nullptr ? sequence : token;
    if (body == nullptr) return wrong("expected Sequence or SpecialToken, found " + io::found(item));
    Fields inner(*body, fields.where() + ": " + std::string(name));
    TemplateItem made;
    made.segment = static_cast<int>(inner.number("type_id", 0, 1 << 20, 0));
    const std::string id = inner.text("id");
    if (inner.failed()) return inner.error();
    if (sequence != nullptr) {
      if (id != "A" && id != "B") return wrong("expected the Sequence A or B, found " + base::in_quotes(id));
      made.text = id == "A" ? 0 : 1;
    } else {
      const io::Json* known = special != nullptr ? io::member(*special, id) : nullptr;
      const io::Json* ids = known != nullptr ? io::member(*known, "ids") : nullptr;
      if (ids == nullptr || !ids->is_array())
        return wrong("special_tokens has no ids for " + base::in_quotes(id));
      for (const io::Json& json : *ids) {
        const auto number = io::whole_number(json, 0, most);
        if (!number)
          return wrong("the ids of " + base::in_quotes(id) + ": expected whole numbers, found " +
                       io::found(json));
        made.ids.push_back(static_cast<int>(*number));
      }
    }
    out.push_back(std::move(made));
  }
  if (fields.failed()) return fields.error();
  return out;
}

base::Result<int> read_pair(Fields& fields, std::string_view name) {
  const io::Json& pair = fields.list(name);
  if (fields.failed()) return fields.error();
  const auto id = pair.size() == 2 ? io::whole_number(pair[1], 0, most) : std::nullopt;
  if (!id) return fields.expected(name, "a list of a token and its id");
  return static_cast<int>(*id);
}

base::Result<Template> read_ends(Fields& fields, bool roberta) {
  const auto cls = read_pair(fields, "cls"), sep = read_pair(fields, "sep");
  if (!cls) return base::Error{cls.error()};
  if (!sep) return base::Error{sep.error()};
  return Template::around(*cls, *sep, roberta, roberta ? 0 : 1);
}

/// `adds` becomes false if the template adds nothing.
base::Result<Template> read_one(const io::Json& json, const std::string& where, bool& adds) {
  Fields fields(json, where);
  const std::string& type = fields.type();
  adds = true;
  if (type == "TemplateProcessing") {
    auto one = read_items(fields, "single");
    if (!one) return base::Error{one.error()};
    Template out;
    out.one = std::move(*one);
    if (fields.member("pair") != nullptr) {
      auto two = read_items(fields, "pair");
      if (!two) return base::Error{two.error()};
      out.two = std::move(*two);
    }
    return out;
  }
  if (type == "BertProcessing" || type == "RobertaProcessing")
    return read_ends(fields, type == "RobertaProcessing");
  if (type == "ByteLevel") return adds = false, Template();
  if (type == "Sequence") {
    adds = false;
    Template out;
    int number = 0;
    for (const io::Json& part : fields.list("processors")) {
      bool more = false;
      auto read = read_one(part, fields.where() + " " + std::to_string(++number), more);
      if (!read) return read;
      if (!more) continue;
      if (adds) return fields.wrong("two parts that add tokens are not supported");
      out = std::move(*read);
      adds = true;
    }
    if (fields.failed()) return fields.error();
    return out;
  }
  return fields.failed() ? fields.error() : fields.unknown();
}

}  // namespace

Template Template::around(std::optional<int> begin, std::optional<int> end, bool end_twice,
                          int second_segment) {
  Template out{.one = {}, .two = {}};
  const auto add = [](std::vector<TemplateItem>& to, std::optional<int> id, int segment) {
    if (id) to.push_back({.ids = {*id}, .segment = segment});
  };
  add(out.one, begin, 0);
  out.one.push_back({.text = 0});
  add(out.one, end, 0);
  out.two = out.one;
  if (end_twice) add(out.two, end, 0);
  out.two.push_back({.text = 1, .segment = second_segment});
  add(out.two, end, second_segment);
  return out;
}

std::optional<int> Template::separator() const {
  std::vector<int> between;
  bool first = false;
  for (const TemplateItem& item : two) {
    const bool second = item.text == 1;
    if (second && first && item.segment == 1 && between.size() == 1) return between.front();
    if (second || item.segment != 0) return std::nullopt;
    if (item.text) {
      first = true, between.clear();
    } else {
      between.insert(between.end(), item.ids.begin(), item.ids.end());
    }
  }
  return std::nullopt;
}

bool Template::adds_to_two() const {
  return std::any_of(two.begin(), two.end(), [](const TemplateItem& item) { return !item.text; });
}

base::Result<Template> read_template(const io::Json* json, const std::string& where) {
  if (json == nullptr || json->is_null()) return Template();
  bool adds = false;
  return read_one(*json, where, adds);
}

}  // namespace headlight::tokenizers
