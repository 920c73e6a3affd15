/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/gather_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "load/file_list.h"
#include "profile/merge.h"
#include "profile/profile.h"

static struct str folder_of(const struct source *s)
{
	const char *slash = strrchr(s->file->path, '/');

	return slash != NULL ? (struct str){ s->file->path, (size_t)(slash - s->file->path) }
			     : STR("");
}

bool same_folder(const struct source *a, const struct source *b)
{
	return str_eq(folder_of(a), folder_of(b));
}

static bool is_read(const struct source *s)
{
	return s->named && s->read.profile != NULL;
}

static bool is_report(const struct source *s)
{
	return s->name.kind == RUN_FILE_REPORT;
}

static bool same_names(const struct source *a, const struct source *b)
{
	return str_eq(a->name.stem, b->name.stem) && str_eq(a->name.run, b->name.run);
}

/* --- orders: what belongs together is found among neighbours --------------------------- */

/* Files that were read, sorted; free() releases them. Those of a tool in a folder are together. */
struct source_order {
	struct source **v;
	size_t n;
};

static int compare_tools(const struct source *a, const struct source *b)
{
	int tools = strcmp(a->name.tool, b->name.tool);

	return tools != 0 ? tools : str_cmp(folder_of(a), folder_of(b));
}

static int compare_places(const struct source *a, const struct source *b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
	const struct source *const *x = a, *const *y = b;
	int tools = compare_tools(*x, *y);

	return tools != 0 ? tools : compare_places(*x, *y);
}

static int by_names(const void *a, const void *b)
{
	const struct source *const *x = a, *const *y = b;
	const struct run_file *n = &(*x)->name, *m = &(*y)->name;
	const int keys[] = { compare_tools(*x, *y), str_cmp(n->stem, m->stem),
			     str_cmp(n->run, m->run) };

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		if (keys[i] != 0)
			return keys[i];
	}
	return compare_places(*x, *y);
}

/* Compares which part of which run two files are. */
static int compare_parts(const struct source *a, const struct source *b)
{
	const struct run_file *n = &a->name, *m = &b->name;
	const int keys[] = { compare_tools(a, b), (a->row > b->row) - (a->row < b->row),
			     str_cmp(n->part, m->part), str_cmp(n->layer, m->layer),
			     str_cmp(n->run, m->run) };

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		if (keys[i] != 0)
			return keys[i];
	}
	return 0;
}

static int by_parts(const void *a, const void *b)
{
	const struct source *const *x = a, *const *y = b;
	int parts = compare_parts(*x, *y);

	return parts != 0 ? parts : str_cmp((*x)->name.stem, (*y)->name.stem);
}

static struct source_order order_sources(const struct sources *all,
					 int (*compare)(const void *, const void *))
{
	struct source_order o = { .v = xcalloc(all->n, sizeof(*o.v)) };

	for (size_t i = 0; i < all->n; i++) {
		if (is_read(&all->v[i]))
			o.v[o.n++] = &all->v[i];
	}
	if (o.n > 0)
		qsort(o.v, o.n, sizeof(*o.v), compare);
	return o;
}

/* Returns where the files of the tool and folder of file number `at` end. */
static size_t end_of_tool(const struct source_order *o, size_t at)
{
	size_t end = at + 1;

	while (end < o->n && compare_tools(o->v[end], o->v[at]) == 0)
		end++;
	return end;
}

/* --- names ------------------------------------------------------------------------------ */

static void name_source(struct source *s)
{
	struct str path = str_from(s->file->path);

	for (size_t row = 0; row < run_file_rows() && !s->named; row++) {
		s->row = row;
		s->named = run_file_match(row, path, &s->name) && s->name.format != NULL &&
			   strcmp(s->name.format, s->read.profile->format) == 0;
	}
}

static void leave_out(struct source *s)
{
	profile_free(s->read.profile);
	s->read.profile = NULL;
	s->left_out = "the same calls as in other files";
}

/* Whether another file of the same tool and folder holds the calls of s, too. */
static bool is_repeated(const struct source_order *o, size_t begin, size_t end,
			const struct source *s)
{
	for (size_t i = begin; i < end; i++) {
		const struct source *other = o->v[i];

		if (other->name.kind == RUN_FILE_PART && (same_names(other, s) || s->name.joins) &&
		    (s->name.layer.n == 0 || other->name.layer.n == 0 ||
		     str_eq(s->name.layer, other->name.layer)))
			return true;
	}
	return false;
}

static void leave_out_repeated(const struct sources *all)
{
	struct source_order o = order_sources(all, by_place);

	for (size_t begin = 0, end; begin < o.n; begin = end) {
		end = end_of_tool(&o, begin);
		for (size_t i = begin; i < end; i++) {
			if (o.v[i]->name.kind == RUN_FILE_AGAIN &&
			    is_repeated(&o, begin, end, o.v[i]))
				leave_out(o.v[i]);
		}
	}
	free(o.v);
}

/* --- groups ---------------------------------------------------------------------------- */

/* What decides to which run a file belongs. */
struct belonging {
	size_t first_of_tool; /* the first file of the tool and folder that is no report */
	size_t first_alike;   /* the first of them with the same names */
	bool one_run;	      /* all of them can be one run in spite of different stems */
};

static size_t number_of(const struct sources *all, const struct source *s)
{
	return (size_t)(s - all->v);
}

/* Finds the first files. */
static void find_first(const struct sources *all, struct belonging *of)
{
	struct source_order o = order_sources(all, by_place);

	for (size_t i = 0, first = SIZE_MAX; i < o.n; i++) {
		if (i == 0 || compare_tools(o.v[i - 1], o.v[i]) != 0)
			first = SIZE_MAX;
		if (first == SIZE_MAX && !is_report(o.v[i]))
			first = number_of(all, o.v[i]);
		of[number_of(all, o.v[i])].first_of_tool = first;
	}
	free(o.v);
	o = order_sources(all, by_names);
	for (size_t i = 0, first = SIZE_MAX; i < o.n; i++) {
		if (i == 0 || compare_tools(o.v[i - 1], o.v[i]) != 0 ||
		    !same_names(o.v[i - 1], o.v[i]))
			first = SIZE_MAX;
		if (first == SIZE_MAX && !is_report(o.v[i]))
			first = number_of(all, o.v[i]);
		of[number_of(all, o.v[i])].first_alike = first;
	}
	free(o.v);
}

/* Finds where no two files with different stems are the same part, so that they can be one run. */
static void find_clashes(const struct sources *all, struct belonging *of)
{
	struct source_order o = order_sources(all, by_parts);

	for (size_t begin = 0, end; begin < o.n; begin = end) {
		bool one_run = true;

		end = end_of_tool(&o, begin);
		for (size_t i = begin + 1; i < end; i++)
			one_run &= compare_parts(o.v[i - 1], o.v[i]) != 0 ||
				   str_eq(o.v[i - 1]->name.stem, o.v[i]->name.stem);
		for (size_t i = begin; i < end; i++)
			of[number_of(all, o.v[i])].one_run = one_run;
	}
	free(o.v);
}

static void find_groups(struct sources *all)
{
	struct belonging *of = xcalloc(all->n, sizeof(*of));

	find_first(all, of);
	find_clashes(all, of);
	for (size_t i = 0; i < all->n; i++) {
		struct source *s = &all->v[i];
		bool joined = is_read(s) && s->name.joins && of[i].one_run;
		size_t first = joined ? of[i].first_of_tool : of[i].first_alike;

		s->group = is_read(s) && !is_report(s) && first < i ? all->v[first].group : i;
	}
	free(of);
}

/* The numbers in the names of the files of a group. */
struct part_numbers {
	size_t n;
	uint64_t min, max;
	bool counts; /* one of them is only used for runs */
};

static void add_number(struct part_numbers *p, struct str part)
{
	uint64_t n;

	p->n++;
	if ((part.n > 1 && part.p[0] == '0') || number_u64(part, &n) != NUMBER_OK) {
		p->counts = true;
		return;
	}
	p->min = p->n == 1 || n < p->min ? n : p->min;
	p->max = n > p->max ? n : p->max;
}

/* Whether the numbers count runs, not processes: 1, 2, 3 or 0, 1, 2, or with leading zeros. */
static bool counts_runs(const struct part_numbers *p)
{
	return p->counts || (p->min <= 1 && p->max - p->min + 1 == p->n);
}

/* Makes a run of each file of a group where numbers count runs. */
static void part_runs(struct sources *all)
{
	struct part_numbers *of = xcalloc(all->n, sizeof(*of));

	for (size_t i = 0; i < all->n; i++) {
		if (is_read(&all->v[i]))
			add_number(&of[all->v[i].group], all->v[i].name.part);
	}
	for (size_t i = 0; i < all->n; i++) {
		struct source *s = &all->v[i];

		if (is_read(s) && all->v[s->group].name.processes && counts_runs(&of[s->group]))
			s->group = i;
	}
	free(of);
}

/* Returns how many runs, or reports of runs, there are among files of a tool in a folder. */
static size_t count_runs(const struct sources *all, const struct source_order *o, size_t begin,
			 size_t end, bool reports)
{
	size_t n = 0;

	for (size_t i = begin; i < end; i++)
		n += is_report(o->v[i]) == reports && o->v[i]->group == number_of(all, o->v[i]);
	return n;
}

static void leave_out_reports(const struct sources *all)
{
	struct source_order o = order_sources(all, by_place);

	for (size_t begin = 0, end; begin < o.n; begin = end) {
		bool superfluous;

		end = end_of_tool(&o, begin);
		superfluous = count_runs(all, &o, begin, end, true) <=
			      count_runs(all, &o, begin, end, false);
		for (size_t i = begin; superfluous && i < end; i++) {
			if (is_report(o.v[i]))
				leave_out(o.v[i]);
		}
	}
	free(o.v);
}

/* --- messages -------------------------------------------------------------------------- */

static void list_stems(struct out *list, const struct sources *all, const struct source_order *o,
		       size_t begin, size_t end)
{
	enum { MAX_STEMS = 4 };
	size_t n = 0;

	for (size_t i = begin; i < end; i++) {
		const struct source *run = o->v[i];

		if (run->group != number_of(all, run) || n++ >= MAX_STEMS)
			continue;
		out_printf(list, "%s%.*s%s%.*s", n > 1 ? ", " : ": ", STR_ARG(run->name.stem),
			   run->name.run.n > 0 ? "." : "", STR_ARG(run->name.run));
	}
	if (n > MAX_STEMS)
		out_text(list, ", ...");
}

/* Reports which files of a tool in a folder were merged. */
static void report_merged(const struct sources *all, const struct source_order *o, size_t begin,
			  size_t end, struct diag *diag)
{
	size_t n_files = end - begin, n_runs = count_runs(all, o, begin, end, false);
	struct str folder = folder_of(o->v[begin]);
	struct out *list;

	if (is_report(o->v[begin]) || n_files <= n_runs)
		return;
	list = out_to_memory();
	if (n_runs > 1)
		list_stems(list, all, o, begin, end);
	out_char(list, '\0');
	diag_plain(diag, DIAG_RUN_FILES, "%.*s%s%zu files of %s are %s%.0zu%s%s", STR_ARG(folder),
		   folder.n > 0 ? ": " : "", n_files, o->v[begin]->name.tool,
		   n_runs > 1 ? "" : "one run", n_runs > 1 ? n_runs : 0, n_runs > 1 ? " runs" : "",
		   out_memory(list).p);
	out_free(list);
}

void report_groups(const struct sources *all, struct diag *diag)
{
	struct source_order o = order_sources(all, by_place);

	for (size_t begin = 0, end; begin < o.n; begin = end) {
		end = end_of_tool(&o, begin);
		report_merged(all, &o, begin, end, diag);
	}
	free(o.v);
}

void group_sources(struct sources *all)
{
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].read.profile != NULL)
			name_source(&all->v[i]);
	}
	leave_out_repeated(all);
	find_groups(all);
	part_runs(all);
	leave_out_reports(all);
}

/* --- one run of a group ---------------------------------------------------------------- */

static bool in_group(const struct source *s, const struct source *first)
{
	return s == first || (is_read(s) && is_read(first) && s->group == first->group);
}

/* Finds whether files of the group differ in their layers, or have the same part with several
 * stems. */
static void compare_names(const struct sources *all, const struct source *first, bool *ret_layers,
			  bool *ret_stems)
{
	const struct source **of_row = xcalloc(run_file_rows(), sizeof(struct source *));

	*ret_layers = *ret_stems = false;
	for (const struct source *s = first; s < all->v + all->n; s++) {
		if (!in_group(s, first))
			continue;
		if (of_row[s->row] == NULL)
			of_row[s->row] = s;
		*ret_layers |= !str_eq(s->name.layer, first->name.layer);
		*ret_stems |= !str_eq(s->name.stem, of_row[s->row]->name.stem);
	}
	free(of_row);
}

/* Adds to operations what distinguishes the names of their files. */
static void name_operations(struct source *s, bool layers, bool stems)
{
	struct profile *p = s->read.profile;
	struct str layer = s->name.layer;

	if (!layers && s->name.only_layer)
		layer.n = 0;
	for (size_t i = 0; i < p->n_ops; i++) {
		struct operation *op = &p->op[i];

		if (stems)
			op->name = arena_printf(p->arena, "%.*s/%.*s", STR_ARG(s->name.stem),
						STR_ARG(op->name));
		if (layer.n > 0 && op->layer.n == 0)
			op->layer = arena_str(p->arena, layer);
	}
}

bool merge_group(struct sources *all, size_t at, struct gathered_run *ret, struct diag *diag)
{
	const struct profile **part = xcalloc(all->n, sizeof(*part));
	struct source *first = &all->v[at];
	bool layers, stems;
	size_t n = 0;

	compare_names(all, first, &layers, &stems);
	for (size_t i = at; i < all->n; i++) {
		if (!in_group(&all->v[i], first))
			continue;
		if (all->v[i].named && all->v[i].name.kind != RUN_FILE_REPORT)
			name_operations(&all->v[i], layers, stems);
		part[n++] = all->v[i].read.profile;
	}
	ret->path = path_join(NULL, first->file->path);
	ret->profile = n > 1 ? profile_merge(part, n, diag) : first->read.profile;
	for (size_t i = all->n; n > 1 && i-- > at;) {
		if (in_group(&all->v[i], first)) {
			profile_free(all->v[i].read.profile);
			all->v[i].read.profile = NULL;
		}
	}
	first->read.profile = NULL;
	free(part);
	return ret->profile != NULL;
}
