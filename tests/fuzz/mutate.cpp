#include "fuzz/mutate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace headlight::fuzz {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t interesting[] = {0,
                                         1,
                                         2,
                                         7,
                                         127,
                                         128,
                                         255,
                                         256,
                                         32767,
                                         32768,
                                         65535,
                                         65536,
                                         0x7fffffff,
                                         0x80000000,
                                         0xffffffff,
                                         0x100000000,
                                         0x7fffffffffffffff,
                                         0x8000000000000000,
                                         0xffffffffffffffff};
constexpr std::string_view words[] = {"null",
                                      "true",
                                      "-1",
                                      "0",
                                      "1e308",
                                      "1e999",
                                      "NaN",
                                      "18446744073709551615",
                                      "9223372036854775807",
                                      "0.5",
                                      "[",
                                      "]",
                                      "{",
                                      "}",
                                      "\"",
                                      "\\u0000",
                                      "\\ud800",
                                      "\xff",
                                      "\xc3",
                                      "\xf0\x9f\x98\x80",
                                      "e\xcc\x81",
                                      "\n",
                                      "\r\n",
                                      "\t",
                                      "\x1b[2J",
                                      " ",
                                      ",",
                                      "../../x",
                                      "/dev/zero",
                                      "F32",
                                      "F16",
                                      "BF16",
                                      "I64"};
constexpr std::size_t utf8_words = 17;  // the first ones are UTF-8 each by itself

std::size_t number_end(const std::string& bytes, std::size_t at) {
  while (at < bytes.size() && (bytes[at] >= '0' && bytes[at] <= '9')) ++at;
  return at;
}

/// A run of digits becomes another number.
void change_number(std::string& bytes, Dice& dice) {
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < bytes.size() && at.size() < 4096; i = number_end(bytes, i) + 1)
    if (bytes[i] >= '0' && bytes[i] <= '9') at.push_back(i);
  if (at.empty()) return;
  const std::size_t begin = at[dice.below(at.size())], end = number_end(bytes, begin);
  const std::uint64_t value = interesting[dice.below(std::size(interesting))];
  bytes.replace(begin, end - begin, (dice.one_in(4) ? "-" : "") + std::to_string(value));
}

void change_bytes(std::string& bytes, Dice& dice) {
  const std::size_t size = bytes.size(), at = dice.below(size);
  switch (dice.below(9)) {
    case 0:
      if (size > 0) bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.below(8)));
      break;
    case 1:
      if (size > 0) bytes[at] = static_cast<char>(dice.below(256));
      break;
    case 2:
      bytes.insert(at, 1, static_cast<char>(dice.below(256)));
      break;
    case 3:
      if (size > 0) bytes.erase(at, 1 + dice.below(std::min<std::size_t>(size - at, 64)));
      break;
    case 4:
      bytes.resize(at);
      break;
    case 5: {
      const std::string part = bytes.substr(at, 1 + dice.below(64));
      bytes.insert(dice.below(size), part);
      break;
    }
    case 6: {  // a number of 1, 2, 4 or 8 bytes, little end first
      const std::uint64_t value = interesting[dice.below(std::size(interesting))];
      const std::size_t width = std::size_t(1) << dice.below(4);
      if (at + width <= size) std::memcpy(bytes.data() + at, &value, width);
      break;
    }
    case 7:
      bytes.insert(at, words[dice.below(std::size(words))]);
      break;
    default:
      change_number(bytes, dice);
      break;
  }
}

std::vector<Json*> nodes_of(Json& root) {
  std::vector<Json*> found{&root};
  for (std::size_t i = 0; i < found.size() && found.size() < 20'000; ++i)
    if (found[i]->is_structured())
      for (Json& child : *found[i]) found.push_back(&child);
  return found;
}

Json odd_value(Dice& dice) {
  switch (dice.below(9)) {
    case 0:
      return nullptr;
    case 1:
      return dice.one_in(2);
    case 2:
      return interesting[dice.below(std::size(interesting))];
    case 3:
      return -static_cast<std::int64_t>(interesting[dice.below(12)]);
    case 4:
      return 0.5;
    case 5:
      return 1e300;
    case 6:
      return std::string(words[dice.below(utf8_words)]);
    case 7:
      return Json::array();
    default:
      return Json::object();
  }
}

/// A value becomes another, a number is moved a little, a member is removed, renamed or doubled, a part is
/// put into another. False: not JSON.
bool change_json(std::string& text, Dice& dice) {
  Json root = Json::parse(text, nullptr, false);
  if (root.is_discarded()) return false;
  std::vector<Json*> nodes = nodes_of(root);
  Json& node = *nodes[dice.below(nodes.size())];
  switch (dice.below(6)) {
    case 0:
      node = odd_value(dice);
      break;
    case 1:
      if (node.is_number_integer())
        node =
            static_cast<std::int64_t>(node.get<std::uint64_t>() + (dice.one_in(2) ? 1 : ~std::uint64_t(0)));
      else
        node = odd_value(dice);
      break;
    case 2:
      if (node.is_object() && !node.empty()) {
        auto member = node.begin();
        std::advance(member, dice.below(node.size()));
        node.erase(member.key());
      } else if (node.is_array() && !node.empty()) {
        node.erase(dice.below(node.size()));
      }
      break;
    case 3:
      if (node.is_object())
        node[std::string(words[dice.below(utf8_words)])] = odd_value(dice);
      else if (node.is_array())
        node.insert(node.end(), node.empty() ? odd_value(dice) : Json(node.back()));
      else
        node = Json::array({Json(node), Json(node)});
      break;
    case 4: {
      const Json other = *nodes[dice.below(nodes.size())];
      if (other.size() < 2000) node = other;
      break;
    }
    default:
      if (node.is_string())
        node = node.get<std::string>() + std::string(words[dice.below(utf8_words)]);
      else
        node = Json{{"a", Json(node)}};
  }
  text = root.dump(-1, ' ', false, Json::error_handler_t::replace);
  return true;
}

std::uint64_t little(const std::string& bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i)
    value |= std::uint64_t(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}
void put(std::string& to, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) to += static_cast<char>(value >> (8 * i) & 255);
}

/// The JSON header of a safetensors file; its length is said right again.
bool change_header(std::string& bytes, Dice& dice) {
  const std::uint64_t length = little(bytes, 0, 8);
  if (bytes.size() < 8 || length > bytes.size() - 8) return false;
  std::string header = bytes.substr(8, length);
  if (dice.one_in(3))
    change_bytes(header, dice);
  else if (!change_json(header, dice))
    return false;
  std::string out;
  put(out, header.size(), 8);
  bytes = out + header + bytes.substr(8 + length);
  return true;
}

struct Entry {
  std::string name, bytes;
};

/// The stored entries of an archive; a compressed one stays as its compressed bytes.
std::vector<Entry> entries_of(const std::string& zip) {
  std::vector<Entry> found;
  std::size_t at = 0;
  while (at + 30 <= zip.size() && zip.compare(at, 4, "PK\x03\x04") == 0) {
    const std::size_t size = little(zip, at + 18, 4), name = little(zip, at + 26, 2),
                      extra = little(zip, at + 28, 2), begin = at + 30 + name + extra;
    if (begin > zip.size() || size > zip.size() - begin) break;
    found.push_back({zip.substr(at + 30, name), zip.substr(begin, size)});
    if (little(zip, at + 8, 2) == 8) {
      std::string unpacked(std::min<std::size_t>(little(zip, at + 22, 4), 1 << 20), '\0');
      z_stream stream{};
      stream.next_in = reinterpret_cast<Bytef*>(found.back().bytes.data());
      stream.avail_in = static_cast<uInt>(found.back().bytes.size());
      stream.next_out = reinterpret_cast<Bytef*>(unpacked.data());
      stream.avail_out = static_cast<uInt>(unpacked.size());
      if (inflateInit2(&stream, -15) == Z_OK) {
        if (inflate(&stream, Z_FINISH) == Z_STREAM_END) found.back().bytes = unpacked;
        inflateEnd(&stream);
      }
    }
    at = begin + size;
  }
  return found;
}

std::string zip_of(const std::vector<Entry>& entries) {
  std::string out, directory;
  for (const Entry& entry : entries) {
    const auto sum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(entry.bytes.data()), static_cast<uInt>(entry.bytes.size())));
    std::string common;
    put(common, 20, 2), put(common, 0, 2), put(common, 0, 2), put(common, 0, 4), put(common, sum, 4);
    put(common, entry.bytes.size(), 4), put(common, entry.bytes.size(), 4), put(common, entry.name.size(), 2);
    put(common, 0, 2);
    directory += "PK\x01\x02";
    put(directory, 20, 2);
    directory += common;
    put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 4);
    put(directory, out.size(), 4);
    directory += entry.name;
    out += "PK\x03\x04" + common + entry.name + entry.bytes;
  }
  std::string end = "PK\x05\x06";
  put(end, 0, 4), put(end, entries.size(), 2), put(end, entries.size(), 2), put(end, directory.size(), 4);
  put(end, out.size(), 4), put(end, 0, 2);
  return out + directory + end;
}

/// An entry's bytes or name change, it is doubled or left out; the archive around it is sound.
bool change_entry(std::string& bytes, Dice& dice) {
  std::vector<Entry> entries = entries_of(bytes);
  if (entries.empty()) return false;
  const std::size_t i = dice.below(entries.size());
  switch (dice.below(6)) {
    case 0:
      change_bytes(entries[i].name, dice);
      break;
    case 1:
      entries.push_back(entries[i]);
      break;
    case 2:
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    default:
      change_bytes(entries[i].bytes, dice);
      break;
  }
  bytes = zip_of(entries);
  return true;
}

}  // namespace

std::string mutated(std::string bytes, Form form, Dice& dice, std::size_t largest, std::size_t lead) {
  if (lead > 0 && bytes.size() > lead) {
    std::string first = bytes.substr(0, lead);
    if (dice.one_in(16)) first[dice.below(lead)] = static_cast<char>(dice.below(256));
    return first + mutated(bytes.substr(lead), form, dice, largest - std::min(lead, largest));
  }
  for (std::size_t changes = 1 + dice.below(4); changes > 0; --changes) {
    bool done = false;
    if (!dice.one_in(4)) {
      if (form == Form::json) done = change_json(bytes, dice);
      if (form == Form::safetensors) done = change_header(bytes, dice);
      if (form == Form::zip) done = change_entry(bytes, dice);
    }
    if (!done) change_bytes(bytes, dice);
  }
  if (bytes.size() > largest) bytes.resize(largest);
  return bytes;
}

}  // namespace headlight::fuzz
