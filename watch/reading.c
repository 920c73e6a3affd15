/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/reading.h"

#include "base/diag.h"
#include "base/out.h"
#include "formats/carried.h"
#include "watch/cut.h"
#include "watch/parts.h"
#include "watch/read_error.h"
#include "watch/snapshots.h"

/* Bytes of a piece that takes long to search for log prefixes. */
enum { LARGE = 1 << 18 };

struct profile *reading_piece(struct reading *r, struct str bytes,
			      const struct read_options *options, struct read_error *error)
{
	struct diag diag = { .emit = read_error_emit, .ctx = error };
	struct profile *p;
	struct input in;

	out_reset(error->text);
	error->line = 0;
	carried_restart(options->carried);
	input_borrow(&in, r->name, bytes.p, bytes.n);
	if (r->format != NULL && r->format->streams && !r->wrapped &&
	    (bytes.n >= LARGE || r->in_parts))
		p = format_read_bare(r->format, &in, options, &diag);
	else
		p = plugins_read(r->plugins, r->format, &in, options, &diag);
	input_release(&in);
	if (p != NULL)
		layers_settle(&r->layers, p, p->printing.lone_layer);
	return p;
}

/* Reads a piece with snapshots understood in another way; NULL if it cannot be read so. */
static struct profile *reading_as(struct reading *r, struct str bytes, enum snapshots snapshots)
{
	struct read_options options = r->options;
	struct read_error error = { .text = out_to_memory() };
	struct profile *p;

	options.build.snapshots = snapshots;
	p = reading_piece(r, bytes, &options, &error);
	out_free(error.text);
	return p;
}

void reading_take_snapshots(struct reading *r, struct snapshot_series *to, struct str bytes,
			    struct profile *p, double at)
{
	struct profile *prints = p->printing.several ? reading_as(r, bytes, SNAPSHOTS_DELTA) : NULL;
	struct profile *last = NULL;

	if (p->printing.cumulative)
		snapshots_set_cumulative(to);
	if (prints != NULL && parts_hold_all(prints)) {
		snapshots_take_each(to, prints, at);
	} else {
		last = reading_as(r, bytes, SNAPSHOTS_CUMULATIVE);
		/* A reader that counts more than the last one saw a decrease: all are deltas. */
		if (last == NULL || (prints != NULL && parts_count(p) > parts_count(last)))
			snapshots_take(to, p, at);
		else
			snapshots_take(to, last, at);
	}
	profile_free(prints);
	profile_free(last);
	profile_free(p);
}

bool reading_has_events(const struct reading *r)
{
	return r->format->streams || plugins_reads_events(r->format);
}

void reading_set_format(struct reading *r, struct str name)
{
	const struct format *f = format_by_name(name);

	r->format = f != NULL ? f : plugins_format(r->plugins, name);
}

void reading_forget_guess(struct reading *r)
{
	if (r->guessed)
		r->format = NULL;
	r->guessed = false;
}

bool reading_is_settled(const struct reading *r, size_t n)
{
	return r->format != NULL && (!r->guessed || n < reading_segment_bytes(r));
}

size_t reading_segment_bytes(const struct reading *r)
{
	return r->options.build.interval > 0 ? TIMED_BYTES : SEGMENT_BYTES;
}

static size_t n_called(const struct profile *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_ops; i++)
		n += operation_count(&p->op[i]) > 0;
	return n;
}

/* Whether a piece has a call or the start of one.  *ret_begun: it ends within a record. */
static bool holds_calls(struct reading *r, struct str bytes, const struct read_options *options,
			bool *ret_begun)
{
	struct read_error error = { .text = out_to_memory() };
	struct profile *p = reading_piece(r, bytes, options, &error);
	bool holds = parts_count(p) > 0 || carried_is_open(options->carried);

	*ret_begun = p == NULL && read_error_is_truncated(&error);
	profile_free(p);
	out_free(error.text);
	return holds;
}

/* Whether the bytes give the operations and calls of `all`. */
static bool reads_same(struct reading *r, struct str bytes, const struct read_options *options,
		       const struct profile *all)
{
	struct read_error error = { .text = out_to_memory() };
	struct profile *p = reading_piece(r, bytes, options, &error);
	bool same = p != NULL && parts_count(p) == parts_count(all) && n_called(p) == n_called(all);

	profile_free(p);
	out_free(error.text);
	return same;
}

size_t reading_header(struct reading *r, struct str segment, const struct profile *all,
		      size_t *ret_lines)
{
	struct read_options options = r->options;
	size_t end = 0;

	options.carried = carried_branch(r->options.carried);
	carried_set_going_on(options.carried, true);
	for (size_t lines = 0; lines < READING_MAX_HEADER; lines++) {
		size_t next = cut_lines(segment, lines + 1);
		bool begun;

		if (next == segment.n ||
		    holds_calls(r, (struct str){ segment.p, next }, &options, &begun))
			break;
		if (!begun)
			end = next;
	}
	if (end > 0) {
		bool ignored;

		/* A reader that carries these lines over by itself needs no header. */
		(void)holds_calls(r, (struct str){ segment.p, end }, &options, &ignored);
		(void)carried_keep(options.carried);
		if (reads_same(r, str_skip(segment, end), &options, all))
			end = 0;
	}
	*ret_lines = cut_count_lines((struct str){ segment.p, end });
	carried_free(options.carried);
	return end;
}
