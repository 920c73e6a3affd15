/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which format a text is taken for. */
#ifndef FORMATS_CANDIDATE_H
#define FORMATS_CANDIDATE_H

#include "formats/format.h"

/* The format with the highest score, and a rival with the same score unless the suffix decides. */
struct candidate {
	const struct format *best, *rival; /* NULL: none */
	enum probe score;
};

/* Probes a text with the format, which becomes the best or a rival. */
void candidate_consider(struct candidate *c, const struct format *f, struct str head,
			struct str path);
/* Probes a text with all formats; the suffix of `path` decides between equal scores. */
struct candidate candidate_of_text(struct str head, struct str path);
/* Returns one format's score for a text. */
enum probe candidate_probe(const struct format *f, struct str head, struct clue *clue);

#endif
