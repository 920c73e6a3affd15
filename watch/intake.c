/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/intake.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "profile/merge.h"
#include "watch/difference.h"
#include "watch/pace.h"

enum {
	MAX_BAD_LINES = 64, /* of a segment: then the rest of it is dropped */
	MAX_HEADER = 8,	    /* lines */
	LARGE = 1 << 18,    /* bytes of which looking for what stands around them takes long */
	SCORE = 4,	    /* snapshots that went on counting */
};

static const struct plugins no_plugins;

struct intake {
	const struct plugins *plugins;
	char *name;
	struct intake_options options;
	const struct format *format; /* NULL: not known yet */
	intake_sink *sink;
	intake_report *report;
	void *ctx;
	struct ledger ledger;
	bool own_ledger; /* bytes do not come here */
	char *buf;	 /* the header, then what waits */
	size_t n, cap;	 /* bytes */
	size_t header;	 /* bytes of it */
	size_t headers;	 /* lines of it */
	bool wrapped;	 /* something stands around what is read: it is looked for each time */
	bool skipping;	 /* what is left of a line that was too long */
	bool headed;	 /* what the header is has been found out */
	struct profile *before;	      /* the last snapshot; NULL: there was none */
	struct profile *held;	      /* the first document, until the next one tells what it is */
	const struct intake_tap *tap; /* NULL: nobody asks */
	size_t contained;	      /* snapshots in a row that held all of the one before */
	double latest;		      /* when bytes came, in seconds */
	struct pace pace;	      /* of snapshots */
};

struct intake *intake_new(const char *name, const struct intake_options *options, intake_sink *sink,
			  intake_report *report, void *ctx)
{
	struct intake *k = xcalloc(1, sizeof(*k));

	k->name = strcpy(xcalloc(strlen(name) + 1, 1), name);
	k->options = *options;
	k->plugins = options->plugins != NULL ? options->plugins : &no_plugins;
	k->format = options->from;
	k->sink = sink;
	k->report = report;
	k->ctx = ctx;
	return k;
}

void intake_free(struct intake *k)
{
	if (k == NULL)
		return;
	profile_free(k->before);
	profile_free(k->held);
	free(k->buf);
	free(k->name);
	free(k);
}

/* --- reading a segment ------------------------------------------------------------------ */

/* Of a reader's messages the first error. */
struct hearing {
	struct out *text;
	enum diag_code code;
	size_t line;  /* from 1, the header included; 0: not known */
	bool wrapped; /* something stood around what was read */
};

static void consider(void *ctx, const struct diag_msg *msg)
{
	struct hearing *h = ctx;

	h->wrapped |= msg->code == DIAG_PREFIX_STRIPPED;
	if (msg->severity != SEV_ERROR || h->text->n > 0)
		return;
	h->code = msg->code;
	if (msg->input != NULL && msg->at != DIAG_NOWHERE && msg->at <= msg->input->bytes.n)
		h->line = input_position(msg->input, msg->at).line;
	out_printf(h->text, "%s: %s", diag_text(msg->code), msg->detail != NULL ? msg->detail : "");
}

static struct profile *read_bytes(struct intake *k, struct str bytes,
				  const struct read_options *options, struct hearing *h)
{
	struct diag diag = { .emit = consider, .ctx = h };
	struct profile *p;
	struct input in;

	out_reset(h->text);
	h->line = 0;
	input_borrow(&in, k->name, bytes.p, bytes.n);
	if (k->format != NULL && k->format->streams && !k->wrapped && bytes.n >= LARGE)
		p = format_read_bare(k->format, &in, options, &diag);
	else
		p = plugins_read(k->plugins, k->format, &in, options, &diag);
	input_release(&in);
	return p;
}

static void say(struct intake *k, const char *what, const struct hearing *h)
{
	struct out *o = out_to_memory();

	out_printf(o, "%s: %.*s", what, STR_ARG(out_memory(h->text)));
	out_char(o, '\0');
	k->report(k->ctx, out_memory(o).p);
	out_free(o);
}

static uint64_t calls_of(const struct profile *p)
{
	uint64_t calls = 0;

	for (size_t i = 0; p != NULL && i < p->n_ops; i++)
		calls += operation_count(&p->op[i]);
	return calls;
}

/* Sixty-four bytes at once, which compilers do in a few instructions. */
static size_t count_lines(struct str s)
{
	enum { AT_ONCE = 64 };
	size_t lines = 0;

	for (; s.n >= AT_ONCE; s = str_skip(s, AT_ONCE)) {
		unsigned char some = 0;

		for (size_t i = 0; i < AT_ONCE; i++)
			some = (unsigned char)(some + (s.p[i] == '\n'));
		lines += some;
	}
	for (size_t i = 0; i < s.n; i++)
		lines += s.p[i] == '\n';
	return lines;
}

/* Bytes of the first so many lines; all of them where there are fewer. */
static size_t lines_end(struct str s, size_t lines)
{
	size_t at = 0;

	for (; lines > 0 && at < s.n; lines--) {
		const char *newline = memchr(s.p + at, '\n', s.n - at);

		at = newline != NULL ? (size_t)(newline - s.p) + 1 : s.n;
	}
	return at;
}

/* Lines of it add up, wherever it is cut. */
static bool has_events(const struct intake *k)
{
	return k->format->streams || plugins_reads_events(k->format);
}

/* --- the header ---------------------------------------------------------------------------- */

/* The lines at the beginning that hold no call, where what follows them does not read the same
 * without them. */
static void find_header(struct intake *k, struct str segment, const struct profile *all)
{
	struct hearing h = { .text = out_to_memory() };
	struct profile *p;
	size_t lines = 0, end = 0;

	for (; lines < MAX_HEADER; lines++) {
		size_t next = lines_end(segment, lines + 1);
		uint64_t calls;

		if (next == segment.n)
			break;
		p = read_bytes(k, (struct str){ segment.p, next }, &k->options.read, &h);
		calls = calls_of(p);
		profile_free(p);
		if (calls > 0)
			break;
		end = next;
	}
	p = end > 0 ? read_bytes(k, str_skip(segment, end), &k->options.read, &h) : NULL;
	if (end > 0 && (p == NULL || calls_of(p) != calls_of(all) || p->n_ops != all->n_ops)) {
		k->header = end;
		k->headers = lines;
	}
	profile_free(p);
	k->headed = true;
	out_free(h.text);
}

/* --- snapshots ------------------------------------------------------------------------------ */

static struct profile *in_order(const struct profile *p)
{
	struct diag diag = { .emit = NULL };

	return profile_merge(&p, 1, &diag);
}

/* Of what goes on counting, what was added since the snapshot before.  NULL: it is the first
 * document, which holds what was counted before anybody watched. */
static struct profile *since_last(struct intake *k, struct profile *p)
{
	struct profile *now = in_order(p), *added = in_order(p);
	size_t resets = 0;

	profile_free(p);
	if (k->before != NULL)
		resets = difference_take_away(added, k->before);
	k->ledger.resets += resets;
	k->ledger.gaps += resets > 0; /* what came between */
	if (resets > 0)
		k->report(k->ctx, "counters were reset: what they hold now is taken as new");
	if (k->before == NULL && k->options.kind == INTAKE_DOCUMENT) {
		profile_free(added);
		added = NULL;
	}
	profile_free(k->before);
	k->before = now;
	return added;
}

/* Pushes the first document, or drops it: the next one has shown whether it counts. */
static void let_go(struct intake *k, bool counts)
{
	if (k->held != NULL && counts)
		k->sink(k->ctx, k->held);
	else
		profile_free(k->held);
	k->held = NULL;
}

/* Whether this snapshot goes on counting where the last one was.  Documents mostly do; of what
 * is printed again and again it has to be sure, or to have been so for a while. */
static bool goes_on(const struct intake *k, const struct profile *now)
{
	if (k->before == NULL || calls_of(k->before) == 0 || !difference_contains(now, k->before))
		return false;
	if (k->options.kind == INTAKE_DOCUMENT || k->contained > 0)
		return true;
	return difference_is_sure(now, k->before) &&
	       !pace_fits_all(&k->pace, k->latest, (double)calls_of(now),
			      (double)calls_of(k->before));
}

/* Nobody said whether they go on. */
static struct profile *since_last_if_same(struct intake *k, struct str bytes, struct profile *p)
{
	struct read_options options = k->options.read;
	struct hearing h = { .text = out_to_memory() };
	struct profile *last, *sorted;
	bool same;

	options.build.snapshots = SNAPSHOTS_CUMULATIVE;
	last = read_bytes(k, bytes, &options, &h);
	out_free(h.text);
	if (last == NULL)
		return p;
	sorted = in_order(last);
	same = goes_on(k, sorted);
	profile_free(sorted);
	if (same && k->contained == 0)
		k->report(k->ctx, "snapshots go on counting: their differences are taken");
	let_go(k, !same);
	/* What went on for a while and were reset goes on. */
	if (same || k->contained >= SCORE) {
		k->ledger.differenced += same;
		k->contained = same ? k->contained + 1 : 1;
		profile_free(p);
		return since_last(k, last);
	}
	k->contained = 0;
	if (k->before == NULL && k->options.kind == INTAKE_DOCUMENT) {
		k->held = p;
		p = NULL;
	}
	profile_free(k->before);
	k->before = in_order(last);
	profile_free(last);
	return p;
}

static struct profile *added_of(struct intake *k, struct str bytes, struct profile *p)
{
	enum snapshots snapshots = k->options.read.build.snapshots;

	if (has_events(k) || snapshots == SNAPSHOTS_DELTA)
		return p;
	return snapshots == SNAPSHOTS_CUMULATIVE ? since_last(k, p)
						 : since_last_if_same(k, bytes, p);
}

/* --- segments --------------------------------------------------------------------------------- */

static void drop_front(struct intake *k, size_t n)
{
	memmove(k->buf + k->header, k->buf + k->header + n, k->n - k->header - n);
	k->n -= n;
}

static struct str waiting(const struct intake *k)
{
	return (struct str){ k->buf + k->header, k->n - k->header };
}

/* Takes the line that could not be read out of the first n bytes; 0: it is none of them. */
static size_t cut_line_out(struct intake *k, size_t n, size_t line)
{
	struct str s = { waiting(k).p, n };
	size_t from, end;

	if (line <= k->headers)
		return 0;
	from = lines_end(s, line - k->headers - 1);
	end = lines_end(s, line - k->headers);
	if (from == end)
		return 0;
	memmove(k->buf + k->header + from, k->buf + k->header + end, k->n - k->header - end);
	k->n -= end - from;
	return end - from;
}

static bool is_empty_for_now(enum diag_code code)
{
	return code == DIAG_NO_OPERATIONS || code == DIAG_INPUT_EMPTY;
}

/* Nothing is known yet of what it is: more of it may tell. */
static bool may_be_reported_by_more(const struct intake *k, const struct hearing *h, bool last)
{
	return k->format == NULL && !last && waiting(k).n < UNRECOGNIZED_BYTES &&
	       (h->code == DIAG_FORMAT_UNKNOWN || h->code == DIAG_FORMAT_AMBIGUOUS ||
		is_empty_for_now(h->code));
}

/* Without that line the others can be read: not where nobody knows what they are, nor where the
 * first line is to blame, which may say what they are. */
static bool is_of_a_line(const struct intake *k, const struct hearing *h)
{
	if (k->format != NULL)
		return true;
	return h->line > 1 && h->code != DIAG_FORMAT_UNKNOWN && h->code != DIAG_FORMAT_AMBIGUOUS &&
	       h->code != DIAG_OTHER_FILE && h->code != DIAG_INPUT_BINARY &&
	       h->code != DIAG_ENCODING_BAD && h->code != DIAG_COMPRESSED_BAD;
}

static void refuse_rest(struct intake *k, size_t n, const struct hearing *h)
{
	k->ledger.dropped += n;
	k->ledger.refused += count_lines((struct str){ waiting(k).p, n });
	say(k, "not read", h);
	drop_front(k, n);
}

static const struct format *format_named(const struct intake *k, struct str name)
{
	const struct format *f = format_by_name(name);

	return f != NULL ? f : plugins_format(k->plugins, name);
}

static void taken(struct intake *k, size_t n, struct profile *p)
{
	struct str bytes = { k->buf, k->header + n };
	bool known = k->format != NULL;

	if (!known)
		k->format = format_named(k, str_from(p->format));
	if (!k->headed && has_events(k))
		find_header(k, bytes, p);
	p = added_of(k, bytes, p);
	if (!has_events(k))
		pace_add(&k->pace, k->latest, (double)calls_of(p));
	k->ledger.read += n;
	k->ledger.lines += count_lines((struct str){ bytes.p + bytes.n - n, n });
	/* The header stays; it was among the first bytes. */
	if (k->header > 0 && bytes.n == n)
		drop_front(k, n - k->header);
	else
		drop_front(k, n);
	if (p != NULL)
		k->sink(k->ctx, p);
}

/* Reads the first n bytes that wait; lines that cannot be read are dropped, and the first
 * of them is reported. */
static void read_segment(struct intake *k, size_t n, bool last)
{
	struct hearing h = { .text = out_to_memory() };
	struct read_options options = k->options.read;
	struct profile *p = NULL;
	size_t bad = 0;

	options.tap = k->tap != NULL ? k->tap->samples : NULL;
	while (n > 0) {
		size_t cut = 0;

		if (k->tap != NULL)
			k->tap->restart(k->tap->ctx);
		p = read_bytes(k, (struct str){ k->buf, k->header + n }, &options, &h);
		if (p != NULL || may_be_reported_by_more(k, &h, last))
			break;
		if (is_empty_for_now(h.code) && k->format != NULL) {
			k->ledger.read += n;
			k->ledger.lines += count_lines((struct str){ waiting(k).p, n });
			drop_front(k, n);
			break;
		}
		if (bad < MAX_BAD_LINES && is_of_a_line(k, &h))
			cut = cut_line_out(k, n, h.line);
		if (cut == 0) {
			refuse_rest(k, n, &h);
			break;
		}
		if (bad++ == 0)
			say(k, "a line was not read", &h);
		k->ledger.refused++;
		k->ledger.dropped += cut;
		n -= cut;
	}
	k->wrapped |= h.wrapped;
	if (p != NULL && k->tap != NULL)
		k->tap->keep(k->tap->ctx);
	if (p != NULL)
		taken(k, n, p);
	out_free(h.text);
}

/* --- bytes --------------------------------------------------------------------------------------
 */

/* After the last line that is complete; of snapshots, after the last blank line, unless
 * nothing more came. */
static size_t place_to_cut(const struct intake *k, bool quiet)
{
	struct str s = waiting(k);
	const char *newline = s.n > 0 ? memrchr(s.p, '\n', s.n) : NULL;
	size_t blank;

	if (newline == NULL)
		return 0;
	if (quiet || k->format == NULL || has_events(k) || s.p[0] == '{')
		return (size_t)(newline - s.p) + 1;
	blank = str_find_last(s, STR("\n\n"));
	return blank < s.n ? blank + 2 : 0;
}

static void append(struct intake *k, const char *bytes, size_t n)
{
	if (n == 0)
		return;
	k->buf = xgrow(k->buf, &k->cap, k->n + n, 1);
	memcpy(k->buf + k->n, bytes, n);
	k->n += n;
}

static void drop_waiting(struct intake *k, const char *why)
{
	k->ledger.dropped += waiting(k).n;
	k->ledger.refused++;
	k->n = k->header;
	k->report(k->ctx, why);
}

/* What remains of a line that was too long goes, too. */
static size_t skip_line(struct intake *k, const char *bytes, size_t n)
{
	const char *newline = memchr(bytes, '\n', n);
	size_t skipped = newline != NULL ? (size_t)(newline - bytes) + 1 : n;

	k->skipping = newline == NULL;
	k->ledger.dropped += skipped;
	return skipped;
}

static void limit(struct intake *k)
{
	struct str s = waiting(k);

	if (k->options.kind == INTAKE_DOCUMENT) {
		if (s.n > k->options.max_bytes)
			drop_waiting(k, "a document is too large; --max-input raises the limit");
		return;
	}
	if (s.n >= SEGMENT_BYTES)
		read_segment(k, place_to_cut(k, false), false);
	s = waiting(k);
	if (s.n > k->options.max_bytes)
		drop_waiting(k, "no place to cut; --max-input raises the limit");
	else if (s.n > LONGEST_LINE && memchr(s.p, '\n', s.n) == NULL) {
		drop_waiting(k, "a line of more than 1 MiB was dropped");
		k->skipping = true;
	}
}

void intake_take(struct intake *k, const char *bytes, size_t n, double at)
{
	k->ledger.in += n;
	k->latest = at;
	while (n > 0) {
		size_t part = n < LONGEST_LINE ? n : LONGEST_LINE;

		if (k->skipping)
			part = skip_line(k, bytes, n);
		else
			append(k, bytes, part);
		bytes += part;
		n -= part;
		if (!k->skipping)
			limit(k);
	}
}

void intake_cut(struct intake *k, bool quiet)
{
	if (k->options.kind == INTAKE_STREAM)
		read_segment(k, place_to_cut(k, quiet), false);
}

void intake_end(struct intake *k)
{
	k->skipping = false;
	read_segment(k, waiting(k).n, true);
	/* What comes next may have a header of its own. */
	k->n -= k->header;
	k->header = k->headers = 0;
	k->headed = false;
}

void intake_break(struct intake *k)
{
	k->skipping = false;
	if (waiting(k).n > 0)
		drop_waiting(k, "broke off within a line");
	k->n = k->header = k->headers = 0;
	k->headed = false;
}

void intake_lost(struct intake *k, uint64_t events)
{
	k->ledger.lost += events;
}

void intake_gap(struct intake *k)
{
	k->ledger.gaps++;
}

void intake_tap(struct intake *k, const struct intake_tap *tap)
{
	k->tap = tap;
}

const struct ledger *intake_ledger(const struct intake *k)
{
	return &k->ledger;
}

uint64_t intake_waiting(const struct intake *k)
{
	return k->own_ledger ? k->ledger.in - k->ledger.read - k->ledger.dropped : waiting(k).n;
}

struct ledger *intake_own_ledger(struct intake *k)
{
	k->own_ledger = true;
	return &k->ledger;
}

const char *intake_format(const struct intake *k)
{
	return k->format != NULL ? k->format->name : NULL;
}
