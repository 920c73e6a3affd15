/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dmstats-print: counters of the device mapper, from the kernel's @stats_print, after the regions
 * from @stats_list.
 *
 *	0: 0+32768 16384 dmstats - precise_timestamps histogram:50000,100000
 *	0+16384 12 0 96 340000 4 0 32 860000 0 70 70 40 50 14:1:1
 *	16384+16384 0 0 0 0 0 0 0 0 0 0 0 0 0 0:0:0
 *
 * The list has a region, its range in sectors, the size of its areas, program and data, and
 * options.  An area has its range; calls, merges, sectors and time of reads; the same for writes;
 * five other numbers; and the number of calls below the first boundary, from there to the second,
 * and so on, reads and writes together.  Times are in ns with precise_timestamps, else in whole
 * ms.  An area is a layer, with the options of the region that contains it.
 *
 * Without a list, neither the unit nor the boundaries of the histogram are known.
 *
 * Seen: Linux 6.12.  Not supported: several devices in a file, which does not name them.
 */
#include <math.h>

#include "base/arena.h"
#include "formats/lines.h"
#include "formats/text.h"

enum { COUNTERS = 13, REGIONS = 256 };

/* A range of sectors; `end` is exclusive. */
struct range {
	uint64_t start, end;
};

struct region {
	struct str id, line; /* empty: not from a list */
	struct range range;
	uint64_t step;
	bool precise;
	struct str bounds; /* "50000,100000"; empty: no histogram */
	size_t n_bins;	   /* 0: no histogram */
	double *edge;	   /* n_bins + 1 edges in ns */
	uint64_t printed;  /* end of the last area in the current snapshot */
};

static size_t n_parts(struct str s, char separator)
{
	size_t n = s.n > 0;

	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == separator;
	return n;
}

/* Parses "16384+32768". */
static bool parse_range(struct str s, struct range *ret)
{
	struct str start, sectors;

	if (!str_cut(s, '+', &start, &sectors) || number_u64(start, &ret->start) != NUMBER_OK ||
	    number_u64(sectors, &ret->end) != NUMBER_OK || ret->end > UINT64_MAX - ret->start)
		return false;
	ret->end += ret->start;
	return true;
}

/* Parses "0: 0+32768 16384 dmstats - precise_timestamps histogram:50000,100000". */
static bool is_listed(struct str s, struct region *ret)
{
	struct cursor c = CURSOR_OVER(s);
	struct str range, word;
	uint64_t id;

	if (!scan_u64(&c, &id) || !scan_char(&c, ':') || !cursor_at_word_end(&c))
		return false;
	*ret = (struct region){ .line = s, .id = { s.p, c.at - 1 } };
	if (!scan_word(&c, &range) || !parse_range(range, &ret->range) ||
	    !scan_short_u64(&c, &ret->step) || ret->step == 0 || !scan_word(&c, &word))
		return false;
	while (scan_word(&c, &word)) {
		ret->precise |= str_eq(word, STR("precise_timestamps"));
		if (str_has_prefix(word, STR("histogram:")))
			ret->bounds = str_skip(word, sizeof("histogram:") - 1);
	}
	ret->n_bins = ret->bounds.n > 0 ? n_parts(ret->bounds, ',') + 1 : 0;
	return true;
}

struct counters {
	struct str area; /* "0+16384" */
	struct range range;
	uint64_t n[COUNTERS];
	struct str at[COUNTERS];
	struct str bins; /* "14:1:1"; empty: no histogram */
};

static bool scan_counter(struct cursor *c, uint64_t *ret, struct str *ret_at)
{
	const char *p = c->in->bytes.p;
	size_t from = c->at;

	if (scan_short_u64(c, ret)) {
		*ret_at = str_trim((struct str){ p + from, c->at - from });
		return true;
	}
	return scan_word(c, ret_at) && number_u64(*ret_at, ret) == NUMBER_OK;
}

/* Parses "0+16384 12 0 96 340000 4 0 32 860000 0 70 70 40 50 14:1:1"; returns how many parts were
 * found. */
static size_t scan_counters(struct cursor *c, struct counters *ret)
{
	size_t n = 0;

	if (!scan_word(c, &ret->area) || !parse_range(ret->area, &ret->range))
		return 0;
	while (n < COUNTERS && scan_counter(c, &ret->n[n], &ret->at[n]))
		n++;
	if (!scan_word(c, &ret->bins))
		ret->bins = STR("");
	return n + 1;
}

static bool is_printed(struct str s)
{
	struct cursor c = CURSOR_OVER(s);
	struct counters counters;

	return scan_counters(&c, &counters) == COUNTERS + 1;
}

static enum probe probe_dmstats_print(struct str head, struct clue *clue)
{
	struct str line, rest = head;
	struct region region;
	bool listed = false;

	while (text_line(&rest, &line)) {
		if (is_printed(line))
			return listed ? PROBE_MAGIC : PROBE_MARKS;
		if (!is_listed(line, &region))
			continue;
		listed = true;
		probe_near(clue, head, line, "a list of regions, but no counters of @stats_print");
	}
	return PROBE_NO;
}

/* --- regions ------------------------------------------------------------------------- */

struct reader {
	struct lines lines;
	struct builder *to;
	struct arena *names;
	struct arena *edges;
	struct region region[REGIONS], unlisted;
	size_t n_regions, next_region; /* next_region: expected next in a repeated list */
	struct str first_area;	       /* with its region, begins each snapshot */
	const struct region *first_region;
	size_t left_out; /* histograms with unknown boundaries */
};

static uint64_t unit_of(const struct region *region)
{
	return region->id.n == 0 || region->precise ? 1 : unit_nanoseconds(UNIT_MS);
}

/* Takes the text before the first separator off *rest. */
static struct str take_part(struct str *rest, char separator)
{
	const char *end = rest->n > 0 ? memchr(rest->p, separator, rest->n) : NULL;
	struct str part = { rest->p, end != NULL ? (size_t)(end - rest->p) : rest->n };

	*rest = str_skip(*rest, part.n + (end != NULL));
	return part;
}

static bool find_edges(struct reader *r, struct region *region)
{
	struct str bounds = region->bounds;
	uint64_t bound;

	region->edge = arena_make(r->edges, double, region->n_bins + 1);
	for (size_t i = 1; i < region->n_bins; i++) {
		if (number_u64(take_part(&bounds, ','), &bound) != NUMBER_OK)
			return lines_fail(&r->lines, DIAG_NUMBER_BAD, region->line,
					  "expected boundaries");
		region->edge[i] = (double)bound * (double)unit_of(region);
	}
	region->edge[region->n_bins] = HUGE_VAL;
	return true;
}

/* Whether the line repeats the next line of the list. */
static bool is_known(struct reader *r, struct str line)
{
	if (r->next_region == r->n_regions)
		r->next_region = 0;
	if (r->n_regions == 0 || !str_eq(r->region[r->next_region].line, line))
		return false;
	r->next_region++;
	return true;
}

static bool add_region(struct reader *r, const struct region *new)
{
	for (size_t i = 0; i < r->n_regions; i++) {
		if (!str_eq(r->region[i].id, new->id))
			continue;
		r->next_region = i + 1;
		return str_eq(r->region[i].line, new->line) ||
		       lines_fail(&r->lines, DIAG_CONFLICTING_VALUES, new->line,
				  "another region of this number: a file holds one device");
	}
	if (r->n_regions == REGIONS)
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, new->line,
				  "more than %d regions", (int)REGIONS);
	r->region[r->n_regions] = *new;
	return find_edges(r, &r->region[r->n_regions++]);
}

static bool fits_region(const struct region *region, const struct counters *c, size_t n_bins)
{
	return region->n_bins == n_bins && region->range.start <= c->range.start &&
	       c->range.end <= region->range.end &&
	       (c->range.start - region->range.start) % region->step == 0 &&
	       (c->range.end - c->range.start == region->step || c->range.end == region->range.end);
}

/* Returns the only region that contains this area; NULL when an error was reported. */
static struct region *find_region(struct reader *r, const struct counters *c)
{
	size_t n_bins = n_parts(c->bins, ':'), n = 0, found = 0;

	if (r->n_regions == 0)
		return &r->unlisted;
	for (size_t i = 0; i < r->n_regions; i++) {
		if (!fits_region(&r->region[i], c, n_bins))
			continue;
		found = i;
		n++;
	}
	if (n == 1)
		return &r->region[found];
	(void)lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, c->area,
			 "%s region of the list has such an area", n == 0 ? "no" : "more than one");
	return NULL;
}

/* --- areas --------------------------------------------------------------------------- */

static bool open_operation(struct reader *r, const struct region *region, struct str layer,
			   const char *name, struct str where)
{
	if (!build_operation(r->to, layer, str_from(name), where))
		return false;
	if (region->id.n > 0)
		build_unit(r->to, UNIT_NS, UNIT_STATED);
	if (region->id.n > 0 && !region->precise)
		build_granularity(r->to, (double)unit_of(region));
	return true;
}

/* Counter `calls` is the number of calls; the third after it is their time. */
static bool dmstats_print_push_summary(struct reader *r, const struct region *region,
				       struct str layer, const char *name, const struct counters *c,
				       size_t calls)
{
	struct decimal total = decimal_from_u64(c->n[calls + 3]);

	if (c->n[calls] == 0)
		return true;
	return (decimal_times(total, unit_of(region), &total) ||
		lines_fail(&r->lines, DIAG_TOTAL_OVERFLOW, c->at[calls + 3], "too much time")) &&
	       open_operation(r, region, layer, name, c->area) &&
	       build_count(r->to, c->n[calls], c->at[calls]) &&
	       build_total(r->to, total, c->at[calls + 3]);
}

static bool push_bins(struct reader *r, const struct region *region, struct str bins)
{
	for (size_t i = 0; i < region->n_bins; i++) {
		struct str digits = take_part(&bins, ':');
		uint64_t count;

		if (!lines_count(&r->lines, digits, &count, "expected a count") ||
		    !build_range(r->to, region->edge[i], region->edge[i + 1], count, digits))
			return false;
	}
	return true;
}

static bool push_histogram(struct reader *r, const struct region *region, struct str layer,
			   const struct counters *c)
{
	struct decimal total = decimal_from_u64(c->n[3]), writes = decimal_from_u64(c->n[7]);

	if (region->id.n == 0) {
		r->left_out++;
		return true;
	}
	if (c->n[0] > UINT64_MAX - c->n[4])
		return lines_fail(&r->lines, DIAG_COUNT_OVERFLOW, c->at[4], "more than 2^64-1");
	if (!decimal_add(total, writes, &total) || !decimal_times(total, unit_of(region), &total))
		return lines_fail(&r->lines, DIAG_TOTAL_OVERFLOW, c->at[7], "too much time");
	return open_operation(r, region, layer, "I/O", c->area) &&
	       build_histogram(r->to, c->bins) && push_bins(r, region, c->bins) &&
	       build_count(r->to, c->n[0] + c->n[4], c->at[0]) &&
	       build_total(r->to, total, c->at[3]);
}

/* Areas are ascending; when the first one repeats, a new snapshot begins. */
static bool begin_area(struct reader *r, const struct counters *c, struct region *region)
{
	if (r->first_area.n == 0) {
		r->first_area = c->area;
		r->first_region = region;
	} else if (str_eq(c->area, r->first_area) && region == r->first_region) {
		build_next_interval(r->to, NAN);
		r->unlisted.printed = 0;
		for (size_t i = 0; i < r->n_regions; i++)
			r->region[i].printed = 0;
	}
	if (c->range.start < region->printed)
		return lines_fail(
			&r->lines, DIAG_LINE_UNEXPECTED, c->area,
			"the area again, or one of another region, which @stats_list tells "
			"apart");
	region->printed = c->range.end;
	return true;
}

static bool read_area(struct reader *r, const struct counters *c)
{
	struct region *region = find_region(r, c);
	struct str layer = c->area;

	if (region == NULL || !begin_area(r, c, region))
		return false;
	arena_clear(r->names);
	if (region->id.n > 0)
		layer = arena_join(r->names, region->id, ',', c->area);
	return (c->bins.n == 0 || push_histogram(r, region, layer, c)) &&
	       dmstats_print_push_summary(r, region, layer, "read", c, 0) &&
	       dmstats_print_push_summary(r, region, layer, "write", c, 4);
}

static bool dmstats_print_read_line(struct reader *r)
{
	struct cursor c = cursor_at(r->lines.in, r->lines.text);
	struct counters counters;
	struct region region;
	size_t n;

	if (is_known(r, r->lines.text))
		return true;
	if (is_listed(r->lines.text, &region))
		return add_region(r, &region);
	n = scan_counters(&c, &counters);
	if (n == 0)
		return true;
	if (n <= COUNTERS || !cursor_done(&c))
		return lines_fail(&r->lines, DIAG_LINE_UNEXPECTED, r->lines.text,
				  "expected START+SECTORS, 13 numbers and perhaps a histogram");
	return read_area(r, &counters);
}

static bool read_dmstats_print(const struct read_task *task)
{
	struct reader r = { .to = task->to, .names = arena_new(), .edges = arena_new() };
	bool ok = true;

	build_drop_single_layer(task->to);
	lines_start(&r.lines, task->in, task->diag);
	while (ok && lines_next(&r.lines))
		ok = dmstats_print_read_line(&r);
	if (ok && r.left_out > 0)
		diag_file(task->diag, DIAG_NOT_A_HISTOGRAM, task->in,
			  "%zu without boundaries, which @stats_list prints", r.left_out);
	arena_free(r.names);
	arena_free(r.edges);
	return ok;
}

const struct format format_dmstats_print = {
	.name = "dmstats-print",
	.title = "counters of device mapper: @stats_list, @stats_print",
	.versions = "Linux 6.12",
	.unit = "stated by @stats_list",
	.totals = "exact",
	.probe = probe_dmstats_print,
	.read = read_dmstats_print,
};
