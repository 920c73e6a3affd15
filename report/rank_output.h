/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output formats of osprof rank that are implemented in separate files. */
#ifndef REPORT_RANK_OUTPUT_H
#define REPORT_RANK_OUTPUT_H

struct comparison;
struct out;

/* Prints the schema osprof.rank/1. */
void rank_json(struct out *o, const struct comparison *c);
/* Prints one test case for each operation. */
void rank_junit(struct out *o, const struct comparison *c);
/* Prints a self-contained page: no scripts, no other files. */
void rank_html(struct out *o, const struct comparison *c);

#endif
