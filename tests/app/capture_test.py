"""scripts/capture.py, and Headlight on what it writes. There is no PyTorch here: stubs have the few calls that the
script makes (tensors, hooks, modules, transformers' from_pretrained). Arguments: the script's folder, the program."""
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


class Hook:
    def __init__(self, hooks, hook):
        self.hooks, self.hook = hooks, hook
        hooks.append(hook)

    def remove(self):
        self.hooks.remove(self.hook)


class MultiheadAttention:
    """Like torch's: the mean over the heads, or nothing, unless the call says otherwise."""

    def __init__(self):
        self.before, self.after, self.weights = [], [], weights(1, 2, 4, 4)

    def register_forward_pre_hook(self, hook, with_kwargs):
        assert with_kwargs
        return Hook(self.before, hook)

    def register_forward_hook(self, hook):
        return Hook(self.after, hook)

    def __call__(self, x, need_weights=False, average_attn_weights=True):
        args, kwargs = (x,), {"need_weights": need_weights, "average_attn_weights": average_attn_weights}
        for hook in self.before:
            args, kwargs = hook(self, args, kwargs)
        out = None if not kwargs["need_weights"] else self.weights
        if out is not None and kwargs["average_attn_weights"]:
            out = Tensor(out.values.mean(1))
        result = (args[0], out)
        for hook in self.after:
            hook(self, args, result)
        return result[0]


class Model:
    def __init__(self):
        self.layers = [MultiheadAttention(), MultiheadAttention()]

    def modules(self):
        return [self, object(), *self.layers]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


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
    assert not any(layer.before or layer.after for layer in model.layers), "the hooks are still there"

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
