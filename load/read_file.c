/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/read_file.h"

#include "base/digest.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/diag_kept.h"
#include "base/host.h"
#include "base/input/input_file.h"
#include "base/json.h"
#include "formats/foreign.h"
#include "formats/format.h"
#include "formats/programs/uftrace_folder.h"
#include "formats/run_files.h"
#include "load/load_options.h"
#include "load/reading.h"
#include "load/time_range.h"
#include "profile/profile.h"
#include "profile/rebin.h"
#include "region/region.h"

/* An option that names a column implies a table. */
static const struct format *format_of(const struct load_options *q)
{
	const struct table_columns *c = &q->read.columns;
	const struct str *const named[] = { &c->operation, &c->latency, &c->start, &c->low,
					    &c->high,	   &c->count,	&c->layer, &c->total };

	for (size_t i = 0; i < COUNT_OF(named) && q->from == NULL; i++) {
		if (named[i]->n > 0)
			return format_by_name(STR("csv"));
	}
	return q->from;
}

/* Sets machine and kernel from the options if the file does not state them. */
static void set_machine(struct profile *p, const struct load_options *q)
{
	bool unknown = p->machine.n == 0 && p->kernel.n == 0;

	if (p->machine.n == 0 && q->machine != NULL)
		p->machine = arena_str(p->arena, str_from(q->machine));
	else if (unknown && q->this_machine)
		p->machine = host_machine(p->arena);
	if (unknown && q->this_machine)
		p->kernel = host_kernel(p->arena);
}

/* --- why a file was not read ----------------------------------------------------------- */

/* Notes the code of an error, and passes all messages on. */
struct listener {
	struct diag *to;
	enum diag_code error;
};

static void note_error(void *ctx, const struct diag_msg *msg)
{
	struct listener *l = ctx;

	if (msg->severity == SEV_ERROR && msg->code != DIAG_TOO_MANY)
		l->error = msg->code;
	if (l->to->emit != NULL)
		l->to->emit(l->to->ctx, msg);
}

/* Takes the next byte that is not a space; NUL at the end. */
static char take_token(struct str *s)
{
	*s = json_without_space(*s);
	if (s->n == 0)
		return '\0';
	*s = str_skip(*s, 1);
	return s->p[-1];
}

static bool is_json(struct str s)
{
	char bracket = take_token(&s), next = take_token(&s);

	return (bracket == '{' && (next == '"' || next == '}' || next == '\0')) ||
	       (bracket == '[' &&
		(next == '\0' || is_digit(next) || memchr("[]{\"-", next, 5) != NULL));
}

/* Whether the JSON is complete: a run that was cut off is not, a document of another kind is. */
static bool is_whole_json(struct input *in)
{
	struct diag silent = { .emit = NULL };
	struct arena *strings = arena_new();
	struct json j;
	bool whole;

	if (!input_complete(in, &silent)) {
		arena_free(strings);
		return false;
	}
	json_start(&j, cursor_on(in), strings, &silent);
	while (json_peek(&j) != '\0' && json_skip(&j))
		;
	whole = !j.failed;
	arena_free(strings);
	return whole;
}

static enum unread why_unknown(struct input *in)
{
	struct clue clue;

	if (foreign_is_binary(in))
		return UNREAD_BINARY;
	if (format_nearest(in, &clue) != NULL || memchr(in->bytes.p, '\0', in->bytes.n) != NULL)
		return UNREAD_DAMAGED;
	return is_json(in->bytes) && !is_whole_json(in) ? UNREAD_DAMAGED : UNREAD_UNKNOWN;
}

static void find_why(struct file_read *r, struct input *in, const struct foreign *foreign,
		     bool means, enum diag_code error)
{
	if (foreign == NULL && error == DIAG_OTHER_FILE)
		foreign = foreign_find_text(in);
	r->unread = UNREAD_DAMAGED;
	if (foreign != NULL) {
		r->what = foreign->what;
		r->unread = foreign->folder   ? UNREAD_FOLDER
			    : foreign->packed ? UNREAD_DAMAGED
					      : UNREAD_OTHER;
	} else if (error == DIAG_INPUT_EMPTY) {
		r->unread = UNREAD_EMPTY;
	} else if (error == DIAG_INPUT_BINARY && foreign_is_binary(in)) {
		r->unread = UNREAD_BINARY;
	} else if (error == DIAG_FORMAT_UNKNOWN) {
		r->unread = why_unknown(in);
	} else if (error == DIAG_LINE_UNEXPECTED && means) {
		r->unread = UNREAD_MEANS;
	}
}

/* --- reading --------------------------------------------------------------------------- */

static void copy_begin(char *to, struct str text)
{
	size_t n = 0;

	for (; n + 1 < FILE_BEGIN && n < text.n && text.p[n] != '\n'; n++)
		to[n] = is_digit(text.p[n]) ? '#' : text.p[n];
	to[n] = '\0';
}

static void read_begun(struct file_read *r, struct input *in, const struct load_options *q,
		       const struct read_options *options, struct diag *diag)
{
	struct listener listener = { .to = diag, .error = DIAG_INPUT_UNREADABLE };
	struct diag listened = { .emit = note_error, .ctx = &listener, .max_each = diag->max_each };
	const struct foreign *foreign = foreign_find(in);
	bool means = run_file_has_means(in);
	struct profile *p;

	memcpy(listened.seen, diag->seen, sizeof(listened.seen));
	copy_begin(r->begin, in->bytes);
	p = r->profile = plugins_read(&q->plugins, format_of(q), in, options, &listened);
	memcpy(diag->seen, listened.seen, sizeof(listened.seen));
	if (p == NULL) {
		find_why(r, in, foreign, means, listener.error);
		return;
	}
	if (p->baseline.n_runs == 0)
		set_machine(p, q);
	nest_option_add(&q->nest, p, diag);
	if (q->rebin && profile_rebin(p, q->read.resolution))
		diag_file(diag, DIAG_APPROXIMATED, in,
			  "calls were spread evenly between the edges of their bucket");
}

/* Reads the counters of a running program as the text that it would print itself. */
static bool region_begin(struct input *ret, const char *name, struct diag *diag)
{
	struct region_source r;
	char *text;
	size_t n;
	bool ok;

	if (!region_open(&r, name, diag))
		return false;
	ok = region_text(&r, &text, &n, diag);
	if (ok) {
		input_borrow(ret, name, text, n);
		ret->owned = text;
	}
	if (ok && r.abandoned)
		diag_file(diag, DIAG_REGION_ABANDONED, ret, "this is what it had counted");
	region_close(&r);
	return ok;
}

bool trace_begin(struct input *ret, const char *path, size_t max_input, struct input_watch *watch,
		 struct diag *diag)
{
	if (region_is_source(path))
		return region_begin(ret, path, diag);
	if (uftrace_is_folder(path))
		return uftrace_folder_open(ret, path, diag);
	return input_begin(ret, path, INPUT_HEAD, max_input, watch, diag);
}

static void read_whole(struct file_read *ret, const char *path, const struct load_options *q,
		       const struct read_options *options, struct diag *diag)
{
	struct reading reading;
	struct input in;

	*ret = (struct file_read){ .unread = UNREAD_DAMAGED };
	reading_begin(q->observer, &reading, path);
	if (trace_begin(&in, path, q->max_input, &reading.watch, diag)) {
		read_begun(ret, &in, q, options, diag);
		if (ret->profile != NULL && ret->profile->n_hosts > 0 && ret->profile->epoch)
			ret->digest = digest_more(DIGEST_START, in.bytes.p, in.bytes.n);
		input_release(&in);
	}
	reading_end(q->observer, &reading);
}

void read_memory(struct file_read *ret, const struct memory_input *memory,
		 const struct load_options *q, const struct read_options *options,
		 struct diag *diag)
{
	struct input in;

	*ret = (struct file_read){ .unread = UNREAD_DAMAGED };
	if (!input_begin_memory(&in, memory->name, memory->bytes, INPUT_HEAD, q->max_input, NULL,
				diag))
		return;
	read_begun(ret, &in, q, options, diag);
	input_release(&in);
}

/* Reads individual samples once more, in intervals at whose ends the range begins and ends. */
static void read_in_intervals(struct file_read *ret, const char *path, struct time_range range,
			      const struct load_options *q, const struct read_options *options,
			      struct diag *diag)
{
	struct read_options with = *options;

	profile_free(ret->profile);
	with.build.interval = time_range_step(range);
	read_whole(ret, path, q, &with, diag);
}

/* Reads a part of a file, which is a run of its own. */
static void read_part(struct file_read *ret, const char *operand, const char *path,
		      struct time_range range, const struct load_options *q,
		      const struct read_options *options, struct diag *diag)
{
	struct diag_kept kept = { .n = 0 };
	struct diag first = { .emit = diag_keep, .ctx = &kept };

	read_whole(ret, path, q, options, &first);
	if (ret->profile != NULL && !profile_has_intervals(ret->profile)) {
		diag_kept_release(&kept);
		read_in_intervals(ret, path, range, q, options, diag);
	}
	diag_forward(&kept, diag);
	if (ret->profile == NULL)
		return;
	ret->profile->source = arena_str(ret->profile->arena, str_from(operand));
	if (!profile_keep_between(ret->profile, range, diag)) {
		profile_free(ret->profile);
		ret->profile = NULL;
	}
}

void read_file(struct file_read *ret, const char *path, const struct load_options *q,
	       const struct read_options *options, struct diag *diag)
{
	struct time_range range;
	char *file;

	if (!operand_names_part(path, &file, &range)) {
		read_whole(ret, path, q, options, diag);
		return;
	}
	read_part(ret, path, file, range, q, options, diag);
	free(file);
}
