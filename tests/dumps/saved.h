// Saved attention for a test: a whole dump as numbers, and files that are written for it.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "dumps/dump.h"
#include "io/npy.h"

namespace headlight::tests {

/// All weights, [L, B, H, T, S].
inline std::vector<double> all_weights(const dumps::Dump& dump) {
  std::vector<double> out;
  const dumps::DumpShape& s = dump.shape;
  std::vector<double> map(static_cast<std::size_t>(s.queries) * static_cast<std::size_t>(s.keys));
  for (int l = 0; l < s.layers; ++l)
    for (int b = 0; b < s.batch; ++b)
      for (int h = 0; h < s.heads; ++h) {
        const base::Status read = dump.rows(l, b, h, 0, s.queries, map);
        EXPECT_TRUE(read) << read.error();
        out.insert(out.end(), map.begin(), map.end());
      }
  return out;
}

inline std::string bytes_in(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A .npy file with any header; `type` as in "<f4".
inline std::string npy_bytes(const std::string& type, const std::string& shape, const std::string& data,
                             const std::string& fortran = "False") {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 255);
  out += static_cast<char>(header.size() >> 8);
  return out + header + data;
}

/// A .npy file of float32 in C order.
inline std::string npy_of(const std::vector<int>& shape, const std::vector<float>& values) {
  std::string bytes = io::npy_header("<f4", {shape.begin(), shape.end()});
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return bytes;
}

template <class Number>
std::string raw(const std::vector<Number>& numbers) {
  std::string out(numbers.size() * sizeof(Number), '\0');
  if (!numbers.empty()) std::memcpy(out.data(), numbers.data(), out.size());
  return out;
}

/// One line, short, that names the file.
inline void expect_line(const std::string& message, const std::string& file) {
  EXPECT_LT(message.size(), 600u) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_NE(message.find(file), std::string::npos) << message;
}

}  // namespace headlight::tests
