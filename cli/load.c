/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/load.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/likeness.h"
#include "analyze/representative.h"
#include "base/arena.h"
#include "base/diag_kept.h"
#include "base/digest.h"
#include "base/glob.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "cli/host.h"
#include "cli/progress.h"
#include "cli/settings.h"
#include "profile/merge.h"
#include "profile/names.h"
#include "profile/rebin.h"
#include "profile/repeats.h"

char *path_join(const char *folder, const char *name)
{
	size_t room = (folder != NULL ? strlen(folder) + 1 : 0) + strlen(name) + 1;
	char *path = xcalloc(room, 1);

	if (folder != NULL) {
		strcpy(path, folder);
		if (path[0] != '\0' && path[strlen(path) - 1] != '/')
			strcat(path, "/");
	}
	strcat(path, name);
	return path;
}

static void add_file(struct file_list *l, char *path)
{
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof(*l->v));
	l->v[l->n++] = path;
}

static int is_visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

bool folder_entries(const char *folder, char ***ret_path, size_t *ret_n, struct diag *diag)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, is_visible, versionsort);

	if (n < 0) {
		diag_plain(diag, DIAG_INPUT_UNREADABLE, "%s: %s", folder, strerror(errno));
		return false;
	}
	*ret_path = xcalloc((size_t)n + 1, sizeof(**ret_path));
	*ret_n = (size_t)n;
	for (int i = 0; i < n; i++) {
		(*ret_path)[i] = path_join(folder, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return true;
}

static bool add_folder(struct file_list *l, const char *folder, struct diag *diag)
{
	size_t n, before = l->n;
	char **path;

	if (!folder_entries(folder, &path, &n, diag))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct stat st;

		if (stat(path[i], &st) == 0 && !S_ISREG(st.st_mode))
			free(path[i]);
		else
			add_file(l, path[i]);
	}
	free(path);
	if (l->n > before)
		return true;
	diag_plain(diag, DIAG_INPUT_EMPTY, "%s: no file in this folder", folder);
	return false;
}

bool file_list_of(struct file_list *l, char *const *operand, size_t n, struct diag *diag)
{
	*l = (struct file_list){ .n = 0 };
	for (size_t i = 0; i < n; i++) {
		struct stat st;

		if (stat(operand[i], &st) == 0 && S_ISDIR(st.st_mode)) {
			if (!add_folder(l, operand[i], diag))
				return false;
		} else {
			add_file(l, path_join(NULL, operand[i]));
		}
	}
	return true;
}

void file_list_release(struct file_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i]);
	free(l->v);
}

static bool find_files(struct loaded *l, char *const *operand, size_t n, struct diag *diag)
{
	struct file_list list;
	bool fine = file_list_of(&list, operand, n, diag);

	l->file = list.v;
	l->n_files = list.n;
	return fine;
}

/* Only tables have columns: naming one says what the file is. */
static const struct format *format_of(const struct settings *s)
{
	const struct table_columns *c = &s->read.columns;
	const struct str *const named[] = { &c->operation, &c->latency, &c->start, &c->low,
					    &c->high,	   &c->count,	&c->layer, &c->total };

	for (size_t i = 0; i < COUNT_OF(named) && s->from == NULL; i++) {
		if (named[i]->n > 0)
			return format_by_name(STR("csv"));
	}
	return s->from;
}

/* Where its file does not say where it was captured, the user may. */
static void place(struct profile *p, const struct settings *s)
{
	bool unknown = p->machine.n == 0 && p->kernel.n == 0;

	if (p->machine.n == 0 && s->machine != NULL)
		p->machine = arena_str(p->arena, str_from(s->machine));
	else if (unknown && s->this_machine)
		p->machine = host_machine(p->arena);
	if (unknown && s->this_machine)
		p->kernel = host_kernel(p->arena);
}

static struct profile *read_begun(struct input *in, const struct settings *s,
				  const struct read_options *options, struct diag *diag)
{
	struct profile *p = format_read(format_of(s), in, options, diag);

	if (p != NULL && p->baseline.n_runs == 0)
		place(p, s);
	if (p != NULL && s->rebin && profile_rebin(p, s->read.resolution))
		diag_file(diag, DIAG_APPROXIMATED, in,
			  "calls were spread evenly between the edges of their bucket");
	return p;
}

struct profile *load_file(const char *path, const struct settings *s,
			  const struct read_options *options, uint64_t *ret_digest,
			  struct diag *diag)
{
	struct reading reading;
	struct profile *p = NULL;
	struct input in;

	progress_begin(s->progress, &reading, path);
	if (input_begin(&in, path, INPUT_HEAD, s->max_input, &reading.watch, diag)) {
		p = read_begun(&in, s, options, diag);
		if (p != NULL && ret_digest != NULL && p->n_hosts > 0 && p->epoch)
			*ret_digest = digest_more(DIGEST_START, in.bytes.p, in.bytes.n);
		input_release(&in);
	}
	progress_end(s->progress, &reading);
	return p;
}

static bool read_files(struct loaded *l, const struct settings *s,
		       const struct read_options *options, struct diag *diag)
{
	l->whole = xcalloc(l->n_files, sizeof(*l->whole));
	for (size_t i = 0; i < l->n_files; i++) {
		l->whole[i] = load_file(l->file[i], s, options, NULL, diag);
		if (l->whole[i] == NULL)
			return false;
	}
	return true;
}

static size_t runs_in(const struct profile *p)
{
	return p->baseline.n_runs > 0 ? p->baseline.n_runs : 1;
}

/* The runs of all files; those that baselines hold borrow from these. */
static void part_files(struct loaded *l)
{
	for (size_t i = 0; i < l->n_files; i++)
		l->n_runs += runs_in(l->whole[i]);
	l->single = xcalloc(l->n_runs, sizeof(*l->single));
	l->n_runs = 0;
	for (size_t i = 0; i < l->n_files; i++) {
		struct profile *p = l->whole[i];

		if (p->baseline.n_runs > 0) {
			profile_part(p, &l->single[l->n_runs]);
			l->n_runs += p->baseline.n_runs;
		} else {
			l->single[l->n_runs++] = p;
			l->whole[i] = NULL;
		}
	}
}

/* The file that holds a run. */
static size_t file_of(const struct loaded *l, size_t run)
{
	size_t i = 0, n;

	for (; (n = l->whole[i] != NULL ? runs_in(l->whole[i]) : 1) <= run; i++)
		run -= n;
	return i;
}

void tell_unlike(const char *path, const struct likeness *l, struct diag *diag)
{
	diag_plain(diag, DIAG_RUNS_UNLIKE,
		   "%s has %zu of %zu operations in common with most of the others, which hold "
		   "%.0f %% of its latency and %.0f %% of theirs",
		   path, l->shared, l->of, 100 * (isnan(l->own) ? 0 : l->own),
		   100 * (isnan(l->theirs) ? 0 : l->theirs));
}

static struct profile *merge_files(struct loaded *l, const struct settings *s,
				   const struct read_options *options, struct diag *diag)
{
	const struct profile *const *run;
	struct profile *r;

	if (!read_files(l, s, options, diag))
		return NULL;
	part_files(l);
	run = (const struct profile *const *)l->single;
	l->representative = file_of(l, representative(run, l->n_runs));
	if (l->n_runs > 1)
		return profile_merge(run, l->n_runs, diag);
	r = l->single[0];
	free(l->single);
	l->single = NULL;
	return r;
}

const struct profile *loaded_baseline(const struct loaded *l)
{
	return l->n_files == 1 ? l->whole[0] : NULL;
}

/* "block/read", as tables show it. */
static struct str name_shown(struct out *room, const struct operation *op)
{
	if (!operation_has_layer(op))
		return op->name;
	out_reset(room);
	out_bytes(room, op->layer);
	out_char(room, '/');
	out_bytes(room, op->name);
	return out_memory(room);
}

/* A pattern with a slash may also match what tables show. */
static bool is_named(const struct operation *op, const char *pattern)
{
	struct out *room;
	bool matches = glob_matches(pattern, op->name);

	if (matches || strchr(pattern, '/') == NULL)
		return matches;
	room = out_to_memory();
	matches = glob_matches(pattern, name_shown(room, op));
	out_free(room);
	return matches;
}

bool is_wanted(const struct operation *op, const struct settings *s)
{
	return (s->layer == NULL || str_eq(op->layer, str_from(s->layer))) &&
	       (s->op == NULL || is_named(op, s->op));
}

static void tell_none_wanted(const struct profile *p, const struct settings *s, struct diag *diag)
{
	struct out *names = out_to_memory(), *room = out_to_memory();
	size_t n = 0;

	while (n < p->n_ops && out_listed(names, name_shown(room, &p->op[n])))
		n++;
	diag_plain(diag, DIAG_NOTHING_CHOSEN, "%.*s: none %s%s%s%s, among: %.*s%s",
		   STR_ARG(p->source), s->op != NULL ? "has a name like " : "is",
		   s->op != NULL ? s->op : "", s->layer != NULL ? " in the layer " : "",
		   s->layer != NULL ? s->layer : "", STR_ARG(out_memory(names)),
		   n < p->n_ops ? ", ..." : "");
	out_free(names);
	out_free(room);
}

void choose_operations(struct profile *p, const struct settings *s, struct diag *diag)
{
	size_t kept = 0;

	if (s->op == NULL && s->layer == NULL)
		return;
	for (size_t i = 0; i < p->n_ops; i++) {
		if (is_wanted(&p->op[i], s))
			p->op[kept++] = p->op[i];
	}
	if (kept == 0)
		tell_none_wanted(p, s, diag);
	p->n_ops = kept;
}

bool reading_options_of(const struct settings *s, struct reading_options *ret, struct diag *diag)
{
	*ret = (struct reading_options){ .read = s->read };
	if (s->names_path == NULL)
		return true;
	if (!input_open(&ret->in, s->names_path, s->max_input, diag))
		return false;
	ret->names = names_read(&ret->in, diag);
	ret->read.build.names = ret->names;
	if (ret->names == NULL)
		input_release(&ret->in);
	return ret->names != NULL;
}

void reading_options_release(struct reading_options *o)
{
	names_free(o->names);
	input_release(&o->in);
}

static struct profile *read_named(struct loaded *l, const struct settings *s, struct diag *diag)
{
	struct reading_options options;
	struct profile *p;

	if (!reading_options_of(s, &options, diag))
		return NULL;
	p = merge_files(l, s, &options.read, diag);
	reading_options_release(&options);
	return p;
}

bool load_run(struct loaded *ret, char *const *operand, size_t n, const struct settings *s,
	      struct diag *diag)
{
	struct loaded l = { .profile = NULL };

	if (find_files(&l, operand, n, diag))
		l.profile = read_named(&l, s, diag);
	if (l.profile == NULL) {
		loaded_release(&l);
		return false;
	}
	l.run = (struct run){
		.path = operand[0],
		.n_more = n - 1,
		.profile = l.profile,
		.totals = totals_of(l.profile),
		.n_runs = l.n_runs,
		.file = l.file,
		.n_files = l.n_files,
		.representative = l.file[l.representative],
	};
	choose_operations(l.profile, s, diag);
	*ret = l;
	return true;
}

void loaded_release(struct loaded *l)
{
	profile_free(l->profile);
	for (size_t i = 0; l->single != NULL && i < l->n_runs; i++)
		profile_free(l->single[i]);
	for (size_t i = 0; i < l->n_files; i++) {
		if (l->whole != NULL)
			profile_free(l->whole[i]);
		free(l->file[i]);
	}
	free(l->single);
	free(l->whole);
	free(l->file);
	*l = (struct loaded){ .profile = NULL };
}

struct runs_side loaded_runs(const struct loaded *l)
{
	return (struct runs_side){ l->single != NULL ? (const struct profile *const *)l->single
						     : &l->run.profile,
				   l->n_runs };
}

void tell_unlike_files(const struct loaded *l, const struct settings *s, struct diag *diag)
{
	struct runs_side runs = loaded_runs(l);
	struct likeness likeness;
	size_t at;

	if (runs.n < 2 || s->op != NULL || s->layer != NULL)
		return;
	at = find_unlike(runs.run, runs.n, l->profile, &likeness);
	if (at < runs.n)
		tell_unlike(l->file[file_of(l, at)], &likeness, diag);
}

/* --- two sides at once ------------------------------------------------------------- */

struct side {
	struct loaded loaded;
	char *const *operand;
	size_t n;
	const struct settings *settings;
	struct diag_kept kept;
	bool fine;
};

static void *load_side(void *arg)
{
	struct side *s = arg;
	struct diag diag = { .emit = diag_keep, .ctx = &s->kept };

	s->fine = load_run(&s->loaded, s->operand, s->n, s->settings, &diag);
	return NULL;
}

/* A run without an operation is of any unit. */
static void take_unit(struct profile *to, const struct profile *from)
{
	if (to->n_ops > 0 || to->unit != UNIT_UNKNOWN)
		return;
	to->unit = from->unit;
	to->hz = from->hz;
}

/* Both sides are read at the same time; what they have to say keeps its order. */
bool load_sides(struct loaded *ret_before, struct loaded *ret_after, const struct settings *s,
		struct diag *diag)
{
	size_t n_before = s->separated ? s->n_before : 1;
	struct side before = { .operand = s->operand, .n = n_before, .settings = s };
	struct side after = { .operand = s->operand + n_before,
			      .n = s->n_operands - n_before,
			      .settings = s };
	pthread_t thread;
	bool beside = pthread_create(&thread, NULL, load_side, &before) == 0;

	if (!beside)
		(void)load_side(&before);
	(void)load_side(&after);
	if (beside)
		(void)pthread_join(thread, NULL);
	diag_hand_on(&before.kept, diag);
	diag_hand_on(&after.kept, diag);
	if (before.fine && after.fine) {
		take_unit(before.loaded.profile, after.loaded.profile);
		take_unit(after.loaded.profile, before.loaded.profile);
		tell_unlike_files(&before.loaded, s, diag);
		tell_unlike_files(&after.loaded, s, diag);
		*ret_before = before.loaded;
		*ret_after = after.loaded;
		return true;
	}
	if (before.fine)
		loaded_release(&before.loaded);
	if (after.fine)
		loaded_release(&after.loaded);
	return false;
}
