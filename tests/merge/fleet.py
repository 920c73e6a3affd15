#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes two nights of a fleet whose changes are known.

usage: fleet.py FOLDER [HOSTS [PERCENT]]

FOLDER/monday and FOLDER/tuesday hold a profile of each of HOSTS hosts (default 5000), web0000
and so on, of 50 operations with 1000 calls each; FOLDER/hosts lists them. Hosts differ by 0.3
octaves, and from night to night by 0.05. On Tuesday fsync takes PERCENT
(default 12) longer on all hosts, read 8 times as long on one host in 2000 (web0017, web2017
...), and the last host of each 2500 is missing.
"""

import functools
import math
import pathlib
import random
import sys

OPERATIONS = ["read", "fsync", "write", "openat"] + [f"call{n:02}" for n in range(4, 50)]
PLACE = [15, 16] + [12 + k / 16 for k in range(2, 50)]  # log2 of nanoseconds
STEPS = 64  # of an octave
SHAPE = 0.8  # octaves: standard deviation of the calls of a host


@functools.lru_cache(maxsize=None)
def rows(place):
    """1000 calls around so many 64ths of an octave, as lines."""
    def below(edge):
        return round(500 * (1 + math.erf((edge - place / STEPS) / SHAPE / math.sqrt(2))))

    counts = [(bucket, below(bucket + 1) - below(bucket))
              for bucket in range(place // STEPS - 5, place // STEPS + 6)]
    return "".join(f"{bucket} {count}\n" for bucket, count in counts if count)


def profile(name, places):
    parts = [f"osprof 1\nends\nhost {name}\nunit ns\nelapsed 28800\n"]
    for operation, place in zip(OPERATIONS, places):
        total = round(1000 * 2 ** (place + 0.5 * math.log(2) * SHAPE * SHAPE))
        parts.append(f"op {operation}\ncount 1000\ntotal {total}\n{rows(round(place * STEPS))}")
    return "".join(parts) + f"end {len(OPERATIONS)}\n"


def main():
    folder, hosts = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    longer = math.log2(1 + (float(sys.argv[3]) if len(sys.argv) > 3 else 12) / 100)
    for night in ("monday", "tuesday"):
        (folder / night).mkdir(parents=True, exist_ok=True)
    (folder / "hosts").write_text("".join(f"web{host:04}\n" for host in range(hosts)))
    for host in range(hosts):
        r, name = random.Random(host), f"web{host:04}"
        own = [place + r.gauss(0, 0.3) for place in PLACE]
        for night in ("monday", "tuesday"):
            places = [place + r.gauss(0, 0.05) for place in own]
            if night == "tuesday":
                places[0] += 3 if host % 2000 == 17 else 0
                places[1] += longer
            if night == "monday" or host % 2500 != 2499:
                (folder / night / f"{name}.osprof").write_text(profile(name, places))


if __name__ == "__main__":
    main()
