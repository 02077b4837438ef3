#define PCRE2_CODE_UNIT_WIDTH 8
#include "tokenizers/pattern.h"

#include <pcre2.h>

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/one_line.h"
#include "tokenizers/regex_syntax.h"
#include "tokenizers/unicode.h"

namespace headlight::tokenizers {

namespace {

struct Free {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
  void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
};

constexpr std::uint32_t most_steps = 10'000'000;      // per match
constexpr std::uint32_t most_kibibytes = 192 * 1024;  // per match
constexpr std::size_t window = 64;  // start positions to try between two checks of the time, in bytes
constexpr auto longest = std::chrono::seconds(10);

/// The processor time of this thread: a busy machine takes none of it from a text.
std::chrono::nanoseconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

struct Pattern::Compiled {
  std::unique_ptr<pcre2_code, Free> code;
};

base::Result<Pattern> Pattern::read(const io::Json* json, const std::string& where) {
  if (json != nullptr) {
    const io::Json* letters_json = io::member(*json, "String");
    const io::Json* regex_json = io::member(*json, "Regex");
    if (letters_json != nullptr && letters_json->is_string())
      return letters(letters_json->get_ref<const std::string&>());
    if (regex_json != nullptr && regex_json->is_string())
      return regex(regex_json->get_ref<const std::string&>(), where);
  }
  if (json != nullptr && json->is_string()) return letters(json->get_ref<const std::string&>());
  return base::Error{base::one_line(where + ": expected {\"String\": …} or {\"Regex\": …}, found " +
                                    (json != nullptr ? io::found(*json) : "nothing"))};
}

Pattern Pattern::letters(std::string what) {
  Pattern out;
  out.letters_ = std::move(what);
  return out;
}

base::Result<Pattern> Pattern::regex(std::string_view expression, const std::string& where) {
  const auto wrong = [&](const std::string& why) {
    return base::Error{base::one_line(where + ": the regular expression " + base::in_quotes(expression) +
                                      " is not supported: " + why)};
  };
  constexpr std::size_t most_bytes = 20'000;
  if (expression.size() > most_bytes)
    return wrong("it is longer than " + std::to_string(most_bytes) + " bytes");
  const auto translated = to_pcre2(expression);
  if (!translated) return wrong(translated.error());
  const std::unique_ptr<pcre2_compile_context, Free> context(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int error = 0;
  std::size_t at = 0;
  constexpr std::uint32_t options =
      PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_USE_OFFSET_LIMIT | PCRE2_NEVER_BACKSLASH_C;
  auto compiled = std::make_shared<Compiled>();
  compiled->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated->data()), translated->size(),
                                     options, &error, &at, context.get()));
  if (!compiled->code) {
    std::string why(256, '\0');
    const int length = pcre2_get_error_message(error, reinterpret_cast<PCRE2_UCHAR*>(why.data()), why.size());
    why.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return wrong(why);
  }
  Pattern out;
  out.expression_ = expression;
  out.compiled_ = std::move(compiled);
  return out;
}

base::Status Pattern::find(std::string_view text, std::vector<Match>& out) const {
  if (!compiled_) {
    if (letters_.empty()) return {};
    for (std::size_t at = text.find(letters_); at != std::string_view::npos;
         at = text.find(letters_, at + letters_.size()))
      out.push_back({at, at + letters_.size()});
    return {};
  }
  // Each thread keeps the buffers of a match: texts come in many small pieces.
  static thread_local const std::unique_ptr<pcre2_match_context, Free> context(
      pcre2_match_context_create(nullptr));
  static thread_local std::unique_ptr<pcre2_match_data, Free> kept;
  if (!kept) kept.reset(pcre2_match_data_create(1, nullptr));
  pcre2_match_data* data = kept.get();
  pcre2_set_match_limit(context.get(), most_steps);
  pcre2_set_depth_limit(context.get(), most_steps);
  pcre2_set_heap_limit(context.get(), most_kibibytes);
  const auto failed = [&] {
    kept.reset();
    return base::Error{base::one_line("the tokenizer’s regular expression " + base::in_quotes(expression_) +
                                      " takes too long on this text; use a shorter text")};
  };
  const auto subject = reinterpret_cast<PCRE2_SPTR>(text.data());
  std::optional<std::chrono::nanoseconds> began;
  std::size_t looked = 0;
  const auto after_character = [&](std::size_t at) {
    return at < text.size() ? at + utf8_length(text[at]) : at + 1;
  };
  std::optional<std::size_t> last_end;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t limit = at + window;
    pcre2_set_offset_limit(context.get(), limit);
    const int found =
        pcre2_match(compiled_->code.get(), subject, text.size(), at, PCRE2_NO_UTF_CHECK, data, context.get());
    if (++looked % 64 == 0) {
      const std::chrono::nanoseconds now = processor_time();
      if (!began) began = now;
      if (now - *began > longest) return failed();
    }
    if (found == PCRE2_ERROR_NOMATCH) {
      if (limit >= text.size()) break;
      at = limit + 1;
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
      continue;
    }
    if (found < 0) return failed();
    const std::size_t* ends = pcre2_get_ovector_pointer(data);
    const Match match{ends[0], ends[1]};
    if (match.begin < at || match.end < match.begin) return failed();  // \K that moves backwards
    if (match.end > match.begin) {
      out.push_back(match);
      at = match.end;
    } else {
      if (match.end != last_end) out.push_back(match);
      at = after_character(match.end);
    }
    last_end = match.end;
  }
  return {};
}

}  // namespace headlight::tokenizers
