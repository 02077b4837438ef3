#!/usr/bin/env python3
"""Packs reference data into one file, or unpacks it again.

  pack.py FOLDER reference.pack [PART ...]   packs the files of FOLDER (only those under the parts, when given)
  pack.py --add FOLDER reference.pack PART ...  the same on top of what the pack has; files of the same name are replaced
  pack.py --list reference.pack              names and sizes
  pack.py --extract reference.pack FOLDER    writes the files out again, byte for byte

The format: the line "headlight pack 1", the line "N" with the number of files, N lines "OFFSET SIZE NAME" sorted by name,
and behind the last line the bytes of the files one after the other; offsets count from there. Names are relative, with '/'.
"""
import os
import sys


def read(path):
    with open(path, "rb") as f:
        data = f.read()
    head, _, rest = data.partition(b"\n")
    if head != b"headlight pack 1":
        sys.exit(f"{path}: not a pack: the first line is {head[:40]!r}")
    count, _, rest = rest.partition(b"\n")
    entries = []
    for _ in range(int(count)):
        line, _, rest = rest.partition(b"\n")
        offset, size, name = line.decode().split(" ", 2)
        entries.append((name, int(offset), int(size)))
    return [(name, rest[offset:offset + size]) for name, offset, size in entries]


def pack(folder, out, parts, kept=()):
    found = dict(kept)
    for where, _, files in os.walk(folder):
        for name in files:
            path = os.path.relpath(os.path.join(where, name), folder).replace(os.sep, "/")
            if not parts or any(path == p or path.startswith(p.rstrip("/") + "/") for p in parts):
                with open(os.path.join(where, name), "rb") as f:
                    found[path] = f.read()
    lines, blobs, offset = [], [], 0
    for name, blob in sorted(found.items()):
        lines.append(f"{offset} {len(blob)} {name}\n")
        blobs.append(blob)
        offset += len(blob)
    with open(out, "wb") as f:
        f.write(f"headlight pack 1\n{len(found)}\n".encode() + "".join(lines).encode() + b"".join(blobs))
    print(f"{out}: {len(found)} files, {os.path.getsize(out)} bytes")


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--list":
        for name, blob in read(arguments[1]):
            print(f"{len(blob):9d} {name}")
    elif len(arguments) == 3 and arguments[0] == "--extract":
        for name, blob in read(arguments[1]):
            path = os.path.join(arguments[2], *name.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(blob)
    elif len(arguments) >= 4 and arguments[0] == "--add":
        pack(arguments[1], arguments[2], arguments[3:], read(arguments[2]))
    elif len(arguments) >= 2 and not arguments[0].startswith("-"):
        pack(arguments[0], arguments[1], arguments[2:])
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
