#include "io/pickle.h"

#include <bit>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "base/one_line.h"

namespace headlight::io {

namespace {

using Kind = PickleValue::Kind;
using base::in_quotes;

constexpr std::size_t most_values = 500'000, most_remembered = 500'000;
constexpr std::size_t most_pickled_axes = 16, longest_name = 64;
// Limit on copied items of tuples and dicts: otherwise a few bytes could request the same long list again and
// again.
constexpr std::size_t most_copied = std::size_t(8) << 20;

struct PickleFailure {
  std::string what;
};

bool is_storage(std::string_view name) {
  constexpr std::string_view begin = "torch ", end = "Storage";
  return name.size() > begin.size() + end.size() && name.size() <= longest_name &&
         name.substr(0, begin.size()) == begin && name.substr(name.size() - end.size()) == end;
}

bool is_known(std::string_view name) {
  return is_storage(name) || name == "collections OrderedDict" || name == "torch._utils _rebuild_tensor_v2" ||
         name == "torch._utils _rebuild_parameter";
}

/// The stack machine. A PickleFailure is thrown inside and caught by read_pickle().
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  Pickle run() {
    if (bytes_.size() < 2 || bytes_[0] != '\x80') throw PickleFailure{"it is not a pickle"};
    while (!step(byte())) {
    }
    return std::move(out_);
  }

 private:
  // Reading bytes.
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) throw PickleFailure{"the pickle ends unexpectedly"};
    const std::string_view part = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += static_cast<std::size_t>(count);
    return part;
  }
  unsigned char byte() { return static_cast<unsigned char>(take(1)[0]); }
  std::uint64_t unsigned_number(std::size_t width) {
    std::uint64_t out = 0;
    const std::string_view part = take(width);
    for (std::size_t i = width; i-- > 0;) out = out << 8 | static_cast<unsigned char>(part[i]);
    return out;
  }
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) throw PickleFailure{"the pickle ends unexpectedly"};
    const std::string_view part = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return part;
  }

  // Values and the stack.
  int make(Kind kind) {
    if (out_.values.size() >= most_values) throw PickleFailure{"the pickle has too many values"};
    out_.values.emplace_back().kind = kind;
    return static_cast<int>(out_.values.size()) - 1;
  }
  PickleValue& at(int number) { return out_.values[static_cast<std::size_t>(number)]; }
  PickleValue& push(Kind kind) {
    stack_.push_back(make(kind));
    return at(stack_.back());
  }
  int pop() {
    if (stack_.empty()) throw PickleFailure{"the pickle takes from an empty stack"};
    const int top = stack_.back();
    stack_.pop_back();
    return top;
  }
  PickleValue& top(Kind kind, const char* what) {
    if (stack_.empty() || at(stack_.back()).kind != kind)
      throw PickleFailure{std::string("the pickle expects ") + what};
    return at(stack_.back());
  }
  std::vector<int> pop_to_mark() {
    std::size_t begin = stack_.size();
    while (begin > 0 && at(stack_[begin - 1]).kind != Kind::mark) --begin;
    if (begin == 0) throw PickleFailure{"the pickle lacks a mark"};
    std::vector<int> items(stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.end());
    stack_.resize(begin - 1);
    return items;
  }
  void push_tuple(std::size_t count) {
    std::vector<int> items(count);
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    push(Kind::tuple).items = std::move(items);
  }
  void extend(Kind kind, const char* what, const std::vector<int>& items) {
    std::vector<int>& to = top(kind, what).items;
    if (kind == Kind::dict && items.size() % 2 != 0)
      throw PickleFailure{"a dict of the pickle lacks a value"};
    to.insert(to.end(), items.begin(), items.end());
  }
  void remember(std::uint64_t number) {
    if (stack_.empty()) throw PickleFailure{"the pickle takes from an empty stack"};
    if (memo_.size() >= most_remembered) throw PickleFailure{"the pickle stores too many values"};
    memo_[number] = stack_.back();
  }
  void recall(std::uint64_t number) {
    const auto found = memo_.find(number);
    if (found == memo_.end()) throw PickleFailure{"the pickle recalls a value that it has not stored"};
    stack_.push_back(found->second);
  }

  void global(std::string_view module, std::string_view name) {
    const std::string whole = std::string(module) + " " + std::string(name);
    if (!is_known(whole)) {
      throw PickleFailure{"its pickle requests the code " +
                          in_quotes(std::string(module) + "." + std::string(name)) +
                          ", which is rejected as unsafe; only tensors and plain values are supported"};
    }
    push(Kind::global).text = whole;
  }

  /// Returns a copy, since making another value moves the values.
  PickleValue popped() {
    const PickleValue& value = at(pop());
    spend(value.items.size());
    return value;
  }
  void spend(std::size_t items) {
    copied_ += items;
    if (copied_ > most_copied) throw PickleFailure{"the pickle has too many values"};
  }

  /// ('storage', type, key, device, count)
  void storage() {
    const PickleValue id = popped();
    if (id.kind != Kind::tuple || id.items.size() < 5)
      throw PickleFailure{"a storage of the pickle is incomplete"};
    const PickleValue &word = at(id.items[0]), &type = at(id.items[1]), &key = at(id.items[2]),
                      &count = at(id.items[4]);
    if (word.text != "storage" || type.kind != Kind::global || !is_storage(type.text) ||
        key.kind != Kind::text || key.text.size() > longest_name || count.kind != Kind::integer ||
        count.integer < 0)
      throw PickleFailure{"a storage of the pickle is incomplete"};
    PickleValue made;
    made.kind = Kind::storage, made.text = key.text, made.count = count.integer;
    made.storage_type = type.text.substr(type.text.find(' ') + 1);
    push(Kind::storage) = std::move(made);
  }

  std::vector<std::int64_t> sizes(int number) {
    std::vector<std::int64_t> out;
    const PickleValue& list = at(number);
    if (list.kind != Kind::tuple || list.items.size() > most_pickled_axes)
      throw PickleFailure{"a tensor of the pickle has an invalid shape or strides"};
    for (const int item : list.items) {
      if (at(item).kind != Kind::integer || at(item).integer < 0)
        throw PickleFailure{"a tensor of the pickle has an invalid shape or strides"};
      out.push_back(at(item).integer);
    }
    return out;
  }

  /// (storage, offset, size, stride, …)
  void tensor(const PickleValue& arguments) {
    if (arguments.items.size() < 4) throw PickleFailure{"a tensor of the pickle is incomplete"};
    PickleValue made = at(arguments.items[0]);
    const PickleValue& offset = at(arguments.items[1]);
    if (made.kind != Kind::storage || offset.kind != Kind::integer || offset.integer < 0)
      throw PickleFailure{"a tensor of the pickle lacks its storage"};
    made.kind = Kind::tensor;
    made.offset = offset.integer;
    made.shape = sizes(arguments.items[2]), made.strides = sizes(arguments.items[3]);
    if (made.shape.size() != made.strides.size())
      throw PickleFailure{"a tensor of the pickle has an invalid shape or strides"};
    bool empty = false;
    for (const std::int64_t side : made.shape) empty = empty || side == 0;
    std::int64_t last = made.offset;  // the furthest element
    for (std::size_t i = 0; i < made.shape.size() && !empty; ++i) {
      const std::int64_t steps = made.shape[i] - 1, left = made.count - last;
      if (steps > 0 && made.strides[i] > 0 && (left <= 0 || steps > left / made.strides[i]))
        throw PickleFailure{
            "a tensor extends beyond its storage, which is too short for its shape and strides"};
      last += steps * made.strides[i];
    }
    if (!empty && last >= made.count)
      throw PickleFailure{
          "a tensor extends beyond its storage, which is too short for its shape and strides"};
    push(Kind::tensor) = std::move(made);
  }

  void reduce() {
    const PickleValue arguments = popped(), callee = popped();
    if (callee.kind != Kind::global || arguments.kind != Kind::tuple)
      throw PickleFailure{"the pickle calls something that is not a function, which is rejected as unsafe"};
    if (callee.text == "torch._utils _rebuild_tensor_v2") return tensor(arguments);
    if (callee.text == "torch._utils _rebuild_parameter") {
      if (arguments.items.empty() || at(arguments.items[0]).kind != Kind::tensor)
        throw PickleFailure{"a parameter of the pickle is not a tensor"};
      stack_.push_back(arguments.items[0]);
      return;
    }
    if (callee.text == "collections OrderedDict") return ordered_dict(arguments);
    throw PickleFailure{"the pickle calls " + in_quotes(callee.text) + ", which is rejected"};
  }

  void ordered_dict(const PickleValue& arguments) {
    std::vector<int> items;
    if (!arguments.items.empty()) {
      for (const int pair : at(arguments.items[0]).items) {
        if (at(pair).items.size() != 2) throw PickleFailure{"an OrderedDict of the pickle has no pairs"};
        spend(2);
        items.insert(items.end(), at(pair).items.begin(), at(pair).items.end());
      }
    }
    push(Kind::dict).items = std::move(items);
  }

  void integer(std::size_t width) {  // little-endian, signed
    if (width > 8) throw PickleFailure{"a number of the pickle has more than 64 bits"};
    std::uint64_t value = unsigned_number(width);
    if (width > 0 && width < 8 && (value >> (8 * width - 1) & 1) != 0)
      value |= ~std::uint64_t(0) << (8 * width);
    push(Kind::integer).integer = static_cast<std::int64_t>(value);
  }
  void text(std::uint64_t length) {
    const std::string_view part = take(length);
    push(Kind::text).text = std::string(part);
  }
  void truth(bool value) { push(Kind::truth).integer = value ? 1 : 0; }

  /// Returns true at the end.
  bool step(unsigned char code);
  bool step_text(unsigned char code);

  std::string_view bytes_;
  std::size_t at_ = 0;
  Pickle out_;
  std::vector<int> stack_;
  std::unordered_map<std::uint64_t, int> memo_;
  std::size_t copied_ = 0;
};

bool Reader::step(unsigned char code) {
  switch (code) {
    case 0x80:  // PROTO
      if (const int protocol = byte(); protocol < 2 || protocol > 5)
        throw PickleFailure{"its pickle has protocol " + std::to_string(protocol) + "; 2 to 5 are supported"};
      return false;
    case 0x95:  // FRAME
      take(8);
      return false;
    case '.':
      out_.root = pop();
      return true;
    case '(':
      push(Kind::mark);
      return false;
    case '0':
      pop();
      return false;
    case '1':
      pop_to_mark();
      return false;
    case '2':
      if (stack_.empty()) throw PickleFailure{"the pickle takes from an empty stack"};
      stack_.push_back(stack_.back());
      return false;
    case 'N':
      push(Kind::none);
      return false;
    case 0x88:
      truth(true);
      return false;
    case 0x89:
      truth(false);
      return false;
    case 'J':
      integer(4);
      return false;
    case 'K':
      push(Kind::integer).integer = byte();
      return false;
    case 'M':
      push(Kind::integer).integer = static_cast<std::int64_t>(unsigned_number(2));
      return false;
    case 0x8a:
      integer(byte());
      return false;
    case 'G': {
      std::uint64_t bits = 0;
      for (const char c : take(8)) bits = bits << 8 | static_cast<unsigned char>(c);
      push(Kind::number).number = std::bit_cast<double>(bits);
      return false;
    }
    case ']':
      push(Kind::list);
      return false;
    case 'a': {
      const int item = pop();
      extend(Kind::list, "a list", {item});
      return false;
    }
    case 'e': {
      const std::vector<int> items = pop_to_mark();
      extend(Kind::list, "a list", items);
      return false;
    }
    case 'l':
    case 't': {
      std::vector<int> items = pop_to_mark();
      push(code == 'l' ? Kind::list : Kind::tuple).items = std::move(items);
      return false;
    }
    case ')':
    case 0x85:
    case 0x86:
    case 0x87:
      push_tuple(code == ')' ? 0 : code - 0x84u);
      return false;
    case '}':
      push(Kind::dict);
      return false;
    case 's': {
      const int value = pop(), key = pop();
      extend(Kind::dict, "a dict", {key, value});
      return false;
    }
    case 'u': {
      const std::vector<int> items = pop_to_mark();
      extend(Kind::dict, "a dict", items);
      return false;
    }
    case 'h':
      recall(byte());
      return false;
    case 'j':
      recall(unsigned_number(4));
      return false;
    case 'q':
      remember(byte());
      return false;
    case 'r':
      remember(unsigned_number(4));
      return false;
    case 0x94:
      remember(memo_.size());
      return false;
    case 'R':
      reduce();
      return false;
    case 'b':  // the attributes of an OrderedDict are ignored
      pop();
      top(Kind::dict, "a dict before attributes; others are rejected as unsafe");
      return false;
    case 'Q':
      storage();
      return false;
    default:
      return step_text(code);
  }
}

bool Reader::step_text(unsigned char code) {
  switch (code) {
    case 'X':
    case 'B':
    case 'T':
      text(unsigned_number(4));
      return false;
    case 0x8c:
    case 'C':
    case 'U':
      text(byte());
      return false;
    case 0x8d:
    case 0x8e:
      text(unsigned_number(8));
      return false;
    case 'c': {
      const std::string_view module = line(), name = line();
      global(module, name);
      return false;
    }
    case 0x93: {
      const std::string name = at(pop()).text, module = at(pop()).text;
      global(module, name);
      return false;
    }
    default:
      throw PickleFailure{"its pickle has the instruction " + std::to_string(code) + " at byte " +
                          std::to_string(at_ - 1) +
                          ", which is not supported: the file is damaged or unsafe"};
  }
}

}  // namespace

const PickleValue* Pickle::member(const PickleValue& dict, std::string_view key) const {
  if (dict.kind != Kind::dict) return nullptr;
  const PickleValue* found = nullptr;  // the last one counts, as in Python
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
    const PickleValue& name = at(dict.items[i]);
    if (name.kind == Kind::text && name.text == key) found = &at(dict.items[i + 1]);
  }
  return found;
}

base::Result<Pickle> read_pickle(std::string_view bytes, const std::string& origin) {
  try {
    return Reader(bytes).run();
  } catch (const PickleFailure& failure) {
    return base::Error{origin + ": " + failure.what};
  }
}

}  // namespace headlight::io
