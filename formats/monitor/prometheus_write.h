/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a profile as histograms of Prometheus' text format: one metric for each unit,
 * osprof_latency_nanoseconds and so on, with the labels layer and operation.
 */
#ifndef FORMATS_MONITOR_PROMETHEUS_WRITE_H
#define FORMATS_MONITOR_PROMETHEUS_WRITE_H

#include "base/attr.h"
#include "base/str.h"
#include "profile/unit.h"

struct diag;
struct out;
struct profile;

/* Finds the unit of one of these metrics; false for any other name. */
bool prometheus_own_unit(struct str metric, enum unit *ret);

/* Writes a profile as classic histograms in its own unit; false when an error was reported. */
MUST_CHECK bool prometheus_write(const struct profile *p, struct out *o, struct diag *diag);

#endif
