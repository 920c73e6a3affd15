/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "browse/load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "compare/cautions.h"
#include "load/sidecar.h"
#include "program/settings.h"

/* --- changed files --------------------------------------------------------------------------- */

struct file_stamp {
	const char *path; /* borrowed from what was loaded */
	struct timespec modified;
	off_t size;
	ino_t inode;
	bool there;
};

static struct file_stamp stamp_of(const char *path)
{
	struct file_stamp f = { .path = path };
	struct stat st;

	if (stat(path, &st) != 0)
		return f;
	return (struct file_stamp){ path, st.st_mtim, st.st_size, st.st_ino, true };
}

static void stamp_files(struct opened *o, const struct loaded *l)
{
	o->stamp = xreallocarray(o->stamp, o->n_stamps + l->n_files, sizeof(*o->stamp));
	for (size_t i = 0; i < l->n_files; i++) {
		if (strcmp(l->file[i], "-") != 0)
			o->stamp[o->n_stamps++] = stamp_of(l->file[i]);
	}
}

bool opened_is_stale(const struct opened *o)
{
	for (size_t i = 0; i < o->n_stamps; i++) {
		const struct file_stamp *then = &o->stamp[i];
		struct file_stamp now = stamp_of(then->path);

		if (now.there != then->there || now.size != then->size ||
		    now.inode != then->inode || now.modified.tv_sec != then->modified.tv_sec ||
		    now.modified.tv_nsec != then->modified.tv_nsec)
			return true;
	}
	return false;
}

/* --- the command line -------------------------------------------------------------------- */

static void quote_word(struct out *o, const char *word)
{
	if (word[0] != '\0' && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					    "0123456789-_./,:=+%@") == strlen(word)) {
		out_text(o, word);
		return;
	}
	out_char(o, '\'');
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			out_text(o, "'\\''");
		else
			out_char(o, *word);
	}
	out_char(o, '\'');
}

static char *command_of(const struct settings *s)
{
	struct out *o = out_to_memory();
	struct str text;
	char *copy;

	if (s->options.load.from != NULL)
		out_printf(o, "--from %s ", s->options.load.from->name);
	if (s->options.load.read.build.unit != UNIT_UNKNOWN)
		out_printf(o, "--unit %s ", unit_name(s->options.load.read.build.unit));
	if (s->options.load.read.build.hz > 0)
		out_printf(o, "--hz %.17g ", s->options.load.read.build.hz);
	if (s->options.load.names_path != NULL) {
		out_text(o, "--names ");
		quote_word(o, s->options.load.names_path);
		out_char(o, ' ');
	}
	for (size_t i = 0; i < s->options.load.n_operands; i++) {
		if (s->options.load.separated && i == s->options.load.n_before)
			out_text(o, "-- ");
		quote_word(o, s->options.load.operand[i]);
		if (i + 1 < s->options.load.n_operands)
			out_char(o, ' ');
	}
	text = out_memory(o);
	copy = xcalloc(text.n + 1, 1);
	memcpy(copy, text.p, text.n);
	out_free(o);
	return copy;
}

/* --- loading ----------------------------------------------------------------------------- */

void opened_free(struct opened *o)
{
	if (o == NULL)
		return;
	if (o->compared != NULL)
		compared_release(o->compared);
	if (o->single != NULL)
		loaded_release(o->single);
	free(o->compared);
	free(o->single);
	arena_free(o->arena);
	annotations_free(o->annotations);
	free(o->sidecar);
	free(o->command);
	free(o->stamp);
	free(o);
}

static bool load_sides_of(struct opened *o, const struct settings *s, struct diag *diag)
{
	struct compared *c = xcalloc(1, sizeof(*c));

	if (!compare_runs(c, &s->options.load, &s->options.compare, diag)) {
		free(c);
		return false;
	}
	c->comparison.show = s->options.show;
	report_cautions(c, diag);
	o->compared = c;
	(void)!compare_annotations(c, &s->options.load,
				   diag); /* reports errors, which do not prevent browsing */
	stamp_files(o, &c->before);
	stamp_files(o, &c->after);
	return true;
}

static bool load_single(struct opened *o, const struct settings *s, struct diag *diag)
{
	struct loaded *l = xcalloc(1, sizeof(*l));

	if (!load_run(l, s->options.load.operand, s->options.load.n_operands, &s->options.load,
		      diag)) {
		free(l);
		return false;
	}
	o->single = l;
	o->sidecar = sidecar_path(&s->options.load);
	o->annotations = sidecar_load(o->sidecar, &s->options.load, diag);
	stamp_files(o, l);
	return true;
}

static struct opened *open_all(const struct settings *s, struct diag *diag)
{
	struct opened *o = xcalloc(1, sizeof(*o));
	bool one = !s->options.load.separated && s->options.load.n_operands == 1;

	o->arena = arena_new();
	if (load_known_times(o->arena, &s->options.load, &o->times, diag) &&
	    (one ? load_single(o, s, diag) : load_sides_of(o, s, diag))) {
		o->command = command_of(s);
		return o;
	}
	opened_free(o);
	return NULL;
}

const char *opened_sidecar(const struct opened *o)
{
	return o->single != NULL ? o->sidecar : o->compared->sidecar;
}

struct browsed opened_browsed(const struct opened *o, const struct settings *s)
{
	struct browsed browsed = { .times = &o->times,
				   .annotations = o->single != NULL ? o->annotations
								    : o->compared->annotations,
				   .command = o->command,
				   .threads = s->options.load.threads,
				   .elapsed_before = s->options.load.elapsed_before,
				   .elapsed_after = s->options.load.elapsed_after };

	if (o->single != NULL) {
		browsed.before = o->single->run;
		browsed.runs_before = loaded_runs(o->single);
		return browsed;
	}
	browsed.before = o->compared->before.run;
	browsed.after = o->compared->after.run;
	browsed.comparison = &o->compared->comparison;
	browsed.runs_before = loaded_runs(&o->compared->before);
	browsed.runs_after = loaded_runs(&o->compared->after);
	return browsed;
}

/* --- in the background ------------------------------------------------------------------- */

static void keep_message(void *ctx, const struct diag_msg *msg)
{
	struct opening *o = ctx;
	struct out *text;

	if (o->settings->quiet && msg->severity != SEV_ERROR)
		return;
	text = out_to_memory();
	diag_render(text, msg);
	messages_add(&o->messages, msg->severity, str_trim(out_memory(text)));
	out_free(text);
}

static void *run_opening(void *arg)
{
	struct opening *o = arg;
	struct diag diag = { .emit = keep_message, .ctx = o };

	o->opened = open_all(o->settings, &diag);
	atomic_store(&o->done, true);
	return NULL;
}

void opening_start(struct opening *o, const struct settings *s)
{
	*o = (struct opening){ .settings = s };
	o->in_background = pthread_create(&o->thread, NULL, run_opening, o) == 0;
	if (!o->in_background)
		(void)run_opening(o);
}

bool opening_wait(struct opening *o, int ms)
{
	const struct timespec step = { 0, 1000000 };

	for (int waited = 0; waited < ms && !atomic_load(&o->done); waited++)
		(void)nanosleep(&step, NULL);
	return atomic_load(&o->done);
}

struct opened *opening_finish(struct opening *o)
{
	if (o->in_background)
		(void)pthread_join(o->thread, NULL);
	return o->opened;
}
