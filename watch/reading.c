/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/reading.h"

#include "base/diag.h"
#include "base/out.h"
#include "formats/carried.h"
#include "watch/cut.h"
#include "watch/hearing.h"
#include "watch/parts.h"

/* Bytes of which looking for what stands around them takes long. */
enum { LARGE = 1 << 18 };

struct profile *reading_piece(struct reading *r, struct str bytes,
			      const struct read_options *options, struct hearing *h)
{
	struct diag diag = { .emit = hearing_take, .ctx = h };
	struct profile *p;
	struct input in;

	out_reset(h->text);
	h->line = 0;
	carried_restart(options->carried);
	input_borrow(&in, r->name, bytes.p, bytes.n);
	if (r->format != NULL && r->format->streams && !r->wrapped && bytes.n >= LARGE)
		p = format_read_bare(r->format, &in, options, &diag);
	else
		p = plugins_read(r->plugins, r->format, &in, options, &diag);
	input_release(&in);
	if (p != NULL)
		layers_settle(&r->layers, p, p->printing.lone_layer);
	return p;
}

struct profile *reading_as(struct reading *r, struct str bytes, enum snapshots snapshots)
{
	struct read_options options = r->options;
	struct hearing h = { .text = out_to_memory() };
	struct profile *p;

	options.build.snapshots = snapshots;
	p = reading_piece(r, bytes, &options, &h);
	out_free(h.text);
	return p;
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

size_t reading_header(struct reading *r, struct str segment, const struct profile *all,
		      size_t *ret_lines)
{
	struct read_options options = r->options;
	struct hearing h = { .text = out_to_memory() };
	size_t lines = 0, end = 0;
	struct profile *p;

	options.carried = carried_branch(r->options.carried);
	for (; lines < READING_MAX_HEADER; lines++) {
		size_t next = cut_lines(segment, lines + 1);
		uint64_t calls;

		if (next == segment.n)
			break;
		p = reading_piece(r, (struct str){ segment.p, next }, &options, &h);
		calls = parts_count(p);
		profile_free(p);
		if (calls > 0 || carried_is_open(options.carried))
			break;
		end = next;
	}
	p = end > 0 ? reading_piece(r, str_skip(segment, end), &options, &h) : NULL;
	if (p != NULL && parts_count(p) == parts_count(all) && p->n_ops == all->n_ops)
		end = 0;
	*ret_lines = end > 0 ? lines : 0;
	profile_free(p);
	carried_free(options.carried);
	out_free(h.text);
	return end;
}
