/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a profiled call, see capture_parts.c. */
#ifndef TESTS_BENCH_CAPTURE_PARTS_H
#define TESTS_BENCH_CAPTURE_PARTS_H

#include "collect/osprof.h"

uint64_t empty_start(const struct osprof *p);
uint64_t empty_stop(struct osprof *p, int op, uint64_t start);
uint64_t reading_start(const struct osprof *p);
uint64_t reading_stop(struct osprof *p, int op, uint64_t start);

#endif
