#!/usr/bin/env python3
"""Saves the attention of a PyTorch model in a file that Headlight reads.

    scripts/capture.py gpt2 "the cat sat on the mat" attention.npz      a Hugging Face model by its name or folder

    from capture import save, watch                                     in a program of your own
    outputs = model(**inputs, output_attentions=True)                   attn_implementation="eager" in Hugging Face
    save("attention.npz", outputs.attentions, tokens)
    with watch(model) as maps: model(x)                                 any model of torch.nn.MultiheadAttention
    save("attention.npz", maps, tokens)

The ending decides the format: .npz needs numpy, .safetensors needs safetensors, .pt needs torch alone.
Each map is [batch, heads, queries, keys] or [heads, queries, keys], one for each layer.
"""
import contextlib
import inspect
import json
import sys


def save(path, attentions, tokens=None):
    if not attentions or any(a is None for a in attentions):
        raise ValueError('the model gave no attention: load it with attn_implementation="eager" and call it with '
                         "output_attentions=True")
    attentions, tokens = [a.detach().float().cpu() for a in attentions], list(tokens or [])
    if path.endswith(".pt"):
        import torch
        torch.save({"attentions": tuple(attentions), **({"tokens": tokens} if tokens else {})}, path)
        return
    arrays = {f"attentions.{layer}": a.numpy() for layer, a in enumerate(attentions)}
    if path.endswith(".safetensors"):
        from safetensors.numpy import save_file
        save_file(arrays, path, metadata={"tokens": json.dumps(tokens)} if tokens else None)
    elif path.endswith(".npz"):
        import numpy
        numpy.savez(path, **arrays, **({"tokens": numpy.array(tokens)} if tokens else {}))
    else:
        raise ValueError(f"{path}: the ending decides the format: .npz, .safetensors or .pt")


def watched(forward, maps):
    """MultiheadAttention.forward that keeps the weights of all heads, whatever its caller asks for."""
    def run(*args, **kwargs):
        given = inspect.signature(forward).bind(*args, **kwargs)
        given.arguments.update(need_weights=True, average_attn_weights=False)
        output = forward(*given.args, **given.kwargs)
        maps.append(output[1])
        return output
    return run


# Unless these are set to false, PyTorch's encoder computes a layer or a padded batch in one call, without its
# MultiheadAttention.
SHORT_CUTS = ("activation_relu_or_gelu", "enable_nested_tensor", "use_nested_tensor")


@contextlib.contextmanager
def watch(model):
    """The weights of every torch.nn.MultiheadAttention that runs inside, in order, all heads apart.

    PyTorch 1.13 or later. Hooks get keyword arguments only from 2.0 on; so forward itself is replaced meanwhile."""
    maps, before = [], []

    def put(module, name, value):
        before.append((module, name in vars(module), name, vars(module).get(name)))
        setattr(module, name, value)

    try:
        for module in model.modules():
            if type(module).__name__ == "MultiheadAttention":
                put(module, "forward", watched(module.forward, maps))
            for name in SHORT_CUTS:
                if name in vars(module):
                    put(module, name, False)
        yield maps
    finally:
        for module, own, name, value in before:
            if own:
                setattr(module, name, value)
            else:
                delattr(module, name)


def main(name, text, path):
    from transformers import AutoModel, AutoTokenizer
    tokenizer = AutoTokenizer.from_pretrained(name)
    model = AutoModel.from_pretrained(name, attn_implementation="eager").eval()
    inputs = tokenizer(text, return_tensors="pt")
    outputs = model(**inputs, output_attentions=True)
    save(path, outputs.attentions, tokenizer.convert_ids_to_tokens(inputs["input_ids"][0].tolist()))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
