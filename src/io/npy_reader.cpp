#include "io/npy_reader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "base/one_line.h"
#include "io/little_endian.h"
#include "io/mistaken.h"

namespace headlight::io {

namespace {

using base::in_quotes;

constexpr std::size_t magic_bytes = 6, most_header = std::size_t(1) << 20, most_axes = 32;
constexpr std::uint64_t largest = std::uint64_t(std::numeric_limits<std::int64_t>::max());

struct Failure {
  std::string what;
};

/// Parses the dictionary. A Failure is thrown inside and caught by the caller.
class Dictionary {
 public:
  explicit Dictionary(std::string_view text) : text_(text) {}

  NpyArray read() {
    NpyArray out;
    bool type = false, order = false, shape = false;
    expect('{');
    while (!take('}')) {
      const std::string key = word();
      expect(':');
      bool* seen = key == "descr"           ? &type
                   : key == "fortran_order" ? &order
                   : key == "shape"         ? &shape
                                            : nullptr;
      if (seen == nullptr) throw Failure{"its header has the unknown key " + in_quotes(key)};
      if (*seen) throw Failure{"its header has " + key + " twice"};
      *seen = true;
      if (seen == &type) read_type(out);
      if (seen == &order) out.columns_first = truth();
      if (seen == &shape) out.shape = numbers();
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    blanks();
    if (at_ != text_.size()) throw Failure{"its header continues after its dictionary"};
    if (!type || !order || !shape) throw Failure{"its header lacks descr, fortran_order or shape"};
    return out;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool take(char wanted) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) throw Failure{std::string("its header lacks a ") + wanted};
  }
  std::string word() {
    blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const std::size_t end =
        quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) throw Failure{"its header lacks a text between quotes"};
    const std::string out(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return out;
  }
  bool truth() {
    blanks();
    for (const std::string_view stated : {std::string_view("True"), std::string_view("False")}) {
      if (text_.substr(at_, stated.size()) != stated) continue;
      at_ += stated.size();
      return stated == "True";
    }
    throw Failure{"its fortran_order is neither True nor False"};
  }
  std::vector<std::size_t> numbers() {
    std::vector<std::size_t> out;
    expect('(');
    while (!take(')')) {
      blanks();
      std::uint64_t value = 0;
      const std::size_t from = at_;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
        const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
        if (value > (largest - digit) / 10) throw Failure{"its shape has a number that is too large"};
        value = value * 10 + digit;
      }
      if (at_ == from) throw Failure{"its shape is not a tuple of whole numbers"};
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 writes them
      if (out.size() == most_axes) throw Failure{"its shape has more than 32 axes"};
      out.push_back(static_cast<std::size_t>(value));
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return out;
  }
  void read_type(NpyArray& out) {
    blanks();
    if (at_ < text_.size() && text_[at_] == '[')
      throw Failure{
          "its dtype is a record of several fields, which is not supported; save one array of numbers"};
    out.type = word();
    const std::string& type = out.type;
    const bool known = type.size() >= 2 && std::strchr("<>|=", type[0]) != nullptr;
    if (!known) throw Failure{"its dtype " + in_quotes(type) + " is not known"};
    out.big_endian = type[0] == '>';
    out.kind = type[1];
    if (out.kind == 'O')
      throw Failure{
          "its dtype is object (|O): the elements are a pickle, which is refused as unsafe; save "
          "an array of numbers or texts"};
    std::uint64_t width = 0;
    std::size_t digits = 0;
    for (std::size_t i = 2; i < type.size() && type[i] >= '0' && type[i] <= '9' && digits < 9; ++i, ++digits)
      width = width * 10 + static_cast<std::uint64_t>(type[i] - '0');
    const bool dated = (out.kind == 'M' || out.kind == 'm') && 2 + digits < type.size();
    if (std::strchr("fiubcUSVMm", out.kind) == nullptr || digits == 0 ||
        (2 + digits != type.size() && !dated))
      throw Failure{"its dtype " + in_quotes(type) + " is not known"};
    out.width = static_cast<std::size_t>(width) * (out.kind == 'U' ? 4 : 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Returns the bytes of all elements; nothing if it overflows.
std::optional<std::uint64_t> bytes_of(const NpyArray& array) {
  std::uint64_t total = array.width;
  for (const std::size_t side : array.shape)
    if (side == 0) return 0;
  for (const std::size_t side : array.shape) {
    if (total > largest / side) return std::nullopt;
    total *= side;
  }
  return total;
}

}  // namespace

base::Result<NpyArray> read_npy_header(const nn::WeightBytes& bytes, std::uint64_t begin, std::uint64_t size,
                                       const std::string& name) {
  const auto wrong = [&](const std::string& what) { return base::Error{name + ": " + what}; };
  const auto part = [&](std::uint64_t from, std::uint64_t count, std::string& to) {
    to.resize(static_cast<std::size_t>(count));
    return bytes.read(begin + from, to.size(), reinterpret_cast<std::byte*>(to.data()));
  };
  if (size == 0) return wrong("it is empty, not a .npy file");
  std::string start;
  if (const base::Status read = part(0, std::min<std::uint64_t>(size, 12), start); !read)
    return base::Error{read.error()};
  if (start.compare(0, magic_bytes, "\x93NUMPY", std::min(start.size(), magic_bytes)) != 0) {
    const std::string is = mistaken_for(start.substr(0, 8));
    return wrong("not a .npy file: " + (is.empty() ? "it does not begin as NumPy’s files do" : is));
  }
  const int version = start.size() > 6 ? static_cast<unsigned char>(start[6]) : 1;
  if (version < 1 || version > 3)
    return wrong("its format has the version " + std::to_string(version) + "; 1 to 3 are supported");
  const std::size_t length_bytes = version == 1 ? 2 : 4, prefix = magic_bytes + 2 + length_bytes;
  if (start.size() < prefix) return wrong("it is cut short: it ends before its header");
  const std::uint64_t length = little_endian(start, magic_bytes + 2, length_bytes);
  if (length > size - prefix) return wrong("it is cut short: it ends before the end of its header");
  if (length > most_header) return wrong("its header is longer than any: the file is damaged");
  std::string text;
  if (const base::Status read = part(prefix, length, text); !read) return base::Error{read.error()};
  NpyArray array;
  try {
    array = Dictionary(text).read();
  } catch (const Failure& failure) {
    return wrong(failure.what);
  }
  array.begin = begin + prefix + length;
  const std::uint64_t there = size - prefix - length;
  const std::optional<std::uint64_t> needed = bytes_of(array);
  if (!needed || *needed > there)
    return wrong("it is cut short: its header promises " +
                 (needed ? std::to_string(*needed) + " bytes" : std::string("more bytes than any file has")) +
                 " of numbers, and " + std::to_string(there) + " are there");
  array.rest = there - *needed;
  return array;
}

}  // namespace headlight::io
