// Settings that ask for what does not exist or is not used, with the line that every door says about it: the
// command line, an opened file and the check of a lesson. Tested in tests/command/command_missing_test.cpp
// and tests/session/document_test.cpp.
#pragma once

namespace headlight::tests {

struct MissingCase {
  const char* settings;  // of a scene file or a lesson
  const char* line;      // how the line begins; empty: nothing is missing
};

inline constexpr MissingCase missing_cases[] = {
    {R"({"head": [99]})", "head 99: there are 4 heads, 1 to 4; it is left out, and all are shown"},
    {R"({"page": "order", "head": [99]})", "head 99: there are 4 heads, 1 to 4; 1 is used instead"},
    {R"({"page": "softmax", "head": [99], "query": [9]})", ""},
    {R"({"head": [2, 7, 9]})", "head 7, 9: there are 4 heads, 1 to 4; they are left out"},
    {R"({"cell_head": 9})", "cell_head 9: there are 4 heads, 1 to 4; it is left out"},
    {R"({"weights": "trained", "weights_file": "small-english", "weights_layer": 9})",
     "weights_layer 9: there are 2 layers, 1 to 2; 2 is used instead"},
    {R"({"page": "position", "position_pair": 999})",
     "position_pair 999: there are 16 pairs, 0 to 15; 15 is used instead"},
    {R"({"page": "position", "position_index": 900})",
     "position_index 900: there are 60 positions, 0 to 59; 59 is used instead"},
    {R"({"page": "position", "position_columns": [1, 99]})",
     "position_columns 99: there are 32 columns, 0 to 31; it is left out"},
    {R"({"sentence": "a b c", "query": [5]})",
     "query 5: the sentence has 3 tokens, 0 to 2; 2 is used instead"},
    {R"({"sentence": "a b c", "query": [0, 5, 6]})",
     "query 5, 6: the sentence has 3 tokens, 0 to 2; they are left out"},
    {R"({"page": "order", "sentence": "a b c", "key": 7})",
     "key 7: the sentence has 3 tokens, 0 to 2; 2 is used instead"},
    {R"({"page": "bench", "bench_a": 9})", "bench_a 9: there are 4 heads, 1 to 4; 4 is used instead"},
    {R"({"page": "memory", "memory_step": 400})",
     "memory_step 400: the sentence has 6 tokens, 1 to 6; 6 is used instead"},
    {R"({"page": "worked", "worked_row": 5})", "worked_row 5: there are 3 rows, 0 to 2; 2 is used instead"},
    {R"({"page": "order", "order_permutation": [0, 0, 1]})",
     "order_permutation 0: named more than once; the original order is used instead"},
    {R"({"page": "order", "order_permutation": [9, 1, 0]})",
     "order_permutation 9: the sentence has 6 tokens, 0 to 5; it is left out"},
    {R"({"other_query": 99})", "other_query 99: the sentence has 6 tokens, 0 to 5; 5 is used instead"},
    {R"({"page": "position", "positions": 4, "position_delta": -9})",
     "position_delta -9: there are 7 offsets, −3 to 3; −3 is used instead"},
    {R"({"page": "training", "training_steps": 50, "training_shown_step": 777})",
     "training_shown_step 777: the run has 50 steps, 0 to 50; 50 is used instead"},
    {R"({"page": "softmax", "softmax_scores": "bad"})", "softmax_scores: expected 1 to "},
    {R"({"page": "worked", "worked_x": "bad"})", "worked_x: "},
    {R"({"page": "model", "weights": "trained", "weights_file": "small-english", "model_off": "9.9"})",
     "model_off 9.9: there are 2 layers, 1 to 2"},
    {R"({"page": "model", "model_off": "1.1"})", "model_off: not used: random weights have learned nothing"},
    {R"({"shown_tokens": "zzz"})", "shown_tokens zzz: no token contains it; no weight is drawn"},
    {R"({"shown_tokens": "cat zzz"})", "shown_tokens zzz: no token contains it"},
    {R"({"page": "order", "order_permutation": [2, 1]})",
     "order_permutation: tokens 0, 3, 4, 5 are not named and follow in their order"},
    {R"({"page": "order", "order_permutation": [5, 4, 3, 2, 1, 0]})", ""},
    {R"({"weights_layer": 9})", "weights_layer 9: not used: random weights are those of one layer"},
    {R"({"token_ids": [3, 1]})", "token_ids 3,1: not used: they are for a model from another program"},
    {R"({"saved_sequence": 3})", "saved_sequence 3: not used: the scene shows no saved attention"},
    {R"({"weights_layer": 1, "token_ids": [-1], "saved_sequence": 0})", ""},
    // The default asks for nothing.
    {R"({"sentence": "the"})", ""},
    {R"({"sentence": "the", "page": "order"})", ""},
    {R"({"sentence": "the", "page": "memory"})", ""},
    {R"({"sentence": "the", "page": "variants"})", ""},
    {R"({"sentence": "the", "page": "bench"})", ""},
    {R"({"sentence": "the", "page": "model"})", ""},
    {R"({"sentence": ""})", ""},
};

}  // namespace headlight::tests
