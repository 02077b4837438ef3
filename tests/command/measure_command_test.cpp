// headlight measure: what a trained model does, head by head, and what is left when heads are removed.
#include "command/command_line.h"

namespace headlight::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// What stands behind the first `words` of `text` up to the next comma, bracket or line, as a number.
double number_after(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  return at == std::string::npos ? -1 : std::atof(text.c_str() + at + words.size());
}

class MeasureCommandTest : public CommandLineTest {};

TEST_F(MeasureCommandTest, TheGuidedHeadIsNamedAndAttendsToTheNounThatIsMeant) {
  const std::string guided = run({"measure", "pronouns-guided"}).out;
  const std::size_t head = guided.find("layer 2, head 1, guided during training:");
  ASSERT_NE(head, std::string::npos) << guided;
  EXPECT_GE(number_after(guided.substr(head), "noun that is meant "), 0.9);
  EXPECT_LE(number_after(guided.substr(head), "the other noun "), 0.1);
  EXPECT_GE(number_after(guided, "right noun "), 95);

  const std::string free = run({"measure", "pronouns-free"}).out;
  EXPECT_THAT(free, testing::Not(HasSubstr("guided during training")));
  EXPECT_GE(number_after(free, "right noun "), 95);
  for (std::size_t at = free.find("layer "); at != std::string::npos && at < free.find("heads removed");
       at = free.find("layer ", at + 1))
    EXPECT_LT(number_after(free.substr(at), "noun that is meant "), 0.8) << "a head shows it";
}

/// Which held-out set a score is of is said, and it is that of the model's own training; the numbers of
/// README and lesson 11 are here.
/// One measurement of the English model serves both: of the sequences, and of the heads that are removed.
TEST_F(MeasureCommandTest, SaysWhichSequencesItTakesAndRemovesHeadsUntilNoneIsLeft) {
  const std::string free = run({"measure", "pronouns-free"}).out,
                    guided = run({"measure", "pronouns-guided"}).out,
                    english = run({"measure", "small-english"}).out;
  for (const std::string& out : {free, guided})
    EXPECT_THAT(out, HasSubstr(", on held-out sequences of seed 2, its training seed\n"));
  EXPECT_THAT(english,
              HasSubstr(", on held-out sequences of seed 1, its training seed\nbigram table: loss 3."));
  EXPECT_THAT(free, HasSubstr("\neither noun: loss 0.6931 on the same sequences\n"));
  EXPECT_THAT(free,
              HasSubstr("on the 384 held-out sentences of the lessons, seed 20191: right noun 99.2 %\n"));
  EXPECT_THAT(guided,
              HasSubstr("on the 384 held-out sentences of the lessons, seed 20191: right noun 100.0 %\n"));
  // Another compiler draws other sentences from the same seed, with the same grammar.
  EXPECT_NEAR(number_after(english, "held-out loss "), 2.28, 0.02);
  EXPECT_NEAR(number_after(english, "bigram table: loss "), 3.2, 0.03);
  EXPECT_THAT(english, testing::ContainsRegex("subject of the verb 0\\.(89|90|91) "));

  const double whole = number_after(english, "every head: agreement right ");
  EXPECT_GE(whole, 99);
  EXPECT_LT(number_after(english, "without layer 2, head 3: agreement right "), whole - 20)
      << "the subject's head";
  EXPECT_LT(number_after(english, "8 removed, the last one layer 2, head 3: agreement right "), whole - 40);
  EXPECT_THAT(english, AllOf(HasSubstr("1 removed"), testing::Not(HasSubstr("9 removed"))));
}

/// --prune measures the removed heads at the end of training, --like trains with a model's own settings: the
/// same run again.
TEST_F(MeasureCommandTest, TrainedAgainLikeAModelItIsTheSame) {
  const std::string first = file("first.safetensors"), again = file("again.safetensors"),
                    other = file("other.safetensors");
  auto words = small_training(first, 30);
  words.insert(words.end(),
               {"--seed", "3", "--set", "training_positions=alibi", "--set", "training_batch=4", "--prune"});
  const Outcome trained = run(words);
  ASSERT_EQ(trained.status, 0) << trained.err;
  EXPECT_THAT(trained.out,
              AllOf(HasSubstr("every head: exact match"), HasSubstr("without layer 1, head 1: exact match"),
                    HasSubstr("without layer 1, head 2: exact match"), HasSubstr("2 removed, the last one")));
  // What --prune prints is what `measure` says of the file.
  const std::string measured = run({"measure", first}).out;
  const std::size_t pruned = trained.out.find("  every head:");
  EXPECT_THAT(measured, HasSubstr(trained.out.substr(pruned, trained.out.find("written to") - pruned)));

  const Outcome like = run({"train", "--like", first, "--out", again});
  ASSERT_EQ(like.status, 0) << like.err;
  EXPECT_EQ(like.out.substr(0, like.out.find("written to")), trained.out.substr(0, pruned));
  EXPECT_EQ(*io::read_file(again), *io::read_file(first));
  // What is named beside it counts.
  const Outcome changed = run({"train", "--like", first, "--seed", "4", "--out", other});
  ASSERT_EQ(changed.status, 0) << changed.err;
  EXPECT_NE(*io::read_file(other), *io::read_file(first));
  EXPECT_THAT(changed.out, HasSubstr("1 layer, 2 heads, ALiBi"));
  refuses({"train", "--like", file("nothing.safetensors"), "--out", other}, 1,
          HasSubstr("nothing.safetensors"));
}

TEST_F(MeasureCommandTest, AModelThatIsNotThereIsOneLine) {
  refuses({"measure", file("nothing.safetensors")}, 1, HasSubstr("nothing.safetensors"));
  // The text of this one does not come with the program.
  refuses({"measure", "dictionary"}, 1,
          HasSubstr("wordnet.txt: no such file; check its name; --file names the text"));
}

}  // namespace
}  // namespace headlight::app
