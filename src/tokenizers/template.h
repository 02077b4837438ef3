// The fourth step of a tokenizer: what it adds around one text or two.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/json_reader.h"

namespace headlight::tokenizers {

struct TemplateItem {
  std::optional<int> text;  // 0: the first text, 1: the second; nothing: `ids`
  std::vector<int> ids;
  int segment = 0;
};

struct Template {
  std::vector<TemplateItem> one{{.text = 0}};
  std::vector<TemplateItem> two{{.text = 0}, {.text = 1, .segment = 1}};

  /// Returns the one token between two texts if the second text has type 1 and everything before it type 0,
  /// as in BERT's templates; else nothing.
  std::optional<int> separator() const;
  /// Returns whether anything is added to two texts.
  bool adds_to_two() const;

  /// Returns begin text end; begin text end middle… text end: what BERT (middle empty) and RoBERTa (middle =
  /// end) add.
  static Template around(std::optional<int> begin, std::optional<int> end, bool end_twice,
                         int second_segment);
};

/// Reads the member `post_processor`: TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel (adds
/// nothing; it would trim the ranges of tokens, which here keep their spaces), and Sequence of these. `json`
/// may be null.
base::Result<Template> read_template(const io::Json* json, const std::string& where);

}  // namespace headlight::tokenizers
