#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Moderated t with SciPy's special functions: the values tests/analyze compares with.

    /usr/bin/python3 tests/oracle/moderated.py >tests/oracle/moderated.txt

Smyth, Linear models and empirical Bayes methods (2004), with a line in log calls as
trend (the median of all slopes between pairs, Theil and Sen) from 20 operations on, and
one standard error added to the variance of log variances.  Lines:

    tail T DF P                      both tails of Student's t
    limit TAIL DF T                  the t that has TAIL above it
    case DF N                        then N lines
    op VARIANCE LOGCALLS DIFFERENCE PER_RUNS -> VARIANCE DF P
"""
import numpy as np
from scipy import optimize, special, stats


def prior(variance, log_calls, df):
    n = len(variance)
    y = np.log(np.maximum(variance, np.median(variance) * 1e-5))
    slope = 0.0
    if n >= 20:
        slope = np.median([(y[k] - y[i]) / (log_calls[k] - log_calls[i])
                           for i in range(n) for k in range(i + 1, n)])
    e = y - slope * log_calls - special.digamma(df / 2) + np.log(df / 2)
    free = n - (2 if n >= 20 else 1)
    spread = np.sum((e - np.mean(e)) ** 2) / free * (1 + np.sqrt(2 / free))
    spread -= special.polygamma(1, df / 2)
    if spread <= 0:
        return slope, np.mean(e), np.inf
    half = optimize.brentq(lambda x: special.polygamma(1, x) - spread, 1e-6, 1e9, xtol=1e-14)
    return slope, np.mean(e) + special.digamma(half) - np.log(half), 2 * half


def case(rng, n, df, spread):
    log_calls = rng.uniform(3, 14, n)
    variance = np.exp(-3 - 0.4 * log_calls + spread * rng.normal(size=n))
    variance *= rng.chisquare(df, n) / df
    difference = rng.normal(size=n) * 0.1
    slope, level, d0 = prior(variance, log_calls, df)
    print("case", df, n)
    for v, c, d in zip(variance, log_calls, difference):
        s0 = np.exp(level + slope * c)
        s2 = s0 if np.isinf(d0) else (d0 * s0 + df * v) / (d0 + df)
        all_df = min(d0 + df, df * n)
        per_runs = 2 / (df / 2 + 1)
        p = 2 * stats.t.sf(abs(d) / np.sqrt(s2 * per_runs), all_df)
        print("op", *(repr(float(x)) for x in (v, c, d, per_runs)), "->",
              *(repr(float(x)) for x in (s2, all_df, p)))


def main():
    print("# SPDX-License-Identifier: GPL-3.0-or-later")
    print("# by moderated.py")
    for t, df in ((0, 3), (1, 1), (2.5, 4), (-3.1, 7.5), (12, 2.2), (40, 30)):
        print("tail", t, df, repr(float(2 * stats.t.sf(abs(t), df))))
    for tail, df in ((0.05, 4), (0.05, 8.7), (0.025, 100)):
        print("limit", tail, df, repr(float(stats.t.isf(tail, df))))
    rng = np.random.default_rng(20061106)
    case(rng, 5, 4, 0.5)
    case(rng, 12, 2, 1.0)
    case(rng, 40, 6, 0.8)
    case(rng, 30, 8, 0.0)


if __name__ == "__main__":
    main()
