# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact bounds of a rate that was counted: k of n. Standard library only.

    interval(k, n, 0.95)   the interval of Clopper and Pearson
    at_most(k, n, rate)    whether an exact one-sided 99 % bound is compatible with at most RATE
    at_least(k, n, rate)   ... with at least RATE
"""
import math

LEVEL = 0.01


def at_least_k(k, n, rate):
    """Chance of k or more of n."""
    if k <= 0:
        return 1.0
    if rate <= 0 or k > n:
        return 0.0
    if rate >= 1:
        return 1.0
    log_odds = math.log(rate), math.log1p(-rate)
    terms = (math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
             + i * log_odds[0] + (n - i) * log_odds[1] for i in range(k, n + 1))
    return min(1.0, math.fsum(map(math.exp, terms)))


def at_most_k(k, n, rate):
    """Chance of k or fewer of n: of n - k or more others."""
    return at_least_k(n - k, n, 1 - rate)


def bisect(low_enough):
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if low_enough(middle) else (low, middle)
    return low


def interval(k, n, level):
    if n == 0:
        return 0.0, 1.0
    tail = (1 - level) / 2
    low = 0.0 if k == 0 else bisect(lambda rate: at_least_k(k, n, rate) < tail)
    high = 1.0 if k == n else bisect(lambda rate: at_most_k(k, n, rate) > tail)
    return low, high


def at_most(k, n, rate):
    return at_least_k(k, n, rate) > LEVEL


def at_least(k, n, rate):
    return at_most_k(k, n, rate) > LEVEL
