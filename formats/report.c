/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/report.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "formats/report_operation.h"
#include "formats/typescript.h"
#include "profile/unit.h"

enum {
	MAX_LINE = 1024, /* bytes; longer lines are of no report */
	NARROWEST = 40,	 /* columns of a terminal that wraps lines */
};

enum { MAX_COMMON = 8 };

/* What is stated of all operations of a run whose names begin with a prefix. */
struct common {
	const char *prefix;
	struct report_operation stated;
};

struct reader {
	struct lines lines;
	const struct report_format *format;
	struct report_operations ops;
	struct common common[MAX_COMMON];
	size_t n_common;
	struct str group;
	size_t group_first; /* the first operation of the group */
	size_t run;	    /* its number */
	size_t first;	    /* the first operation of the run */
	size_t current;	    /* the operation that lines are about; n: none */
	unsigned section;
	uint64_t unit;		 /* of times without one, in ns; 0: not known */
	char text[2 * MAX_LINE]; /* the line, perhaps after the one before, which was wrapped */
	size_t n_before;	 /* bytes of the line before, if it was not matched */
};

/* --- text ------------------------------------------------------------------------------- */

/* Returns the number of bytes of a line of a table at the beginning of s; 0: there is none. */
static size_t table_bar(struct str s)
{
	static const struct str bars[] = { STR_INIT("\xe2\x94\x82"), STR_INIT("\xe2\x95\x91"),
					   STR_INIT("\xe2\x94\x83") };

	for (size_t i = 0; i < COUNT_OF(bars); i++) {
		if (str_has_prefix(s, bars[i]))
			return bars[i].n;
	}
	return 0;
}

/* Copies the current line, without colours, to r->text after the n_before bytes of the one
 * before. */
static struct str copy_text(struct reader *r)
{
	char *to = r->text + r->n_before;
	struct str s = r->lines.text;
	size_t n = 0, skipped;

	if (s.n > MAX_LINE)
		return STR("");
	while (s.n > 0) {
		if ((skipped = typescript_colour(s)) == 0) {
			skipped = table_bar(s);
			to[n++] = skipped > 0 ? '|' : s.p[0];
			skipped += skipped == 0;
		}
		s = str_skip(s, skipped);
	}
	return str_trim((struct str){ to, n });
}

/* --- operations ---------------------------------------------------------------------------- */

/* Returns a copy of the name after its group, with single blanks. */
static struct str full_name(struct reader *r, struct str name)
{
	struct str group = r->group;
	char *copy = arena_make(r->lines.arena, char, group.n + name.n + 2);
	size_t n = group.n;

	if (group.n > 0) {
		memcpy(copy, group.p, group.n);
		copy[n++] = '/';
	}
	for (size_t i = 0; i < name.n; i++) {
		if (i == 0 || !is_gap(name.p[i]) || !is_gap(name.p[i - 1]))
			copy[n++] = is_gap(name.p[i]) ? ' ' : name.p[i];
	}
	return (struct str){ copy, n };
}

/* `name` is a full name. */
static struct report_operation *operation_begin(struct reader *r, struct str layer, struct str name)
{
	struct report_operations *ops = &r->ops;
	struct report_operation *o;

	ops->of = arena_grow(r->lines.arena, ops->of, &ops->cap, ops->n + 1, sizeof(*ops->of));
	r->current = ops->n++;
	o = &ops->of[r->current];
	*o = (struct report_operation){ .layer = arena_str(r->lines.arena, layer),
					.name = name,
					.where = r->lines.text,
					.run = r->run };
	return o;
}

/* Returns the latest operation of this name in the current run; NULL: there is none. */
static struct report_operation *operation_find(struct reader *r, struct str layer, struct str name)
{
	for (size_t i = r->ops.n; i-- > r->first;) {
		const struct report_operation *o = &r->ops.of[i];

		if (str_eq(o->name, name) && str_eq(o->layer, layer))
			return &r->ops.of[r->current = i];
	}
	return NULL;
}

static void operation_complete(struct report_operation *o, const struct report_operation *all)
{
	if (!o->has_calls && all->has_calls) {
		o->has_calls = true;
		o->calls = all->calls;
		o->rounded = all->rounded;
	}
	o->failed = o->failed > 0 ? o->failed : all->failed;
	o->rate = o->rate > 0 ? o->rate : all->rate;
	o->mean = o->mean.known ? o->mean : all->mean;
	o->elapsed = all->elapsed.known ? all->elapsed : o->elapsed;
}

/* Gives the operations of the run what is stated of all. */
static void run_end(struct reader *r)
{
	for (size_t i = r->first; i < r->ops.n; i++) {
		for (size_t k = 0; k < r->n_common; k++) {
			if (str_has_prefix(r->ops.of[i].name, str_from(r->common[k].prefix)))
				operation_complete(&r->ops.of[i], &r->common[k].stated);
		}
	}
	r->first = r->current = r->group_first = r->ops.n;
	r->run++;
	r->n_common = 0;
	r->group = STR("");
}

static struct report_operation *common_of(struct reader *r, const char *prefix)
{
	size_t i = 0;

	while (i < r->n_common && strcmp(r->common[i].prefix, prefix) != 0)
		i++;
	assert(i < MAX_COMMON);
	if (i == r->n_common)
		r->common[r->n_common++] = (struct common){ .prefix = prefix };
	return &r->common[i].stated;
}

static struct str text_of(const struct captures *c, enum field field)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->of[i].field == field)
			return c->of[i].text;
	}
	return STR("");
}

static bool captures_values(const struct captures *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->of[i].field >= FIELD_CALLS && c->of[i].field != FIELD_NUMBER &&
		    c->of[i].field != FIELD_TIME)
			return true;
	}
	return false;
}

/* Returns the operation that the line names; NULL: it is not known. */
static struct report_operation *subject_named(struct reader *r, const struct report_line *line,
					      const struct captures *c, struct str name)
{
	struct str layer = line->layer != NULL ? str_from(line->layer) : text_of(c, FIELD_LAYER);
	struct report_operation *o;

	name = full_name(r, name);
	o = line->begins ? NULL : operation_find(r, layer, name);
	return o != NULL || line->known ? o : operation_begin(r, layer, name);
}

/* Returns the operation that the line is about; NULL: the line states nothing. */
static struct report_operation *subject_of(struct reader *r, const struct report_line *line,
					   const struct captures *c)
{
	struct str name = line->name != NULL ? str_from(line->name) : text_of(c, FIELD_NAME);
	struct str group = text_of(c, FIELD_GROUP);

	if (line->of != NULL)
		return common_of(r, line->of);
	if (group.n > 0) {
		r->group = arena_str(r->lines.arena, group);
		r->group_first = r->current = r->ops.n;
	}
	if (name.n > 0)
		return subject_named(r, line, c, name);
	if (!line->begins && r->current < r->ops.n)
		return &r->ops.of[r->current];
	if (!line->begins && !captures_values(c))
		return NULL;
	name = r->format->name != NULL ? str_from(r->format->name) : STR("latency");
	return operation_begin(r, STR(""), full_name(r, name));
}

/* --- values ---------------------------------------------------------------------------- */

static bool take_count(struct reader *r, const struct capture *c, uint64_t *ret)
{
	decimal_int n = c->value.number.billionths / 1000000000;

	if (!c->value.known)
		return true;
	if (c->value.number.billionths < 0 || c->value.number.billionths % 1000000000 != 0)
		return lines_fail(&r->lines, DIAG_NUMBER_BAD, r->lines.text,
				  "expected a whole number, not %.*s", STR_ARG(c->text));
	if (n > UINT64_MAX)
		return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, r->lines.text,
				  "more than 2^64-1");
	*ret = (uint64_t)n;
	return true;
}

static void add_point(struct reader *r, struct report_operation *o, double percent,
		      struct printed time)
{
	if (!time.known || !(percent >= 0 && percent <= 100))
		return;
	o->point = arena_grow(r->lines.arena, o->point, &o->cap_points, o->n_points + 1,
			      sizeof(*o->point));
	o->point[o->n_points++] = (struct report_point){ percent, time };
}

/* Adds a bucket by its upper edge and its share of the calls, unless there are percentiles. */
static void add_share(struct reader *r, struct report_operation *o, double share,
		      struct printed high)
{
	if (o->share == 0 && o->n_points > 0)
		return;
	high.step = 0;
	o->share = fmin(o->share + share, 100);
	add_point(r, o, o->share, high);
}

/* Returns the latest value of this meaning before value i of the line. */
static struct printed value_before(const struct captures *c, size_t i, enum field field)
{
	while (i > 0 && c->of[--i].field != field)
		;
	return c->of[i].value;
}

/* The member that a value of this meaning is stored in; NULL: none. */
static struct printed *member_of(struct report_operation *o, enum field field)
{
	switch (field) {
	case FIELD_MEAN:
		return &o->mean;
	case FIELD_DEVIATION:
		return &o->deviation;
	case FIELD_MIN:
		return &o->min;
	case FIELD_MAX:
		return &o->max;
	case FIELD_TOTAL:
		return &o->total;
	case FIELD_ELAPSED:
		return &o->elapsed;
	default:
		return NULL;
	}
}

/* Stores value i of the line. */
static bool take_value(struct reader *r, struct report_operation *o, const struct captures *c,
		       size_t i)
{
	const struct capture *v = &c->of[i];
	struct printed *member = member_of(o, v->field);

	if (member != NULL) {
		*member = v->value;
		return true;
	}
	switch (v->field) {
	case FIELD_CALLS:
		o->has_calls = true;
		o->rounded |= v->value.rounded;
		return take_count(r, v, &o->calls);
	case FIELD_FAILED:
		return take_count(r, v, &o->failed);
	case FIELD_PERCENTILE:
		add_point(r, o, v->percent, v->value);
		break;
	case FIELD_VALUE:
		add_point(r, o, decimal_f64(value_before(c, i, FIELD_PERCENT).number), v->value);
		break;
	case FIELD_RATE:
		o->rate = decimal_f64(v->value.number);
		break;
	case FIELD_SHARE:
		add_share(r, o, decimal_f64(v->value.number), value_before(c, i, FIELD_HIGH));
		break;
	default:
		break;
	}
	return true;
}

/* Gives times without a unit one. */
static void settle_units(struct reader *r, struct captures *c)
{
	uint64_t unit;

	for (size_t i = 0; i < c->n; i++) {
		if (c->of[i].field == FIELD_UNIT)
			r->unit = c->of[i].value.ns;
	}
	unit = r->unit;
	for (size_t i = c->n; i-- > 0;) {
		struct printed *v = &c->of[i].value;

		if (c->of[i].field == FIELD_ELAPSED)
			v->ns = v->ns > 0 ? v->ns : unit_nanoseconds(UNIT_S);
		else if (c->of[i].field >= FIELD_MEAN)
			unit = v->ns = v->ns > 0 ? v->ns : unit;
	}
}

static bool take_values(struct reader *r, struct report_operation *o, const struct captures *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->of[i].field >= FIELD_MEAN && c->of[i].value.number.billionths < 0)
			return lines_fail(&r->lines, DIAG_NUMBER_BAD, r->lines.text,
					  "%.*s is negative", STR_ARG(c->of[i].text));
		if (!take_value(r, o, c, i))
			return false;
	}
	return true;
}

/* Adds a bucket, a line of both bounds and the calls between them. */
static bool take_range(struct reader *r, struct report_operation *o, const struct captures *c)
{
	struct report_range range = { .where = r->lines.text };

	for (size_t i = 0; i < c->n; i++) {
		const struct capture *v = &c->of[i];

		if (v->field == FIELD_CALLS && !take_count(r, v, &range.calls))
			return false;
		range.low = v->field == FIELD_LOW ? v->value : range.low;
		range.high = v->field == FIELD_HIGH ? v->value : range.high;
	}
	if (!range.low.known || !range.high.known)
		return lines_fail(&r->lines, DIAG_BUCKET_BOUNDS, r->lines.text,
				  "expected two bounds");
	if (__builtin_add_overflow(o->calls, range.calls, &o->calls))
		return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, r->lines.text,
				  "the sum passes 2^64-1 here");
	o->has_calls = true;
	o->range = arena_grow(r->lines.arena, o->range, &o->cap_ranges, o->n_ranges + 1,
			      sizeof(*o->range));
	o->range[o->n_ranges++] = range;
	return true;
}

static bool report_take(struct reader *r, const struct report_line *line, struct captures *c)
{
	struct report_operation *o;

	if (line->refuse != NULL)
		return lines_fail(&r->lines, DIAG_COLUMN_MISSING, r->lines.text, "%s",
				  line->refuse);
	if (line->run)
		run_end(r);
	if (line->fixed_duration)
		build_run_fixed_duration(r->lines.to);
	r->section = line->opens > 0 ? line->opens : r->section;
	settle_units(r, c);
	o = subject_of(r, line, c);
	if (o == NULL || (line->lone && r->ops.n - r->group_first != 1))
		return true;
	o->rounded |= line->rounded;
	if (line->calls > 0) {
		o->has_calls = true;
		o->calls = line->calls;
	}
	if (text_of(c, FIELD_LOW).n > 0)
		return take_range(r, o, c);
	return take_values(r, o, c);
}

/* --- lines ------------------------------------------------------------------------------ */

/* Matches the text with the kinds of lines; *ret_any is set if one matches.  False when an error
 * was reported. */
static bool take_text(struct reader *r, struct str text, bool *ret_any)
{
	const struct report_line *line = r->format->line;
	unsigned section = r->section;
	struct captures c;

	for (bool more = true; more && line->text != NULL; line++) {
		if ((line->in != 0 && line->in != section) ||
		    !template_match(line->text, text, r->format->grouped, &c))
			continue;
		*ret_any = true;
		more = line->also;
		if (!report_take(r, line, &c))
			return false;
	}
	return true;
}

/* Matches the line, alone or with the one before. */
static bool take_line(struct reader *r)
{
	struct str text = copy_text(r), both = { r->text, r->n_before + text.n };
	bool any = false;

	if (text.n > 0 && !take_text(r, text, &any))
		return false;
	if (!any && text.n > 0 && r->n_before >= NARROWEST && !take_text(r, both, &any))
		return false;
	r->n_before = any ? 0 : text.n;
	memmove(r->text, text.p, r->n_before);
	return true;
}

static bool read_lines(struct reader *r)
{
	while (lines_next(&r->lines)) {
		if (!take_line(r))
			return false;
	}
	run_end(r);
	return report_push(r->format, &r->lines, &r->ops);
}

bool report_read(const struct read_task *task)
{
	static const struct line_format with_arena = { .size = 0 };
	const struct report_format *f = task->spec;
	const struct read_task lines_task = { task->in, task->options, task->to, task->diag,
					      &with_arena };
	struct reader r = { .format = f, .unit = unit_nanoseconds(f->unit) };

	lines_start(&r.lines, task->in, task->diag);
	return lines_finish(&r.lines, lines_begin(&r.lines, &lines_task) && read_lines(&r));
}
