#include "quantity_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "../scene/opened_families.h"
#include "scene/model_file.h"
#include "scene/settings.h"
#include "support/model_files.h"
#include "support/reference_data.h"
#include "support/scratch_folder.h"

namespace headlight::app {

namespace {

using scene::Page;
using scene::Scene;

/// A line of the table. `settings`: "a=1;b=2"; where a value is "*", each word of the setting in turn.
struct Row {
  const char* name;
  const char* settings;
  const char* opened = "";  // a model of the reference data, or its saved attention
};

/// Of more tokens than a scale from 0 to 1 is used for.
constexpr const char* long_sentence =
    "sentence=the cat sat on the mat while the dog that the old man had found near the river slept beside "
    "the "
    "warm stove and the bird in the cage sang of the spring that would come to the hills when the snow had "
    "gone from the fields and the lambs were born under the oak that stood beside the mill where the water "
    "ran down to the sea";

/// Every page: as it opens, masked, with several heads combined, a pinned cell, one token, and filters.
constexpr Row every_page[] = {
    {"plain", ""},
    {"masked", "mask=causal"},
    {"combined", "head=1,3;combine=max;query=1,4"},
    {"pinned", "query=2;key=1;head=2"},
    {"one token", "sentence=cat"},
    {"filtered", "shown_tokens=cat mat;least_weight=0.05;hide_special=true"},
    {"trained", "weights=trained;query=1"},
};

constexpr Row of_attention[] = {
    {"beams", "attention_view=ribbons"},
    {"beams of one query", "attention_view=ribbons;beams=chosen"},
    {"arcs", "attention_view=arcs;arcs=*"},
    {"columns", "query_axis=columns"},
    {"matrix", "matrix=*"},
    {"heads combined", "head=0;combine=*"},
    {"head of a combination", "head=1,2;cell_head=2;key=3"},
    {"no positions", "position=none"},
    {"concatenated", "position=sinusoidal_concat"},
    {"colour scale", "map_scale=*"},
    {"undivided", "scale=false;temperature=2"},
    {"sorted", "bars_sorted=true;key=2"},
    {"two queries", "other_query=4"},
    {"long", long_sentence},
    {"masks", "mask=valid_length+window;valid_length=4;window=1"},
    {"pronouns",
     "weights=trained;weights_file=pronouns-guided;weights_layer=2;query=8;key=1;"
     "sentence=the animal did not cross the street because it was too tired"},
    {"free pronouns", "weights=trained;weights_file=pronouns-free;query=8;head=1"},
    {"biased", "query=3;key=1", "t5"},
    {"gpt2", "", "tiny-gpt2"},
    {"rope", "matrix=q", "models/llama"},
    {"capped", "", "models/gemma2"},
    {"bert", "matrix=output", "tiny-bert"},
    {"saved", "", "npz-stacked/dump.npz"},
    {"saved cross", "", "npy-cross/cross.npy"},
};

constexpr Row of_compare[] = {
    {"stack", "bench_from=stack"},
    {"another seed", "bench_other_seed=true;bench_seed_b=11"},
    {"heads off", "bench_off=2,3;bench_a=2;bench_b=4"},
    {"itself", "bench_b=1"},
    {"gpt2", "", "tiny-gpt2"},
    {"llama", "bench_from=stack;bench_layer_b=2", "models/llama"},
    {"saved", "", "npz-stacked/dump.npz"},
};

constexpr Row of_position[] = {
    {"step", "position_step=1"},
    {"step two", "position_step=2"},
    {"clocks", "clock_speed=*"},
    {"many", "positions=200;position_index=120;position_delta=30;position_pair=1"},
    {"concatenated", "position=sinusoidal_concat"},
    {"shifted", "position_offset=10;position_index=15"},
    {"other base", "position_base=100"},
    {"learned", "", "tiny-gpt2"},
    {"rope", "", "models/llama3-rope"},
};

constexpr Row of_order[] = {
    {"permuted", "order_permutation=5,0,3,1,2,4"},
    {"bare", "order_divided=false;query=2;key=1"},
    {"no positions", "position=none;order_permutation=1,0,2,3,4,5"},
    {"concatenated", "position=sinusoidal_concat;order_permutation=1,0,2,3,4,5"},
    {"undivided", "scale=false;temperature=2"},
    {"gpt2", "order_permutation=1,0", "tiny-gpt2"},
    {"rope", "", "models/llama"},
    {"bert", "", "tiny-bert"},
};

constexpr Row of_variants[] = {
    {"positions", "variants_a_position=*;variants_b_position=none"},
    {"positions of B", "variants_b_position=*;variants_a_position=t5;variants_shift=3"},
    {"masks", "variants_a_mask=*;variants_b_mask=causal"},
    {"undivided", "variants_a_scale=false"},
    {"another head", "variants_head=2;variants_a_position=alibi"},
    {"long", long_sentence},
    {"trained", "weights=trained;variants_sentence_kv=the dog saw the unicorn"},
};

constexpr Row of_block[] = {
    {"stage", "block_stage=*"},
    {"depth", "block_plot=depth;block_layers=4"},
    {"depth without residuals", "block_plot=depth;block_residual=false"},
    {"norms", "block_norm=*"},
    {"activations", "block_activation=*;block_stage=hidden"},
    {"small weights", "block_init=normal;block_causal=true"},
    {"attention alone", "block_feed_forward=false"},
    {"encoder and decoder", "block_model=encoder_decoder;block_encdec_training=20;sentence=lantern"},
    {"held-out word",
     "block_model=encoder_decoder;block_encdec_training=20;block_encdec_word=3;block_encdec_step=2"},
    {"layer", "block_stage=*", "models/llama"},
    {"gpt2", "", "tiny-gpt2"},
    {"layer of bert", "block_layer=2", "tiny-bert"},
};

constexpr Row of_worked[] = {
    {"step", "worked_step=1"},
    {"step two", "worked_step=2"},
    {"step three", "worked_step=3"},
    {"step four", "worked_step=4"},
    {"result", "worked_stage=*"},
    {"causal", "worked_causal=true;worked_row=1;worked_col=0"},
    {"undivided", "worked_divide=false"},
    {"soft", "worked_temperature=0.1"},
};

constexpr Row of_cost[] = {
    {"convolution", "cost_convolution=*"},
    {"one-sided", "cost_kernel=one_sided;cost_convolution=*"},
    {"kernel of one", "cost_k=1"},
    {"nowhere", "cost_to=1"},
    {"long", "cost_n=4096;cost_d=512"},
    {"bytes", "cost_bytes=*"},
    {"large", "cost_batch=8;cost_heads=32;cost_layers=64"},
    {"measured", ""},
    {"gpt2", "", "tiny-gpt2"},
};

constexpr Row of_memory[] = {
    {"feature", "memory_feature=*"},
    {"delta", "memory_write=delta;memory_step=3"},
    {"decay", "memory_decay=0.9;memory_step=4"},
    {"binary", "memory_network=binary"},
    {"binary, many flips", "memory_network=binary;memory_flips=45;memory_patterns=20"},
    {"sizes", "memory_error_over=size;memory_feature=*"},
    {"as many keys as tokens", "memory_error_over=size;memory_keys=64"},
    {"many dimensions", "memory_dimension=16;memory_patterns=12"},
    {"two alike", "memory_closeness=0.9;memory_beta=1"},
    {"long", long_sentence},
};

constexpr Row of_model[] = {
    {"score", "weights=trained;model_score=*"},
    {"order", "weights=trained;model_order=score"},
    {"detail", "weights=trained;query=3;model_detail=*"},
    {"head off", "weights=trained;query=1;model_off=1.1;model_detail=components"},
    {"sampled", "weights=trained;model_temperature=2;model_top_k=5;model_top_p=0.8"},
    {"dictionary", "weights=trained;weights_file=dictionary;sentence=the state of being free"},
    {"dictionary, heads off",
     "weights=trained;weights_file=dictionary;sentence=the state of being free;model_off=4.5 2.1:0.5"},
    {"gpt2", "model_off=1.2", "tiny-gpt2"},
    {"rope", "model_detail=components", "models/llama"},
    {"plane", "model_detail=plane;model_score=induction", "models/qwen3"},
    {"masked words", "token_ids=;sentence=the [MASK] sat on the [MASK]", "tiny-bert"},
    {"bert", "", "tiny-bert"},
    {"saved", "", "npz-stacked/dump.npz"},
    {"beside another run", "model_beside=pt-tuple-bfloat16/attentions.pt", "pt-tuple-float32/attentions.pt"},
};

constexpr Row of_softmax[] = {
    {"sharp", "softmax_temperature=0.2"},
    {"two", "softmax_scores=1;2"},
    {"equal", "softmax_scores=1;1;1;1;1;1;1;1;1;1;1;1"},
    {"far apart", "softmax_scores=-20;30;0.25"},
};

constexpr const char* small_run =
    "training_steps=40;training_batch=8;training_d=16;training_heads=2;training_layers=1;training_length=6";
constexpr Row of_training[] = {
    {"plot", "training_task=reverse;training_compare=no_positions;training_plot=*"},
    {"two relations", "training_task=two_relations"},
    {"induction", "training_task=induction;training_compare=one_head;training_beside=*"},
    {"english", "training_task=english;training_compare=nothing"},
    {"pronouns", "training_task=pronouns;training_guide=1;training_compare=no_guide"},
    {"every position", "training_task=reverse;training_compare=every_position;training_plot=lengths"},
    {"a rate too high",
     "training_task=reverse;training_compare=nothing;training_rate=0.1;training_steps=400"},
    {"roles", "training_task=reverse;training_compare=nothing;training_steps=400"},
    {"an earlier step", "training_task=reverse;training_shown_step=10;training_example=1"},
};

std::span<const Row> own_rows(Page page) {
  static const std::map<Page, std::span<const Row>> rows = {{Page::attention, of_attention},
                                                            {Page::compare, of_compare},
                                                            {Page::position, of_position},
                                                            {Page::order, of_order},
                                                            {Page::variants, of_variants},
                                                            {Page::block, of_block},
                                                            {Page::worked, of_worked},
                                                            {Page::cost, of_cost},
                                                            {Page::memory, of_memory},
                                                            {Page::model, of_model},
                                                            {Page::softmax, of_softmax},
                                                            {Page::training, of_training},
                                                            {Page::presets, {}}};
  const auto found = rows.find(page);
  EXPECT_NE(found, rows.end()) << scene::word(page) << " has no cases";
  return found == rows.end() ? std::span<const Row>() : found->second;
}

/// "model_beside=npy-htt/layer3.npy": the file of the reference data.
std::string with_files(std::string settings) {
  const std::string named = "model_beside=";
  if (const std::size_t at = settings.find(named); at != std::string::npos)
    settings.insert(at + named.size(), tests::ReferenceData::instance().on_disk("dumps").string() + "/");
  return settings;
}

/// A small model of Headlight's own whose scores have a bias.
Scene biased() {
  static const tests::ScratchFolder folder;
  scene::TrainedModel model = tests::small_model("biased");
  model.config.positions = nn::ModelPositions::t5;
  model.weights = nn::random_model(model.config, 3);
  tests::write_model(folder / "biased.safetensors", model);
  Scene scene;
  EXPECT_TRUE(scene::set_field(scene, "weights=file"));
  EXPECT_TRUE(scene::set_field(scene, "weights_file=" + (folder / "biased.safetensors").string()));
  scene::repair(scene);
  return scene;
}

Scene opened(const std::string& what) {
  const tests::ReferenceData& data = tests::ReferenceData::instance();
  Scene scene;
  if (what.ends_with(".npy") || what.ends_with(".pt") || what.ends_with(".npz")) {
    EXPECT_TRUE(scene::set_field(scene, "attention=" + (data.on_disk("dumps") / what).string()));
    scene::repair(scene);
    return scene;
  }
  if (what == "t5") return biased();
  const auto all = tests::manifest(what);
  const auto cases = tests::plain_cases(all);
  EXPECT_FALSE(cases.empty()) << what;
  return cases.empty()
             ? scene
             : tests::scene_with(tests::path_of(what, all["variants"][0]), cases.front()["input_ids"]);
}

void add(std::vector<NumberCase>& out, Page page, const Row& row, Scene base) {
  const std::string settings = with_files(row.settings);
  std::vector<std::pair<std::string, std::string>> all = {{row.name, settings}};
  if (const std::size_t star = settings.find("=*"); star != std::string::npos) {
    all.clear();
    const std::size_t from = settings.rfind(';', star) + 1;  // npos + 1 = 0
    const scene::Setting* setting = scene::find_setting(settings.substr(from, star - from));
    EXPECT_NE(setting, nullptr) << settings;
    for (const char* value : setting->words()) {
      std::string one = settings;
      one.replace(star + 1, 1, value);
      all.emplace_back(row.name + std::string(" ") + value, one);
    }
  }
  base.page = page;
  for (const auto& [name, text] : all) {
    Scene scene = base;
    if (!text.empty()) {
      const auto with = scene::with_fields(base, text);
      EXPECT_TRUE(with) << text << ": " << (with ? "" : with.error());
      if (with) scene = *with;
    }
    scene::repair(scene);
    out.push_back({name, scene, name == "measured", false});
  }
}

}  // namespace

std::vector<NumberCase> number_cases(Page page) {
  std::vector<NumberCase> out;
  if (page == Page::training) {
    const auto base = scene::with_fields(Scene(), small_run);
    EXPECT_TRUE(base);
    for (const Row& row : own_rows(page)) add(out, page, row, *base);
  } else if (page == Page::presets) {
    for (int shown = 1; shown <= scene::number_of_presets; ++shown) {
      const std::string text = "presets_shown=" + std::to_string(shown);
      add(out, page, {text.c_str(), text.c_str()}, {});
    }
  } else {
    for (const Row& row : every_page) add(out, page, row, {});
    for (const Row& row : own_rows(page)) add(out, page, row, *row.opened ? opened(row.opened) : Scene());
  }
  constexpr std::size_t every = 6;  // a layout for a slide is drawn many times
  for (std::size_t i = 0; i < out.size(); i += every) out[i].slides = true;
  return out;
}

}  // namespace headlight::app
