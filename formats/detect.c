/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects the format of a file. */
#include "base/input/input_file.h"
#include "formats/format.h"
#include "formats/report/report.h"
#include "formats/report/report_text.h"

#include <stdlib.h>

#include "base/out.h"
#include "base/scan.h"
#include "formats/candidate.h"
#include "formats/foreign.h"
#include "formats/sections.h"
#include "formats/text.h"
#include "formats/typescript.h"
#include "formats/wrapping.h"

enum { HEAD_BYTES = 64 * 1024, SIGNATURE_BYTES = 4 * 1024 };

/* Returns the first bytes up to the end of a line, so that no probe sees half a line. */
static struct str head_of(const struct input *in, size_t max)
{
	return in->bytes.n > max ? text_whole_lines((struct str){ in->bytes.p, max }) : in->bytes;
}

enum probe format_probe(const struct format *f, const struct input *in, struct clue *clue)
{
	return candidate_probe(f, head_of(in, HEAD_BYTES), clue);
}

enum probe format_probe_rows(struct str head, bool (*is_row)(struct cursor *line),
			     const char *other, struct clue *clue)
{
	struct cursor c = CURSOR_OVER(head), line;
	bool any = false;

	while (scan_line(&c, &line)) {
		if (cursor_done(&line))
			continue;
		if (!is_row(&line)) {
			if (any && cursor_done(&c) && line.end == c.end)
				return PROBE_SHAPE; /* cut off */
			if (any)
				*clue = (struct clue){ line.at, other };
			return PROBE_NO;
		}
		any = true;
	}
	return any ? PROBE_SHAPE : PROBE_NO;
}

/* The format whose probe gave up last. */
const struct format *format_nearest(const struct input *in, struct clue *ret)
{
	const struct format *nearest = NULL, *f;

	for (size_t i = 0; (f = format_at(i)) != NULL; i++) {
		struct clue clue;

		(void)format_probe(f, in, &clue);
		if (clue.why == NULL || (nearest != NULL && clue.at <= ret->at))
			continue;
		nearest = f;
		*ret = clue;
	}
	return nearest;
}

/* The only clue is the file's name. */
static void report_unlike_any(struct input *in, struct diag *diag)
{
	bool table = format_has_suffix(format_by_name(STR("csv")), text_expanded_name(in->name));

	diag_at(diag, DIAG_FORMAT_UNKNOWN, in, 0, DIAG_NO_CARET,
		"%s; `osprof formats` lists all, %s",
		table ? "by its name nearest is csv, but it has no columns of known names"
		      : "nothing that osprof reads begins like this",
		table ? "name them with --column" : "use --from to choose one");
}

static void report_unknown(struct input *in, struct diag *diag)
{
	const struct foreign *foreign = foreign_find_text(in);
	struct str failure = foreign_failure(in);
	const struct format *nearest;
	struct clue clue;

	if (foreign != NULL)
		foreign_report(foreign, false, in, diag);
	else if (failure.n > 0)
		diag_part(diag, DIAG_OTHER_FILE, in, failure,
			  "the run failed, as this line says, and printed no latencies; repeat it");
	else if ((nearest = format_nearest(in, &clue)) != NULL)
		diag_at(diag, DIAG_FORMAT_UNKNOWN, in, clue.at, 1,
			"nearest is %s, but: %s; `osprof formats` lists all, use --from to choose "
			"one",
			nearest->name, clue.why);
	else
		report_unlike_any(in, diag);
}

/* Returns the one format whose signature is in the first lines; NULL when none or two match.
 * Probing a long head with every format takes longer than reading a small file. */
static const struct format *signed_by(const struct input *in)
{
	struct str head = head_of(in, SIGNATURE_BYTES);
	const struct format *found = NULL, *f;

	for (size_t i = 0; (f = format_at(i)) != NULL; i++) {
		struct clue clue;

		if (candidate_probe(f, head, &clue) < PROBE_MAGIC)
			continue;
		if (found != NULL)
			return NULL;
		found = f;
	}
	return found;
}

static struct candidate candidate_of(const struct input *in)
{
	struct candidate c = { .score = PROBE_NO };

	if (in->bytes.n > SIGNATURE_BYTES && (c.best = signed_by(in)) != NULL) {
		c.score = PROBE_MAGIC;
		return c;
	}
	return candidate_of_text(head_of(in, HEAD_BYTES), text_expanded_name(in->name));
}

/* Probes the named format only, or all of them. */
static struct candidate claim_by(const struct format *named, const struct input *in)
{
	struct candidate c = { .score = PROBE_NO };

	if (named == NULL)
		return candidate_of(in);
	candidate_consider(&c, named, head_of(in, HEAD_BYTES), text_expanded_name(in->name));
	return c;
}

/* --- wrapped lines ------------------------------------------------------------------------------ */

/* Joins each line that fills the terminal with the next one. */
static void join_full_lines(struct out *to, struct str text, size_t widest)
{
	struct str line;

	while (text_next(&text, &line)) {
		if (line.n > 0 && line.p[line.n - 1] == '\r')
			line.n--;
		out_bytes(to, line);
		if (report_columns(line) != widest)
			out_char(to, '\n');
	}
}

/* Finds the report whose lines a terminal wrapped; its reader joins them. */
static struct candidate claim_joined(const struct format *named, const struct input *in)
{
	struct str head = head_of(in, HEAD_BYTES);
	struct candidate none = { .score = PROBE_NO }, found;
	struct out *joined;
	struct input inner;

	if (named != NULL && named->read != report_read)
		return none;
	joined = out_to_memory();
	join_full_lines(joined, head, report_widest(head, REPORT_MAX_LINE));
	input_borrow(&inner, "", out_memory(joined).p, out_memory(joined).n);
	inner.name = in->name;
	found = claim_by(named, &inner);
	input_release(&inner);
	out_free(joined);
	return found.best != NULL && found.best->read == report_read ? found : none;
}

/* How a text is claimed: as it is, or with the lines joined that a terminal wrapped. */
typedef struct candidate text_claim(const struct format *named, const struct input *in);

/* --- what surrounds the text ------------------------------------------------------------------ */

static struct candidate claim_without(const struct wrapping *w, const struct format *named,
				      const struct input *in, text_claim *claim)
{
	struct str text = wrapping_without(w, head_of(in, HEAD_BYTES));
	struct input inner;
	struct candidate c;

	input_borrow(&inner, "", text.p, text.n);
	inner.name = in->name;
	c = claim(named, &inner);
	input_release(&inner);
	free((char *)(uintptr_t)text.p);
	return c;
}

/* A date before a line may be part of the event itself, so formats that stream events keep it. */
static bool outdoes_outer(const struct candidate *inner, const struct candidate *outer, bool strong)
{
	if (inner->best == NULL || outer->best == NULL)
		return inner->best != NULL;
	if (outer->best->logged)
		return false;
	return inner->score > outer->score ||
	       (inner->score == outer->score && (strong || !outer->best->streams));
}

/* Finds how many prefixes to strip so that the format is recognised best. */
static bool find_wrapping(const struct format *named, const struct input *in, text_claim *claim,
			  const struct candidate *outer, struct wrapping *ret)
{
	struct wrapping w = { .shell = SHELL_CERTAIN };
	struct str head = head_of(in, HEAD_BYTES);
	struct candidate best = *outer, inner;

	*ret = w;
	while (wrapping_add(&w, head, outer->best == NULL ? PREFIX_WEAK : PREFIX_DATED)) {
		inner = claim_without(&w, named, in, claim);
		if (outdoes_outer(&inner, &best, wrapping_is_strong(&w))) {
			best = inner;
			*ret = w;
		}
	}
	if (best.best != NULL || !wrapping_has_shell(head, SHELL_LIKELY))
		return ret->n_prefixes > 0;
	ret->shell = SHELL_LIKELY;
	return claim_without(ret, named, in, claim).best != NULL;
}

static bool unwrap_input(struct input *in, const struct wrapping *w, struct diag *diag)
{
	struct out *what = out_to_memory();

	for (size_t i = 0; i < w->n_prefixes; i++)
		out_printf(what, "%s%s", i > 0 ? ", then in " : "lines begin as in ",
			   wrapping_name(w, i));
	out_printf(what, "%s%c",
		   w->n_prefixes > 0 ? "; columns are counted after that" : "lines of a shell",
		   '\0');
	diag_file(diag, DIAG_PREFIX_STRIPPED, in, "%s", out_memory(what).p);
	out_free(what);
	return input_filter(in, wrapping_filter(w), diag);
}

/* Strips what no collector prints, whatever the format. */
static bool unwrap_certain(struct input *in, struct diag *diag)
{
	const struct wrapping shell = { .shell = SHELL_CERTAIN };

	if (is_typescript(in->bytes) && !input_filter(in, typescript_filter(), diag))
		return false;
	/* A shorter file is in memory as a whole already. */
	return !wrapping_has_shell(head_of(in, INPUT_HEAD), SHELL_CERTAIN) ||
	       unwrap_input(in, &shell, diag);
}

/* Strips prefixes if a format is recognised, or better recognised, without them. */
static bool claim_unwrapped(const struct format *named, struct input *in, text_claim *claim,
			    struct candidate *ret, struct diag *diag)
{
	struct wrapping w;

	*ret = claim(named, in);
	if (!find_wrapping(named, in, claim, ret, &w))
		return true;
	if (!unwrap_input(in, &w, diag))
		return false;
	*ret = claim(named, in);
	return true;
}

/* --- the result --------------------------------------------------------------------------- */

static const struct format *settle_format(const struct candidate *c, struct input *in,
					  struct diag *diag)
{
	if (c->best == NULL && format_is_text(in, diag))
		report_unknown(in, diag);
	if (c->rival == NULL)
		return c->best;
	diag_at(diag, DIAG_FORMAT_AMBIGUOUS, in, 0, 1,
		"%s or %s; --from %s or --from %s settles it", c->best->name, c->rival->name,
		c->best->name, c->rival->name);
	return NULL;
}

/* Our own files are not probed by every format. */
const struct format *format_by_first_line(const struct input *in)
{
	const struct format *f;

	for (size_t i = 0; (f = format_at(i)) != NULL; i++) {
		if (f->first_line != NULL && str_has_prefix(in->bytes, str_from(f->first_line)))
			return f;
	}
	return NULL;
}

/* Whether to clean the text.  Names may have escape sequences and such blanks, so they go only if
 * all else fails, or the text is for people. */
static bool has_terminal_text(const struct candidate *c, struct str head)
{
	bool report = c->best != NULL && c->best->read == report_read;

	return (c->best == NULL && typescript_has_colours(head)) ||
	       ((c->best == NULL || report) && typescript_has_blanks(head));
}

const struct format *format_detect(const struct format *named, struct input *in, struct diag *diag)
{
	const struct format *ours = format_by_first_line(in);
	struct candidate c;

	if (ours != NULL && (named == NULL || named == ours))
		return ours;
	if (!unwrap_certain(in, diag))
		return NULL;
	if (!claim_unwrapped(named, in, claim_by, &c, diag))
		return NULL;
	if (has_terminal_text(&c, head_of(in, HEAD_BYTES)) &&
	    (!input_filter(in, typescript_filter(), diag) ||
	     !claim_unwrapped(named, in, claim_by, &c, diag)))
		return NULL;
	if (c.best == NULL && !claim_unwrapped(named, in, claim_joined, &c, diag))
		return NULL;
	if (!sections_choose(named, in, &c, diag))
		return NULL;
	return named != NULL ? named : settle_format(&c, in, diag);
}
