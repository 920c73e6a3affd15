#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make distances.txt: pairs of log2 histograms and what each comparison says.

Usage: distances.py [--check] [FILE]

FILE is by default distances.txt beside this script.  With --check nothing is
written: the cases are made again and compared with FILE (comment lines aside).

Every value is computed with exact fractions, or with decimal arithmetic of at
least 80 digits where a logarithm, a root or a power is needed, and rounded to
a double once, at the end.  Each is then checked against SciPy (or NumPy),
within the precision that double arithmetic leaves to them.
"""

import argparse
import decimal
import math
import os
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import scipy
import scipy.spatial.distance
import scipy.stats

SEED = 20061106
CASES = 300
OCTAVES = 60
MAX_COUNT = 10**12
ZERO = -1  # the index of the zero bucket
DIGITS = 80

NAMES = (
    "emd",
    "chi_square",
    "chi_square_df",
    "chi_square_p",
    "chi_square_effect",
    "kl",
    "jeffrey",
    "jensen_shannon",
    "minkowski_l1",
    "minkowski_l2",
    "intersection",
    "ks",
    "total_operations",
    "total_latency",
)

RESOLUTIONS = (1, 1, 1, 2, 4)


# --- the histograms ---------------------------------------------------------


def log_uniform(rng, low, high):
    """An integer between low and high, uniform in its logarithm."""
    value = round(math.exp(rng.uniform(math.log(low), math.log(high))))
    return min(max(value, low), high)


def clean(hist):
    """Drop empty buckets, cap the others, put them in order."""
    return {i: min(int(c), MAX_COUNT) for i, c in sorted(hist.items()) if c > 0}


def peak(rng, top, resolution, centre=None):
    """Weights of a bell over a stretch of buckets."""
    if centre is None:
        centre = rng.uniform(0.1 * top, 0.9 * top)
    width = rng.uniform(0.4, 2.0) * resolution
    low = max(0, math.floor(centre - 4 * width))
    high = min(top, math.ceil(centre + 4 * width))
    return {
        i: math.exp(-((i - centre) ** 2) / (2 * width**2))
        for i in range(low, high + 1)
    }


def sample(rng, weights, total):
    """Draw about total operations from the weights, with sampling noise."""
    scale = total / math.fsum(weights.values())
    hist = {i: rng.poisson(w * scale) for i, w in weights.items()}
    if not any(hist.values()):
        hist[max(weights, key=weights.get)] = 1
    return clean(hist)


def kind_noise(rng, top, r):
    weights = peak(rng, top, r)
    return (
        sample(rng, weights, log_uniform(rng, 10, 10**5)),
        sample(rng, weights, log_uniform(rng, 10, 10**5)),
    )


def kind_fine_noise(rng, top, r):
    weights = peak(rng, top, r)
    total = log_uniform(rng, 10**8, 10**12)
    return sample(rng, weights, total), sample(rng, weights, total)


def kind_shift(rng, top, r):
    centre = rng.uniform(0.2 * top, 0.8 * top)
    total = log_uniform(rng, 50, 5000)
    return (
        sample(rng, peak(rng, top, r, centre), total),
        sample(rng, peak(rng, top, r, centre + r * rng.uniform(-1, 1)), total),
    )


def kind_new_peak(rng, top, r):
    weights = peak(rng, top, r)
    more = dict(weights)
    share = rng.uniform(0.001, 0.5)
    for i, w in peak(rng, top, r).items():
        more[i] = more.get(i, 0.0) + share * w
    total = log_uniform(rng, 100, 10**7)
    return sample(rng, weights, total), sample(rng, more, total)


def scattered(rng, top, low, high):
    size = int(rng.integers(low, high + 1))
    where = rng.choice(top + 1, size=min(size, top + 1), replace=False)
    return clean({int(i): log_uniform(rng, 1, MAX_COUNT) for i in where})


def kind_sparse(rng, top, r):
    return scattered(rng, top, 1, 6), scattered(rng, top, 1, 6)


def kind_dense(rng, top, r):
    whole = rng.random() < 0.2
    size = top + 1 if whole else int(rng.integers(8, 40))
    start = int(rng.integers(0, top + 2 - size))
    high = log_uniform(rng, 10, MAX_COUNT)
    return tuple(
        clean({i: log_uniform(rng, 1, high) for i in range(start, start + size)})
        for _ in range(2)
    )


def kind_disjoint(rng, top, r):
    if rng.random() < 0.5:  # one wholly below the other
        cut = int(rng.integers(5, top - 5))
        below = scattered(rng, cut - 1, 1, 8)
        above = scattered(rng, top - cut, 1, 8)
        pair = [below, {i + cut: c for i, c in above.items()}]
        return tuple(pair if rng.random() < 0.5 else pair[::-1])
    both = scattered(rng, top, 6, 20)  # interleaved
    keys = list(both)
    return {i: both[i] for i in keys[::2]}, {i: both[i] for i in keys[1::2]}


def kind_identical(rng, top, r):
    if rng.random() < 0.5:
        hist = scattered(rng, top, 1, 12)
    else:
        hist = sample(rng, peak(rng, top, r), log_uniform(rng, 10, 10**9))
    return hist, dict(hist)


def kind_one_bucket(rng, top, r):
    before = scattered(rng, top, 1, 1)
    after = scattered(rng, top, 1, 1)
    if rng.random() < 0.3:  # the same bucket, another count
        after = {i: log_uniform(rng, 1, MAX_COUNT) for i in before}
    elif rng.random() < 0.3:
        after = sample(rng, peak(rng, top, r), log_uniform(rng, 10, 10**6))
    return (before, after) if rng.random() < 0.5 else (after, before)


def kind_unequal(rng, top, r):
    weights = peak(rng, top, r)
    pair = [
        sample(rng, weights, log_uniform(rng, 1, 100)),
        sample(rng, weights, log_uniform(rng, 10**7, 10**12)),
    ]
    return tuple(pair if rng.random() < 0.5 else pair[::-1])


def kind_multiple(rng, top, r):
    hist = sample(rng, peak(rng, top, r), log_uniform(rng, 10, 10**5))
    factor = int(rng.integers(2, 1001))
    pair = [hist, {i: c * factor for i, c in hist.items()}]
    return tuple(pair if rng.random() < 0.5 else pair[::-1])


def kind_edges(rng, top, r):
    before = scattered(rng, top, 1, 4)
    after = scattered(rng, top, 1, 4)
    for hist in (before, after):
        which = int(rng.integers(0, 3))
        if which != 0:
            hist[0] = log_uniform(rng, 1, MAX_COUNT)
        if which != 1:
            hist[top] = log_uniform(rng, 1, MAX_COUNT)
    return clean(before), clean(after)


KINDS = (
    kind_noise,
    kind_fine_noise,
    kind_shift,
    kind_new_peak,
    kind_sparse,
    kind_dense,
    kind_disjoint,
    kind_identical,
    kind_one_bucket,
    kind_unequal,
    kind_multiple,
    kind_edges,
)


def fill_zero(rng, kind, before, after):
    """Fill the zero bucket of a pair, in the way that suits its kind."""

    def some(hist):
        return log_uniform(rng, 1, max(hist.values()))

    if kind is kind_identical:
        before[ZERO] = after[ZERO] = some(before)
    elif kind is kind_multiple:
        small, large = sorted((before, after), key=lambda h: sum(h.values()))
        key = next(iter(small))
        small[ZERO] = some(small)
        large[ZERO] = small[ZERO] * (large[key] // small[key])
    elif kind is kind_one_bucket:
        (before if rng.random() < 0.5 else after).clear()
        count = log_uniform(rng, 1, MAX_COUNT)
        (after if after == {} else before)[ZERO] = count
    elif kind is kind_disjoint:
        hist = before if rng.random() < 0.5 else after
        hist[ZERO] = some(hist)
    elif kind in (kind_noise, kind_fine_noise, kind_unequal):
        share = rng.uniform(0.02, 0.3)
        for hist in (before, after):
            hist[ZERO] = max(1, rng.poisson(share * sum(hist.values())))
    else:
        which = int(rng.integers(0, 3))
        if which != 0:
            before[ZERO] = some(before)
        if which != 1:
            after[ZERO] = some(after)
    return clean(before), clean(after)


def make_case(number):
    """The resolution and the two histograms of case number (from 1)."""
    n = number - 1
    rng = np.random.Generator(np.random.PCG64([SEED, number]))
    resolution = RESOLUTIONS[n % len(RESOLUTIONS)]
    kind = KINDS[n % len(KINDS)]
    before, after = kind(rng, OCTAVES * resolution, resolution)
    if (n + n // len(KINDS)) % 3 == 0:
        before, after = fill_zero(rng, kind, dict(before), dict(after))
    for hist in (before, after):
        assert hist and min(hist) >= ZERO and max(hist) <= OCTAVES * resolution
        assert all(1 <= c <= MAX_COUNT for c in hist.values())
    return resolution, before, after


# --- the exact values -------------------------------------------------------


def dec(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def xlogy(weight, ratio):
    """weight * ln(ratio), both fractions, 0 where the weight is 0."""
    if weight == 0 or ratio == 1:
        return Decimal(0)
    return dec(weight) * dec(ratio).ln()


def decimal_pi():
    """Pi to the precision of the current context (Machin's formula)."""
    with decimal.localcontext() as context:
        context.prec += 10

        def arctan_inverse(x):
            power = Decimal(1) / x
            total, k, sign = power, 1, 1
            least = Decimal(10) ** -context.prec
            while power > least:
                power /= x * x
                k += 2
                sign = -sign
                total += sign * power / k
            return total

        result = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))
    return +result


def chi2_sf(statistic, df):
    """The chi-square distribution's upper tail, by its finite sums."""
    y = statistic / 2
    if y == 0:
        return 1.0
    if y > 3000:  # far below the least double, for every df used here
        assert scipy.stats.chi2.logsf(float(statistic), df) < -800
        return 0.0
    with decimal.localcontext() as context:
        # 1 - erf(sqrt(y)) loses about y / ln(10) digits.
        context.prec = DIGITS + int(y) // 2 + 10
        if df % 2 == 0:
            term = (-y).exp()  # y^a e^-y / Gamma(a + 1), a = 0
            total = term
            a = Decimal(1)
        else:
            pi = decimal_pi()
            root = y.sqrt()
            scale = 2 / pi.sqrt() * (-y).exp()
            item = series = root
            k = 0
            least = Decimal(10) ** -(context.prec + 5)
            while item > series * least:
                k += 1
                item = item * 2 * y / (2 * k + 1)
                series += item
            total = 1 - scale * series  # erfc(sqrt(y))
            term = scale * root  # y^a e^-y / Gamma(a + 1), a = 1/2
            a = Decimal("1.5")
            if df > 1:
                total += term
        # total is Q(a, y) with the last term y^(a-1) e^-y / Gamma(a).
        while a < Decimal(df) / 2:
            term = term * y / a
            total += term
            a += 1
        result = float(total)
        # As SciPy does: nothing between 0 and the least normal double.
        return result if result >= sys.float_info.min else 0.0


def compare(resolution, before, after):
    """Every value of a pair, as doubles (chi_square_df as an int)."""
    indices = sorted(set(before) | set(after))
    a = [before.get(i, 0) for i in indices]
    b = [after.get(i, 0) for i in indices]
    sum_a, sum_b = sum(a), sum(b)
    p = [Fraction(c, sum_a) for c in a]
    q = [Fraction(c, sum_b) for c in b]
    # On the common denominator sum_a * sum_b, as whole numbers:
    scaled_p = [c * sum_b for c in a]
    scaled_q = [c * sum_a for c in b]
    one = sum_a * sum_b
    out = {}

    emd, cdf, ks = 0, 0, 0
    for k, index in enumerate(indices):
        cdf += scaled_p[k] - scaled_q[k]
        if k + 1 < len(indices):
            emd += abs(cdf) * (indices[k + 1] - index)
        ks = max(ks, abs(cdf))
    assert cdf == 0
    out["emd"] = float(Fraction(emd, one * resolution))

    chi_square = sum(
        Decimal((x - y) ** 2) / Decimal(one * (s + t))
        for x, y, s, t in zip(scaled_p, scaled_q, a, b)
    )
    df = len(indices) - 1
    out["chi_square"] = float(chi_square)
    out["chi_square_df"] = df
    out["chi_square_p"] = chi2_sf(chi_square, df) if df > 0 else 1.0
    out["chi_square_effect"] = float(
        sum(
            Decimal((x - y) ** 2) / Decimal(2 * one * (x + y))
            for x, y in zip(scaled_p, scaled_q)
        )
    )

    if any(x > 0 and y == 0 for x, y in zip(p, q)):
        out["kl"] = math.inf
    else:
        out["kl"] = float(sum(xlogy(x, x / y) for x, y in zip(p, q) if x))
    jeffrey = sum(
        xlogy(x, 2 * x / (x + y)) + xlogy(y, 2 * y / (x + y))
        for x, y in zip(p, q)
    )
    out["jeffrey"] = float(jeffrey)
    out["jensen_shannon"] = float(jeffrey / 2)

    l1 = sum(abs(x - y) for x, y in zip(scaled_p, scaled_q))
    l2 = sum((x - y) ** 2 for x, y in zip(scaled_p, scaled_q))
    out["minkowski_l1"] = float(Fraction(l1, one))
    out["minkowski_l2"] = float(Decimal(l2).sqrt() / Decimal(one))
    out["intersection"] = float(Fraction(sum(map(min, scaled_p, scaled_q)), one))
    out["ks"] = float(Fraction(ks, one))

    out["total_operations"] = float(Fraction(sum_b - sum_a, sum_a + sum_b))
    means = [
        Decimal("0.5")
        if i == ZERO
        else (
            Decimal(2) ** (Decimal(i) / resolution)
            + Decimal(2) ** (Decimal(i + 1) / resolution)
        )
        / 2
        for i in indices
    ]
    time_a = sum(c * m for c, m in zip(a, means))
    time_b = sum(c * m for c, m in zip(b, means))
    out["total_latency"] = float((time_b - time_a) / (time_a + time_b))
    return out


# --- the checks against SciPy -----------------------------------------------


def cross_check(number, resolution, before, after, values):
    """Assert that SciPy (or NumPy) says the same, as far as doubles can."""

    def same(name, other, rel=1e-9, absolute=1e-12):
        mine = values[name]
        if not (mine == other or math.isclose(mine, other, rel_tol=rel,
                                              abs_tol=absolute)):
            raise SystemExit(f"case {number}: {name} {mine!r}, SciPy {other!r}")

    indices = sorted(set(before) | set(after))
    a = np.array([before.get(i, 0) for i in indices], dtype=float)
    b = np.array([after.get(i, 0) for i in indices], dtype=float)
    p, q = a / a.sum(), b / b.sum()
    same(
        "emd",
        scipy.stats.wasserstein_distance(
            list(before), list(after), list(before.values()), list(after.values())
        )
        / resolution,
    )
    if len(indices) > 1:
        same("chi_square",
             scipy.stats.chi2_contingency([a, b], correction=False)[0],
             absolute=1e-9)
    df = values["chi_square_df"]
    if df > 0:
        # A tail amplifies the rounding of the statistic: allow for that.
        x = values["chi_square"]
        same("chi_square_p", scipy.stats.chi2.sf(x, df),
             rel=1e-12 + 1e-15 * x, absolute=0.0)
    same("kl", scipy.stats.entropy(p, q))
    js = scipy.spatial.distance.jensenshannon(p, q)
    js = 0.0 if math.isnan(js) else js  # a sum just below 0, for like p and q
    same("jensen_shannon", js**2)
    same("jeffrey", 2 * js**2)
    same("minkowski_l1", scipy.spatial.distance.cityblock(p, q))
    same("minkowski_l2", scipy.spatial.distance.euclidean(p, q))
    same("intersection", 1 - scipy.spatial.distance.cityblock(p, q) / 2)
    same("ks", float(np.max(np.abs(np.cumsum(p) - np.cumsum(q)))))
    same("chi_square_effect", float(np.sum((p - q) ** 2 / (p + q)) / 2))
    same("total_operations", float((b.sum() - a.sum()) / (a.sum() + b.sum())))
    means = np.array([
        0.5 if i == ZERO
        else (2.0 ** (i / resolution) + 2.0 ** ((i + 1) / resolution)) / 2
        for i in indices
    ])
    ta, tb = float(a @ means), float(b @ means)
    same("total_latency", (tb - ta) / (ta + tb))


# --- the table --------------------------------------------------------------

HEADER = """\
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Expected values of the comparisons of two log2 histograms.
# Made by tests/oracle/distances.py, seed {seed}, {cases} cases,
# with Python {python}, SciPy {scipy}, NumPy {numpy}.  Do not edit.
#
# The values are computed exactly (fractions, decimals of 80 digits or more),
# rounded to a double once, and checked against SciPy when the table is made.
# Reading the table needs no SciPy.  Each case is {lines} lines, in this order:
#
#   case N resolution R
#   before INDEX:COUNT ...    ascending; INDEX -1 is the zero bucket [0, 1),
#   after INDEX:COUNT ...     INDEX i is [2^(i/R), 2^((i+1)/R))
#   NAME VALUE                one line for each of:
#     emd                octaves: sum of |CDF_p - CDF_q| over indices, over R
#     chi_square         sum (sqrt(B/A) a - sqrt(A/B) b)^2 / (a + b)
#     chi_square_df      buckets filled in either, less 1
#     chi_square_p       upper tail of the chi-square distribution; 1 if df = 0
#                        (0 where it is below the least normal double)
#     chi_square_effect  sum (p - q)^2 / (p + q) / 2
#     kl                 KL(p || q), nats; inf where q is empty and p is not
#     jeffrey            sum p ln(p/m) + q ln(q/m), m = (p + q) / 2
#     jensen_shannon     jeffrey / 2
#     minkowski_l1       sum |p - q|
#     minkowski_l2       sqrt(sum (p - q)^2)
#     intersection       sum min(p, q)
#     ks                 max |CDF_p - CDF_q|
#     total_operations   (B - A) / (A + B)
#     total_latency      (TB - TA) / (TA + TB), T = sum count * bucket midpoint
#
# a, b: counts before and after; A, B: their sums; p = a / A, q = b / B.
# No line is longer than {longest} bytes; no case fills more than {filled}
# buckets in one histogram.
"""


def format_hist(name, hist):
    return name + "".join(f" {i}:{c}" for i, c in hist.items())


def make_table():
    lines = []
    filled = 0
    for number in range(1, CASES + 1):
        resolution, before, after = make_case(number)
        values = compare(resolution, before, after)
        cross_check(number, resolution, before, after, values)
        filled = max(filled, len(before), len(after))
        lines.append(f"case {number} resolution {resolution}")
        lines.append(format_hist("before", before))
        lines.append(format_hist("after", after))
        lines.extend(f"{name} {values[name]!r}" for name in NAMES)
    header = HEADER.format(
        seed=SEED,
        cases=CASES,
        lines=3 + len(NAMES),
        python=".".join(map(str, sys.version_info[:3])),
        scipy=scipy.__version__,
        numpy=np.__version__,
        longest=max(map(len, lines)),
        filled=filled,
    )
    return header, lines


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(
        description="Make the table of expected histogram comparisons."
    )
    parser.add_argument("file", nargs="?",
                        default=os.path.join(here, "distances.txt"))
    parser.add_argument("--check", action="store_true",
                        help="compare with FILE instead of writing it")
    args = parser.parse_args()
    decimal.getcontext().prec = DIGITS
    header, lines = make_table()
    if args.check:
        with open(args.file, encoding="ascii") as file:
            there = [s for s in file.read().splitlines() if not s.startswith("#")]
        if there != lines:
            sys.exit(f"{args.file} differs from what this script makes")
        return
    with open(args.file, "w", encoding="ascii", newline="\n") as file:
        file.write(header + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
