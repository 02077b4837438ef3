"""scripts/capture.py, and Headlight on what it writes. Stubs have the few calls of PyTorch that the script makes (tensors,
modules, transformers' from_pretrained); where PyTorch itself is installed, watch() runs on its modules too. Arguments:
the script's folder, the program."""
import importlib
import json
import os
import subprocess
import sys
import tempfile
import types

try:
    import numpy
except ImportError:
    sys.exit(77)

sys.dont_write_bytecode = True
folder, program = sys.argv[1:]
sys.path.insert(0, folder)
capture = importlib.import_module("capture")
numbers = numpy.random.default_rng(3)


class Tensor:
    def __init__(self, values):
        self.values = values

    def detach(self):
        return self

    def float(self):
        return Tensor(self.values.astype("<f4"))

    def cpu(self):
        return self

    def numpy(self):
        return self.values

    def tolist(self):
        return self.values.tolist()

    def __getitem__(self, at):
        return Tensor(self.values[at])


def weights(*shape):
    scores = numpy.exp(numbers.normal(size=shape))
    return Tensor(scores / scores.sum(-1, keepdims=True))


class MultiheadAttention:
    """Like torch's: the mean over the heads, or nothing, unless the call says otherwise."""

    def __init__(self):
        self.weights = weights(1, 2, 4, 4)

    def forward(self, x, need_weights=False, average_attn_weights=True):
        out = None if not need_weights else self.weights
        if out is not None and average_attn_weights:
            out = Tensor(out.values.mean(1))
        return x, out

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)


class Model:
    def __init__(self):
        self.layers = [MultiheadAttention(), MultiheadAttention()]

    def modules(self):
        return [self, *self.layers]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x, False)[0]
        return x


def softmax(scores):
    scores = numpy.exp(scores - scores.max(-1, keepdims=True))
    return scores / scores.sum(-1, keepdims=True)


def weights_by_hand(attention, x):
    """softmax(q k' / sqrt(d)) of a torch.nn.MultiheadAttention on x [batch, tokens, width]."""
    width, heads = attention.embed_dim, attention.num_heads
    projected = x @ attention.in_proj_weight.T + attention.in_proj_bias
    q, k = (part.reshape(*part.shape[:2], heads, -1).transpose(1, 2).numpy()
            for part in (projected[..., :width], projected[..., width:2 * width]))
    return softmax(q @ k.transpose(0, 1, 3, 2) / numpy.sqrt(width // heads))


def check_with_torch(path):
    try:
        import torch
    except ImportError:
        return
    torch.manual_seed(5)
    x = torch.randn(2, 5, 8)
    with torch.no_grad():
        attention = torch.nn.MultiheadAttention(8, 2, batch_first=True).eval()
        with capture.watch(attention) as seen:
            attention(x, x, x, None, False)
            attention(x, x, x, need_weights=False)
        assert len(seen) == 2 and torch.equal(seen[0], seen[1])
        expected = weights_by_hand(attention, x)
        capture.save(path, seen)
        assert numpy.allclose(exported(path), numpy.stack([expected, expected]), atol=1e-6)
        assert "forward" not in vars(attention)

        # An encoder whose layers would be computed in one call, also of padded sequences.
        layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        encoder = torch.nn.TransformerEncoder(layer, 3).eval()
        padded = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
        before = [dict(vars(module)) for module in encoder.modules()]
        for padding in (None, padded):
            with capture.watch(encoder) as seen:
                encoder(x, src_key_padding_mask=padding)
            assert [tuple(m.shape) for m in seen] == [(2, 2, 5, 5)] * 3
        assert numpy.allclose(seen[0][1, :, :, 3:], 0)
        assert [dict(vars(module)) for module in encoder.modules()] == before


def exported(path):
    out = path + ".out.npy"
    subprocess.run([program, "export", "--attention", path, "--what", "weights", "--out", out], check=True)
    return numpy.load(out)


def tokens(path):
    return json.loads(subprocess.run([program, "export", "--attention", path, "--what", "tokens"], check=True,
                                     capture_output=True).stdout)


with tempfile.TemporaryDirectory() as scratch:
    maps = [weights(1, 3, 5, 5), weights(1, 3, 5, 5)]
    words = ["the", "caf\u00e9", "\u0120sat", "on", "."]
    npz = os.path.join(scratch, "a.npz")
    capture.save(npz, maps, words)
    expected = numpy.stack([m.values.astype("<f4") for m in maps])
    assert numpy.array_equal(exported(npz), expected)
    assert tokens(npz) == words
    capture.save(npz, maps)
    assert tokens(npz) == ["0", "1", "2", "3", "4"]

    model = Model()
    with capture.watch(model) as seen:
        model("x")
    capture.save(npz, seen)
    assert numpy.array_equal(exported(npz), numpy.stack([m.weights.values.astype("<f4") for m in model.layers]))
    assert not any("forward" in vars(layer) for layer in model.layers), "forward is still replaced"
    check_with_torch(npz)

    # A Hugging Face model by its name.
    tokenizer = lambda text, return_tensors: {"input_ids": Tensor(numpy.arange(len(text.split()))[None])}
    loads = {}

    def model_of(name, attn_implementation):
        loads[name] = attn_implementation
        module = lambda input_ids, output_attentions: types.SimpleNamespace(attentions=tuple(maps))
        return types.SimpleNamespace(eval=lambda: module)

    class Words:
        __call__ = staticmethod(tokenizer)
        convert_ids_to_tokens = staticmethod(lambda ids: [words[i] for i in ids])

    sys.modules["transformers"] = types.SimpleNamespace(
        AutoTokenizer=types.SimpleNamespace(from_pretrained=lambda name: Words()),
        AutoModel=types.SimpleNamespace(from_pretrained=model_of))
    capture.main("gpt2", "the cafe sat on .", npz)
    assert loads == {"gpt2": "eager"}
    assert numpy.array_equal(exported(npz), expected) and tokens(npz) == words

    # safetensors and torch get what they would write.
    kept = {}
    sys.modules["safetensors"] = types.ModuleType("safetensors")
    sys.modules["safetensors.numpy"] = types.SimpleNamespace(
        save_file=lambda arrays, path, metadata: kept.update(arrays=arrays, metadata=metadata))
    capture.save("a.safetensors", maps, words)
    assert sorted(kept["arrays"]) == ["attentions.0", "attentions.1"]
    assert json.loads(kept["metadata"]["tokens"]) == words
    sys.modules["torch"] = types.SimpleNamespace(save=lambda value, path: kept.update(value=value))
    capture.save("a.pt", maps, words)
    assert len(kept["value"]["attentions"]) == 2 and kept["value"]["tokens"] == words

    for wrong in (lambda: capture.save("a.npz", None), lambda: capture.save("a.npz", (None, None)),
                  lambda: capture.save("a.txt", maps)):
        try:
            wrong()
        except ValueError:
            continue
        sys.exit("an error is expected")
print("done")
