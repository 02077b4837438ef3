// Exercises and experiments that train models. The page trains nothing: the numbers were measured with the
// settings that `set` opens, and tests/scene/presets_trained_test.cpp measures them again.
#include "pages/presets/list.h"
#include "pages/presets/presets.h"

namespace headlight::scene {

namespace {

PresetLine measured(std::string what, std::string by, std::string stated, std::string here, bool agrees) {
  PresetLine line = against(std::move(what), std::move(by), std::move(stated), std::move(here));
  line.agrees = agrees;
  return line;
}

Preset attention_alone() {
  Preset p{
      "Reversal by attention alone", std::string(chapter) + ", exercise 39.4",
      "page=training;training_task=reverse;training_layers=1;training_heads=1;training_d=32;"
      "training_length=12;training_steps=600;training_batch=32;training_rate=0.003;training_seed=7;"
      "training_residual=false;training_norm=none;training_feed_forward=false;training_end_token=false;"
      "training_dropout=0;training_positions=learned;training_compare=no_positions;training_plot=curves"};
  p.lines.push_back(measured("without positions, 600 steps", "its exercise",
                             "“it cannot solve the task, no matter how long you train”",
                             "0.0 % of strings reversed, held-out loss 2.76; after 6,000 steps 0.0 %, 2.57",
                             true));
  p.lines.push_back(measured("with learned positions, 600 steps", "its exercise",
                             "“verify it suddenly works”",
                             "100.0 % of strings reversed, held-out loss 0.0002", true));
  p.lines.push_back(measured("the one head, with positions", "its exercise",
                             "“a single self-attention layer”", "0.96 of its weight on the mirrored position",
                             true));
  p.remark =
      "Measured when both models were trained with the settings of this scene: one layer of one head, "
      "without residual connections, layer norm or feed-forward layer, on 12 letters; guessing has a loss of "
      "3.26. Without positions, equal letters get equal outputs at every position; such a layer can only "
      "learn which letters the string has.";
  return p;
}

Preset eight_heads() {
  Preset p{"Reversal with eight heads", std::string(chapter) + ", 39.7",
           "page=training;training_task=reverse;training_layers=2;training_heads=8;training_d=32;"
           "training_length=12;training_steps=1000;training_batch=32;training_rate=0.003;training_seed=7;"
           "training_residual=true;training_norm=pre;training_feed_forward=true;training_end_token=true;"
           "training_dropout=0;training_positions=sinusoidal;training_compare=nothing;training_layer=2;"
           "training_plot=curves"};
  p.lines.push_back(measured("heads of layer 2 that mirror", "its words", "“another backwards”",
                             "8 of 8, with 0.87 to 0.92 of their weight", true));
  p.lines.push_back(measured("heads that attend to the end token", "its words",
                             "“a third looks for the EOS marker”", "1, in layer 1, with 0.55 of its weight",
                             true));
  p.lines.push_back(measured("heads on their own or a neighbouring position", "its words",
                             "“one head reads the input forward”",
                             "none: at most 0.15 of the weight; uniform attention has 0.10", false));
  p.remark =
      "Measured with the settings of this scene, 100.0 % of strings reversed; the source trains its own "
      "model in its chapter 40, which is not among the sources. In this model the division of labour did not "
      "appear: all eight heads of layer 2 mirror. They also mirror with seeds 8 and 9, and with d = 64. A "
      "head for the end token appears with seed 9, but not with seed 8 and not with d = 64.";
  return p;
}

}  // namespace

std::vector<Preset> exercise_presets(base::Parallel&) {
  return {attention_alone(), eight_heads()};
}

}  // namespace headlight::scene
