#include "io/pickle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headlight::tests {
namespace {

using io::PickleValue;
using testing::HasSubstr;
using namespace std::string_literals;

io::Pickle sound(const std::string& bytes) {
  const auto read = io::read_pickle(bytes, "p");
  EXPECT_TRUE(read) << read.error();
  return read ? *read : io::Pickle();
}
std::string error(const std::string& bytes) {
  const auto read = io::read_pickle(bytes, "p");
  return read ? "it was read" : read.error();
}

const std::string begin = "\x80\x02"s;
/// ('storage', torch.FloatStorage, '0', 'cpu', count) as a persistent id.
std::string storage(char count) {
  return "(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0"s + "0X\3\0\0\0cpuK"s + count + "tQ"s;
}
/// A tensor [2, 3] with these strides and offset.
std::string tensor(char count, char offset, char step_0, char step_1) {
  return begin + "ctorch._utils\n_rebuild_tensor_v2\n("s + storage(count) + "K" + offset + "K\2K\3\x86K"s +
         step_0 + "K" + step_1 +
         "\x86\x89"
         "ccollections\nOrderedDict\n)RtR."s;
}

TEST(Pickle, PlainValues) {
  // {'a': [1, -2, 2.5, None, True], 'b': ('x',)}
  const io::Pickle p = sound(begin + "}(X\1\0\0\0a](K\1J\xFE\xFF\xFF\xFFG\x40\4\0\0\0\0\0\0N\x88"s +
                             "eX\1\0\0\0bX\1\0\0\0x\x85u."s);
  const PickleValue* list = p.member(p.at(p.root), "a");
  ASSERT_NE(list, nullptr);
  ASSERT_EQ(list->items.size(), 5u);
  EXPECT_EQ(p.at(list->items[0]).integer, 1);
  EXPECT_EQ(p.at(list->items[1]).integer, -2);
  EXPECT_EQ(p.at(list->items[2]).number, 2.5);
  EXPECT_EQ(p.at(list->items[3]).kind, PickleValue::Kind::none);
  EXPECT_EQ(p.at(list->items[4]).integer, 1);
  EXPECT_EQ(p.at(p.member(p.at(p.root), "b")->items[0]).text, "x");
  EXPECT_EQ(p.member(p.at(p.root), "c"), nullptr);
}

TEST(Pickle, Tensors) {
  const io::Pickle p = sound(tensor(6, 0, 3, 1));
  const PickleValue& t = p.at(p.root);
  EXPECT_EQ(t.kind, PickleValue::Kind::tensor);
  EXPECT_EQ(t.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(t.storage_type, "FloatStorage");
  sound(tensor(6, 0, 1, 2));
  EXPECT_THAT(error(tensor(5, 0, 3, 1)), HasSubstr("storage"));
  EXPECT_THAT(error(tensor(6, 1, 3, 1)), HasSubstr("storage"));
  EXPECT_THAT(error(tensor(6, 0, 4, 1)), HasSubstr("storage"));
}

TEST(Pickle, NothingIsRun) {
  EXPECT_THAT(error(begin + "cposix\nsystem\nX\4\0\0\0ls -\x85R."s), HasSubstr("posix.system"));
  EXPECT_THAT(error(begin + "cbuiltins\neval\n."s), HasSubstr("rejected"));
  EXPECT_THAT(error(begin + "X\2\0\0\0osX\6\0\0\0system\x93."s), HasSubstr("os.system"));
  EXPECT_THAT(error(begin + "(X\2\0\0\0lsios\nsystem\n."s), HasSubstr("not supported"));  // INST
  EXPECT_THAT(error(begin + "ctorch\nFloatStorage\n)R."s), HasSubstr("rejected"));
  EXPECT_THAT(error(begin + "]N\x62."s), HasSubstr("rejected"));  // BUILD on a list
}

TEST(Pickle, EveryBeginningIsAnErrorAndNotACrash) {
  const std::string whole = tensor(6, 0, 3, 1);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto read = io::read_pickle(whole.substr(0, size), "p");
    EXPECT_FALSE(read) << size;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = whole;
      changed[at] = static_cast<char>(value);
      (void)io::read_pickle(changed, "p");
    }
  }
}

TEST(Pickle, WhatGrowsWithoutEndIsStopped) {
  std::string many = begin;
  for (int i = 0; i < 600'000; ++i) many += 'N';
  EXPECT_THAT(error(many + "."), HasSubstr("too many"));
  // A list that holds itself.
  const io::Pickle loop = sound(begin + "]q\0h\0a."s);
  EXPECT_EQ(loop.at(loop.root).items.front(), loop.root);
  // An OrderedDict of the same long list, again and again.
  std::string again = begin + "](";
  for (int i = 0; i < 50'000; ++i) again += "NN\x86"s;
  again += "e\x85q\1"s;
  for (int i = 0; i < 100'000; ++i) again += "ccollections\nOrderedDict\nh\1R"s;
  EXPECT_THAT(error(again + "."), HasSubstr("too many"));
}

}  // namespace
}  // namespace headlight::tests
