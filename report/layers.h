/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof layers: the report in every output format. */
#ifndef REPORT_LAYERS_H
#define REPORT_LAYERS_H

#include "analyze/layers/layers.h"
#include "profile/quantity.h"
#include "report/report.h"

/* The input of report_layers(): one run or two, by layer.  All pointers are borrowed. */
struct layers_report {
	struct run run[2];
	struct layered layered[2];
	size_t n_runs;		     /* 1, or before and after */
	struct layer_change *change; /* between the two */
	size_t n_changes;
	struct scale scale;
	bool all; /* text and Markdown show small layers and operations, too */
	/* Whether --op and --layer choose an operation. */
	bool (*wanted)(const struct operation *op, const void *ctx);
	const void *ctx;
};

/* Prints layers in the output format of the style. */
void report_layers(struct out *o, const struct style *s, const struct layers_report *r);

/* "read +1.2 s: block 0 s, above block +1.2 s" */
void say_layer_change(struct out *o, const struct style *s, const struct layer_change *c,
		      struct scale scale);

/* The same for one run: "read 3.67 s: block 2.96 s, above block 706 ms, 17.7 us a call" */
void say_layer_split(struct out *o, const struct style *s, const struct layer_change *c,
		     struct scale scale);

#endif
