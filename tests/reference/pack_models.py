#!/usr/bin/env python3
"""Packs what tests/models runs: one or two variants of each family of reference models, one case of each, expected
values narrowed to float32, and the malformed models.

  pack_models.py FOLDER models.pack

FOLDER has models/, tiny-gpt2/, tiny-bert/ and bad/; in the pack they are under networks/, since tokenizers.pack has
other files of the same names. The format is that of pack.py; files of the same bytes share them.
"""
import json
import os
import re
import sys

import numpy

# folder: variants, cases. Small types where a family has them.
CHOSEN = {
    "models/llama": (["bf16-sharded"], ["s00"]),
    "models/llama-dynamic": (["f32-old-key"], ["s00", "s01"]),
    "models/llama-yarn": (["f32-v5"], ["s00"]),
    "models/llama3-rope": (["f32"], ["s00"]),
    "models/mistral": (["f32"], ["s00"]),
    "models/qwen2": (["bf16"], ["s00"]),
    "models/qwen3": (["f16"], ["s00"]),
    "models/gpt_neox": (["f16"], ["s00"]),
    "models/gpt_neo": (["f32"], ["s00"]),
    "models/opt": (["f16"], ["s00"]),
    "models/gemma2": (["bf16"], ["s00"]),
    "models/phi": (["f16"], ["s00"]),
    "models/distilbert": (["f32"], ["s00"]),
    "models/roberta": (["f16-no-decoder"], ["s00"]),
    "models/nanogpt": (["ckpt"], ["s00"]),
    "models/llama2c": (["v1"], ["s00"]),
    "tiny-gpt2": (["f16-transformer", "bf16-bare"], ["s00"]),
    "tiny-bert": (["f16-bert-gamma-beta", "bf16-bare"], ["s01"]),
}


def is_model(name):
    return name == "config.json" or re.search(r"\.(safetensors|index\.json|pt)$|^model\.bin$", name)


def read(*path):
    with open(os.path.join(*path), "rb") as f:
        return f.read()


def narrow(path):
    values = numpy.load(path).astype("<f4")
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }" % "".join(f"{n}, " for n in values.shape)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + values.tobytes()


def add_family(folder, name, variants, cases, files):
    manifest = json.loads(read(folder, name, "manifest.json"))
    manifest["variants"] = [v for v in manifest["variants"] if v["dir"] in variants]
    kept = {v["expected"] for v in manifest["variants"]}
    manifest["cases"] = [c for c in manifest["cases"] if c["id"] in cases]
    for case in manifest["cases"]:
        case["expected"] = {k: v for k, v in case["expected"].items() if k in kept}
        for arrays in case["expected"].values():
            for array in arrays.values():
                array["dtype"] = "<f4"
                files[f"{name}/{array['file']}"] = narrow(os.path.join(folder, name, array["file"]))
    files[f"{name}/manifest.json"] = json.dumps(manifest, separators=(",", ":")).encode()
    for variant in variants:
        for file in os.listdir(os.path.join(folder, name, variant)):
            if is_model(file):
                files[f"{name}/{variant}/{file}"] = read(folder, name, variant, file)


def add_bad(folder, files):
    manifest = json.loads(read(folder, "bad", "manifest.json"))
    key = "cases" if "cases" in manifest else "entries"
    manifest[key] = [c for c in manifest[key] if c["kind"] in ("safetensors", "config")]
    files["bad/manifest.json"] = json.dumps(manifest, separators=(",", ":")).encode()
    for case in ["ok-gpt2", "ok-bert"] + [c["path"] for c in manifest[key]]:
        for where, _, names in os.walk(os.path.join(folder, "bad", case)):
            for name in names:
                path = os.path.relpath(os.path.join(where, name), folder).replace(os.sep, "/")
                if "/config.json" in path or is_model(name) or name.startswith("pytorch"):
                    files[path] = read(folder, path)


def main(folder, out):
    files = {}
    for name, (variants, cases) in CHOSEN.items():
        add_family(folder, name, variants, cases, files)
    add_bad(folder, files)
    lines, blobs, offsets, at = [], [], {}, 0
    for name, blob in sorted(files.items()):
        if blob not in offsets:
            offsets[blob] = at
            blobs.append(blob)
            at += len(blob)
        lines.append(f"{offsets[blob]} {len(blob)} networks/{name}\n")
    with open(out, "wb") as f:
        f.write(f"headlight pack 1\n{len(files)}\n".encode() + "".join(lines).encode() + b"".join(blobs))
    print(f"{out}: {len(files)} files, {os.path.getsize(out)} bytes")


main(*sys.argv[1:])
