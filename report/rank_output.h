/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output formats of osprof rank that have files of their own. */
#ifndef REPORT_RANK_OUTPUT_H
#define REPORT_RANK_OUTPUT_H

struct comparison;
struct out;

void rank_json(struct out *o, const struct comparison *c);
void rank_junit(struct out *o, const struct comparison *c);
/* One page that needs nothing else: no script, no other file. */
void rank_html(struct out *o, const struct comparison *c);

#endif
