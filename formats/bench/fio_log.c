/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fio-log: the latency logs of fio (write_lat_log), one call a line.
 *
 *	0, 612044, 0, 4096, 0
 *	1, 3385, 1, 4096, 1847296, 0x4001
 *
 * Milliseconds since the start, latency in ns, direction (0 read, 1 write, 2 trim), block size;
 * then, depending on options, offset, priority, time of issue.  The operation is the direction.
 *
 * Seen: 3.33, 3.41, and the documentation at f534438.  Refused: logs of log_avg_msec, which have
 * a mean per window (their block size is 0), and logs of bandwidth and IOPS, which look the same
 * and are recognized by file name.
 */
#include <string.h>

#include "formats/worker_pool.h"
#include "profile/variables.h"

enum { MIN_FIELDS = 4, MAX_FIELDS = 8, DIRECTIONS = 3 };

static const struct str directions[DIRECTIONS] = { STR_INIT("read"), STR_INIT("write"),
						   STR_INIT("trim") };

struct entry {
	uint64_t field[MIN_FIELDS]; /* time, latency, direction, block size */
	size_t at[MAX_FIELDS];	    /* position of each field */
	size_t n;		    /* number of fields */
};

enum { TIME, LATENCY, DIRECTION, SIZE };

/* Skips the comma and the blank between two fields. */
static bool scan_comma(struct cursor *c)
{
	if (!scan_char(c, ','))
		return false;
	scan_blanks(c);
	return true;
}

/* Takes decimal digits, or hexadecimal ones after 0x. */
static bool scan_extra(struct cursor *c)
{
	struct str rest = cursor_rest(c);
	size_t n = 0;

	if (str_has_prefix(rest, STR("0x")))
		n = 2;
	while (n < rest.n &&
	       (is_digit(rest.p[n]) || ((rest.p[n] | 0x20) >= 'a' && (rest.p[n] | 0x20) <= 'f')))
		n++;
	c->at += n;
	return n > 0;
}

/* Parses a line; false when it is invalid at c->at. */
static bool scan_entry(struct cursor *c, struct entry *e)
{
	for (e->n = 0; e->n < MAX_FIELDS; e->n++) {
		if (e->n > 0 && !scan_comma(c))
			break;
		e->at[e->n] = c->at;
		if (e->n < MIN_FIELDS) {
			if (!scan_u64(c, &e->field[e->n]))
				return false;
		} else if (!scan_extra(c)) {
			return false;
		}
	}
	scan_blanks(c);
	if (e->n < MIN_FIELDS || !cursor_done(c))
		return false;
	if (e->field[DIRECTION] < DIRECTIONS)
		return true;
	c->at = e->at[DIRECTION];
	return false;
}

static bool is_row(struct cursor *line)
{
	struct entry e;

	return scan_entry(line, &e);
}

static enum probe probe_fio_log(struct str head, struct clue *clue)
{
	return format_probe_rows(head, is_row, "not an entry of a log of fio", clue);
}

/* Recognizes "x_bw.1.log": fio logs bandwidth and IOPS in the same format. */
static bool is_other_log(struct str name)
{
	size_t slash = str_find_last(name, STR("/"));
	struct str base = slash < name.n ? str_skip(name, slash) : name;

	return str_contains(base, STR("_bw.")) || str_contains(base, STR("_iops."));
}

static struct str field_at(struct input *in, const struct entry *e, size_t i)
{
	struct str rest = str_skip(in->bytes, e->at[i]);
	size_t n = 0;

	while (n < rest.n && is_digit(rest.p[n]))
		n++;
	return (struct str){ rest.p, n };
}

static bool bad_entry(struct input *in, const struct cursor *line, bool last, struct diag *diag)
{
	struct str where = cursor_rest(line);

	if (last && where.n == 0)
		return format_fail(in, diag, DIAG_INPUT_TRUNCATED, where,
				   "expected time, latency, direction, size and as many fields as "
				   "above");
	return format_fail(in, diag, DIAG_LINE_UNEXPECTED, where,
			   "expected time, latency, direction (0 to 2), size and nothing but "
			   "numbers after");
}

static struct str extra_at(struct input *in, const struct entry *e, size_t i)
{
	struct input bytes = { .bytes = in->bytes };
	struct cursor c = cursor_on(&bytes);

	c.at = e->at[i];
	(void)scan_extra(&c);
	return (struct str){ in->bytes.p + e->at[i], c.at - e->at[i] };
}

/* The size may be followed by offset, priority and time of issue, each enabled by an option.  If
 * there are two, the second shows which: a time of issue is larger than any priority. */
static bool has_offset(struct input *in, const struct entry *e)
{
	enum { LARGEST_PRIORITY = 0xffff };
	uint64_t last;

	if (e->n != MIN_FIELDS + 2)
		return e->n > MIN_FIELDS + 2;
	return number_u64(extra_at(in, e, MIN_FIELDS + 1), &last) != NUMBER_OK ||
	       last <= LARGEST_PRIORITY;
}

static void set_variables(struct samples *s, const struct entry *e)
{
	struct variables *to = s->variables;
	size_t priority = MIN_FIELDS + has_offset(s->in, e);

	variables_set(to, variables_column(to, STR("block size"), VARIABLE_SIZE),
		      field_at(s->in, e, SIZE), STR(""));
	if (priority > MIN_FIELDS)
		variables_set(to, variables_column(to, STR("offset"), VARIABLE_POSITION),
			      extra_at(s->in, e, MIN_FIELDS), STR(""));
	if (priority < e->n)
		variables_set(to, variables_column(to, STR("priority"), VARIABLE_LABEL),
			      extra_at(s->in, e, priority), STR(""));
}

static bool add_entry(struct samples *s, const struct block *block, const struct entry *e)
{
	struct sample sample = { .layer = STR(""),
				 .name = directions[e->field[DIRECTION]],
				 .latency = decimal_from_u64(e->field[LATENCY]),
				 .start = decimal_from_u64(e->field[TIME]),
				 .timed = true,
				 .where = { s->in->bytes.p + e->at[DIRECTION], 1 },
				 .offset = block->at + e->at[DIRECTION] };

	if (e->field[SIZE] == 0)
		return format_fail(s->in, s->diag, DIAG_LINE_UNEXPECTED,
				   field_at(s->in, e, LATENCY),
				   "a mean over a window, as its size 0 tells: without "
				   "log_avg_msec there is a line for each call");
	if (!samples_add(s, &sample, field_at(s->in, e, LATENCY), field_at(s->in, e, TIME)))
		return false;
	if (s->variables != NULL)
		set_variables(s, e);
	return true;
}

/* Returns the number of fields of an entry; 0 if the line is not one. */
static size_t count_fields(struct str line)
{
	struct input in = { .bytes = line };
	struct cursor c = cursor_on(&in);
	struct entry e;

	return scan_entry(&c, &e) ? e.n : 0;
}

static bool fio_log_read_block(void *member, const struct block *block, struct samples *s)
{
	const size_t *n_fields = member;
	struct cursor c = cursor_on(s->in), line;
	struct entry e;

	while (scan_line(&c, &line)) {
		bool last = line.end == s->in->bytes.n;

		if (cursor_done(&line))
			continue;
		if (!scan_entry(&line, &e) || e.n != *n_fields)
			return bad_entry(s->in, &line, last, s->diag);
		if (!add_entry(s, block, &e))
			return false;
	}
	return true;
}

static bool read_fio_log(const struct read_task *task)
{
	static const struct accumulator_options kind = { .unit = UNIT_NS,
							 .unit_source = UNIT_STATED,
							 .start_rate = 1e3 };
	size_t n_fields;
	struct worker_pool_job job = { .task = task,
				       .sampling = &kind,
				       .alone = task->options->build.interval > 0,
				       .ctx = &n_fields,
				       .size = sizeof(n_fields),
				       .read = fio_log_read_block };
	struct str first;

	if (is_other_log(task->in->name))
		return format_fail(task->in, task->diag, DIAG_LINE_UNEXPECTED,
				   (struct str){ task->in->bytes.p, 1 },
				   "by its name a log of bandwidth or IOPS; latencies are in "
				   "*_lat, *_clat and *_slat");
	if (!format_first_line(task->in, &first, task->diag))
		return false;
	n_fields = count_fields(first);
	return worker_pool_read(&job);
}

const struct format format_fio_log = {
	.name = "fio-log",
	.title = "latency logs of fio, one call a line",
	.versions = "3.33, 3.41",
	.unit = "ns",
	.totals = "exact",
	.probe = probe_fio_log,
	.streams = true,
	.read = read_fio_log,
};
