// Which words the program does not use, with what it says instead and what stays allowed. Plain technical
// English: a query attends to a key, a weight is assigned to it, a token has a position.
#pragma once

#include <cctype>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::tests {

struct PlainRule {
  const char* stem;       // lower case; a text without it is not looked at further
  const char* forbidden;  // regular expression, upper and lower case alike
  const char* instead;
  const char* allowed = nullptr;  // taken out of the text before it is searched
};

// A file is read, a memory is read, a person reads and a question is asked: "read", "look", "ask" and "give"
// are wrong only with a query, a head or a token as their subject, or with attention as their object.
inline constexpr const char* reader =
    "(quer(y|ies)|keys?|heads?|tokens?|seats?|rows?|cat|it|nobody|sequence|layer|one)";

inline const std::vector<PlainRule>& plain_rules() {
  static const std::string subject = std::string("\\b") + reader;
  static const std::string reads =
      subject +
      "\\s+(of [AB] )?((may|can|shall|must|could|should|to|not) )?read(s)?\\b"
      "|\\bread(s)? (itself|ahead|one key|no key|exactly|other tokens|every other|all tokens|the mirrored)"
      "|\\bread by all|\\bnobody reads|\\breads forbidden";
  static const std::string looks =
      subject +
      "\\s+((may|can|shall|must|to) )?looks?\\b"
      "|\\blook(s|ing)? (at the (token|seat)|at two|by distance|everywhere|only\\b)"
      "|\\bfor looking only|\\blooks at\\b";
  static const std::string asks =
      subject +
      "\\s+asks?\\b|\\basks (itself|all|for the code)|\\basked (query|token|places?)"
      "|\\b(is|are) asked\\b|\\bto ask it(self)?\\b|\\bask with\\b|\\bnobody asked";
  static const std::string gives = subject +
                                   "\\s+gives? (itself|.{0,60}of its attention)"
                                   "|\\bgives? (itself|“|\\[key)";
  static const std::vector<PlainRule> rules = {
      {"whom", "\\bwhom\\b", "what"},
      {"shall", "\\bshall\\b", "must, should"},
      {"seat", "\\bseat(s|ed|ing)?\\b", "token position, permutation"},
      {"hat", "\\bhats?\\b", "roles"},
      {"be had", "\\bto be had\\b", "not available"},
      {"is had", "\\bis had\\b", "is available"},
      {"along", "\\b(comes?|came) along\\b|\\btakes? its row along|\\bcarried along\\b",
       "is included, is kept"},
      {"stand", "\\bstand(s|ing)?\\b", "is, is shown, is at position",
       "\\bstands? for\\b|\\bstands? out\\b"},  // an abbreviation stands for something
      {"stood", "\\bstood\\b", "was"},
      {"read", reads.c_str(), "attends to", "“one head reads the input forward”"},
      {"look", looks.c_str(), "attends to",
       "what to look (at|for)|look at (entropy|the|their|what)|it looks as if"},
      {"ask", asks.c_str(), "the selected query", "`ask`"},
      {"give", gives.c_str(), "assigns weight to"},
      {"likeness", "\\blikeness\\b", "similarity"},
      {"alike", "\\b(how|more|most) alike\\b|\\blook alike\\b", "similar"},
      {"softness", "\\bsoftness\\b", "temperature"},
      {"Expansion factor", "\\bwidening\\b", "expansion factor"},
      {"seen as", "\\bseen as\\b", "preview"},
      {", too", ", too\\b(?! )|, too [a-z]+ing|, too[.,;:)]", "also"},
      {"bit", "\\b[0-9.]+\\} bit\\b|\\bin bit\\b|\\d bits? bit|\\bentropy, bit\\b", "bits"},
      {" a ",
       "\\b(bytes|positions|frames|radians|numbers|multiplications) a (value|second|token|position|query)\\b",
       "per"},
      {"steps that wait", "\\bsteps that wait\\b", "sequential operations"},
      {"longest", "\\blongest (path|way)\\b", "maximum path length"},
      {"the way from", "\\bthe way from one\\b", "path length"},
      {"none of", "\\bis none of\\b", "Unknown …; did you mean …?"},
      {"is no ", "\\bis no [a-z]", "is not a …", "\\bthere is no\\b"},
      {"goes on", "\\bgoes on\\b|\\bgo on\\b", "continues"},
      {"ends in the middle", "\\bends in the middle\\b", "unexpected end"},
      {"whole scene", "\\bwhole scene\\b", "complete"},
      {"whole screen", "\\bwhole screen\\b", "full screen"},
      {"there already", "\\bis there already\\b", "already exists"},
      {"that is there", "\\bfile that is there\\b", "existing file"},
      {"on show", "\\bon show\\b", "shown"},
      {"ours", "\\bours\\b|\\bour (own|numbers?)\\b|\\bby ourselves\\b", "Headlight's"},
      {"write on", "\\bwrites? on\\b", "continue a text"},
      {"know", "\\b(model|layer|head|matrix|rows?|token) knows?\\b|\\bknows (of|only)\\b", "what it does"},
      {"brings back", "\\bbrings back\\b", "restores"},
      {"at hand", "\\bat hand\\b", "available"},
      {"is only its number", "\\bonly its number\\b", "A label is only as strong as its number"},
      {"asks for it", "\\basks for it with\\b", "requires"},
      {"'", "[a-z]'s\\b|s' [a-z]", "the apostrophe ’"},
      {"as many as", "\\bjust as many, \\b", "the same number"},
  };
  return rules;
}

/// What of `text` the rules forbid, each with the words around it. `code` in backquotes is left out.
inline std::vector<std::string> not_plain(std::string text) {
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::vector<std::string> found;
  for (const PlainRule& rule : plain_rules()) {
    if (lower.find(rule.stem) == std::string::npos) continue;
    std::string searched = lower;
    if (rule.allowed) searched = std::regex_replace(searched, std::regex(rule.allowed), "…");
    const std::regex forbidden(rule.forbidden, std::regex::icase);
    for (std::sregex_iterator at(searched.begin(), searched.end(), forbidden), end; at != end; ++at) {
      const std::size_t from = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at->position() - 30));
      found.push_back("“" + at->str() + "” (" + rule.instead +
                      ") in: " + searched.substr(from, static_cast<std::size_t>(at->length()) + 70));
    }
  }
  return found;
}

}  // namespace headlight::tests
