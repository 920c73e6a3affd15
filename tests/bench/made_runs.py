# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs with a known truth, drawn bucket by bucket. Standard library only.

An operation is a mixture of log-normal modes and a Pareto tail. The share of each bucket, and the
mean and spread of the latencies in it, follow from it without drawing a call, so a run of a
million calls costs as much as one of a thousand: its counts are drawn from the shares, its
total from what the buckets hold. What changes a run changes the mixture:

    Change(factor=1.1)         every call takes 10 % longer
    Change(slowest=(.01, 3))   the slowest 1 % of the calls take three times as long
    Change(slow=(.01, 10))     1 % of all calls take ten times as long
    Change(calls=2)            twice as many calls

Runs differ by themselves, too (NOISES): each operation by its own deviation, all by the
machine's, the modes' weights by theirs.
"""
import collections
import math
import random

OCTAVE = math.log(2)
NOISES = ("normal", "t3", "two-states", "ar", "drift")
STARTED = 1700000000

# --- laws of latency ---------------------------------------------------------


def normal_below(z):
    return 0.5 * math.erfc(-z / math.sqrt(2))


class LogNormal:
    def __init__(self, median, sigma):
        self.median, self.sigma = median, sigma
        self.least, self.most = median * math.exp(-6 * sigma), median * math.exp(6 * sigma)

    def moment(self, power, low, high):
        """The mean of x^power where low <= x < high, 0 elsewhere."""
        shift = power * self.sigma

        if low >= self.most and not power:
            return 0.0

        def below(x):
            return normal_below(math.log(x / self.median) / self.sigma - shift) if x > 0 else 0.0
        whole = self.median ** power * math.exp(shift * shift / 2)
        return whole * ((below(high) if high < math.inf else 1.0) - below(low))


class Pareto:
    """Above `start`; no value lies beyond `end`."""

    def __init__(self, start, alpha, end):
        self.start, self.alpha, self.end = start, alpha, end
        self.least, self.most = start, end
        self.whole = 1 - (start / end) ** alpha

    def moment(self, power, low, high):
        low, high = max(low, self.start), min(high, self.end)
        if low >= high:
            return 0.0
        a, k = self.alpha, power - self.alpha
        integral = math.log(high / low) if k == 0 else (high ** k - low ** k) / k
        return a * self.start ** a * integral / self.whole


# One part of a mixture: a share of all calls, by a law within limits, times a factor.
Part = collections.namedtuple("Part", "share law low high factor")
Change = collections.namedtuple("Change", "factor slowest slow calls", defaults=(1, None, None, 1))
UNCHANGED = Change()


def moment(parts, power, low, high):
    total = 0.0
    for p in parts:
        a, b = max(low / p.factor, p.low), min(high / p.factor, p.high)
        if a < b:
            total += p.share * p.law.moment(power, a, b) * p.factor ** power
    return total


def quantile(parts, q):
    low, high = 1e-3, 1e15
    for _ in range(70):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if moment(parts, 0, 0, middle) < q else (low, middle)
    return low


def changed(parts, change):
    if change.slow:
        share, factor = change.slow
        parts = ([p._replace(share=p.share * (1 - share)) for p in parts]
                 + [p._replace(share=p.share * share, factor=p.factor * factor) for p in parts])
    if change.slowest:
        share, factor = change.slowest
        cut = quantile(parts, 1 - share)
        parts = ([p._replace(high=min(p.high, cut / p.factor)) for p in parts]
                 + [p._replace(low=max(p.low, cut / p.factor), factor=p.factor * factor) for p in parts])
    return [p._replace(factor=p.factor * change.factor) for p in parts if p.low < p.high]


# --- operations --------------------------------------------------------------

def log_uniform(chance, low, high):
    return math.exp(chance.uniform(math.log(low), math.log(high)))


class Operation:
    """Median, modes, tail, number of calls and own noise, drawn."""

    WEIGHT_NOISE = 0.15  # logits, of the weight of the second mode from run to run

    def __init__(self, chance, name, calls=(300, 3000), noise=(0.01, 0.06), tails=True):
        self.name = name
        self.calls = int(log_uniform(chance, *calls))
        self.noise = log_uniform(chance, *noise)  # octaves
        self.median = log_uniform(chance, 1e3, 2e5)
        self.sigma = chance.uniform(0.12, 0.42)
        self.second = log_uniform(chance, 0.01, 0.3) if chance.random() < 0.5 else 0.0
        self.second_factor = log_uniform(chance, 4, 64)
        self.tail = log_uniform(chance, 0.001, 0.01) if tails and chance.random() < 0.3 else 0.0
        self.alpha = chance.uniform(1.3, 2.5)
        self.calls_vary = chance.random() < 0.5

    def parts(self, chance):
        """The mixture of one run, of which the weights vary."""
        second = self.second
        if second:
            logit = math.log(second / (1 - second)) + chance.gauss(0, self.WEIGHT_NOISE)
            second = 1 / (1 + math.exp(-logit))
        laws = [((1 - second) * (1 - self.tail), LogNormal(self.median, self.sigma))]
        if second:
            laws.append((second * (1 - self.tail), LogNormal(self.median * self.second_factor, self.sigma)))
        if self.tail:
            laws.append((self.tail, Pareto(6 * self.median, self.alpha, 1e4 * self.median)))
        return [Part(share, law, 0.0, math.inf, 1.0) for share, law in laws]

    def n_calls(self, chance, change):
        n = self.calls
        if self.calls_vary:
            n = chance.gauss(n, math.sqrt(n)) * math.exp(chance.gauss(0, 0.01))
        return max(1, round(n * change.calls))


def operations(chance, n, **shape):
    return [Operation(chance, f"op{i:03d}", **shape) for i in range(n)]


# --- counts ------------------------------------------------------------------

def binomial(chance, n, p):
    """Exact where few are expected; else normal, with its skewness (Cornish and Fisher)."""
    if p > 0.5:
        return n - binomial(chance, n, 1 - p)
    if n <= 0 or p <= 0:
        return 0
    if n * p >= 25:
        sd = math.sqrt(n * p * (1 - p))
        z = chance.gauss(0, 1)
        return min(n, max(0, round(n * p + sd * z + (1 - 2 * p) * (z * z - 1) / 6)))
    k, at, log_q = 0, -1, math.log1p(-p)
    while True:  # gaps between successes are geometric
        at += 1 + int(math.log(1 - chance.random()) / log_q)
        if at >= n:
            return k
        k += 1


def buckets(parts, resolution):
    """Numbers of the buckets that may hold calls, all but a billionth of them."""
    low = min(max(p.law.least, p.low) * p.factor for p in parts)
    high = max(min(p.law.most, p.high) * p.factor for p in parts)
    return range(max(0, math.floor(resolution * math.log2(low))), math.floor(resolution * math.log2(high)) + 1)


def histogram(chance, parts, n, resolution=1):
    """(bucket, calls) of one run, and the sum of their latencies."""
    shares = []
    for i in buckets(parts, resolution):
        low, high = 2 ** (i / resolution), 2 ** ((i + 1) / resolution)
        share = moment(parts, 0, low, high)
        if share > 1e-9:
            shares.append((share, i, low, high))
    shares.sort(reverse=True)
    counts, total, left, mass = [], 0.0, n, sum(s[0] for s in shares)
    for share, i, low, high in shares:
        k = left if share >= mass else binomial(chance, left, share / mass)
        left, mass = left - k, mass - share
        if k:
            mean = moment(parts, 1, low, high) / share
            variance = max(0.0, moment(parts, 2, low, high) / share - mean * mean)
            total += min(k * high, max(k * low, chance.gauss(k * mean, math.sqrt(k * variance))))
            counts.append((i, k))
    return sorted(counts), round(total)


# --- runs --------------------------------------------------------------------

def positions(n_before, n_after, order):
    """When each run was made, those before first: in turns, or one side after the other."""
    if order != "turns":
        return list(range(n_before + n_after))
    keyed = sorted([(i / n_before, 0, i) for i in range(n_before)] + [(i / n_after, 1, i) for i in range(n_after)])
    when = {key[1:]: t for t, key in enumerate(keyed)}
    return [when[0, i] for i in range(n_before)] + [when[1, i] for i in range(n_after)]


def student3(chance):
    return chance.gauss(0, 1) / math.sqrt(chance.gammavariate(1.5, 2) / 3)


def series(chance, n, phi):
    """A stationary autoregressive series of variance 1."""
    x = [chance.gauss(0, 1)]
    for _ in range(n - 1):
        x.append(phi * x[-1] + math.sqrt(1 - phi * phi) * chance.gauss(0, 1))
    return x


def own_noise(chance, noise, sd, when):
    """Octaves that one operation is slower in each run."""
    n = len(when)
    if noise == "t3":  # scaled to the quartiles of the normal one
        return [0.88 * sd * student3(chance) for _ in range(n)]
    if noise == "two-states":
        return [0.5 * sd * chance.gauss(0, 1) + 0.2 * (chance.random() < 0.3) for _ in range(n)]
    if noise == "ar":
        x = series(chance, n, 0.6)
        return [sd * x[t] for t in when]
    return [sd * chance.gauss(0, 1) for _ in range(n)]


def machine_noise(chance, noise, when):
    drift = 0.02 if noise == "drift" else 0.0  # octaves a run: 1.4 %
    return [chance.gauss(0, 0.02) + drift * t for t in when]


class Comparison:
    """Two sides of runs. `change(operation index, run index on its side)` says how a run after differs."""

    def __init__(self, chance, ops, n_before, n_after, noise="normal", order="turns", machine=True):
        self.ops, self.n_before, self.order = ops, n_before, order
        self.when = positions(n_before, n_after, order)
        whole = machine_noise(chance, noise, self.when) if machine else [0.0] * len(self.when)
        self.shift = [[a + b for a, b in zip(own_noise(chance, noise, o.noise, self.when), whole)] for o in ops]

    def text(self, chance, run, change=None, resolution=1, totals=True):
        """The run as osprof prints it."""
        lines = ["osprof 1"]
        if self.order != "unknown":
            lines.append(f"started {STARTED + 60 * self.when[run]}")
        lines += ["unit ns", f"buckets log2 {resolution}"]
        for i, o in enumerate(self.ops):
            how = change(i, run - self.n_before) if change and run >= self.n_before else UNCHANGED
            parts = changed(o.parts(chance), how)
            parts = [p._replace(factor=p.factor * 2 ** self.shift[i][run]) for p in parts]
            counts, total = histogram(chance, parts, o.n_calls(chance, how), resolution)
            lines.append(f"op {o.name}")
            if totals:
                lines.append(f"total {total}")
            lines += [f"{b} {k}" for b, k in counts]
        return "\n".join(lines) + "\n"

    def write(self, chance, folder, change=None, **how):
        """Files of both sides: two lists of paths, in the order of their numbers."""
        sides = [], []
        for run in range(len(self.when)):
            after = run >= self.n_before
            path = folder / ("after" if after else "before") / f"{run - self.n_before * after:02d}.osprof"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.text(chance, run, change, **how))
            sides[after].append(path)
        return sides


def seeded(*key):
    """A generator of its own for each key, so that no draw depends on what was drawn elsewhere."""
    return random.Random(":".join(map(str, key)))
