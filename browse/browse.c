/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "browse/browse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "base/outfile.h"
#include "base/xalloc.h"
#include "browse/causes.h"
#include "browse/figure.h"
#include "browse/load.h"
#include "browse/values.h"
#include "browse/watch.h"
#include "load/sidecar.h"
#include "program/environment.h"
#include "program/messages.h"
#include "program/progress.h"
#include "tui/config.h"
#include "tui/terminal.h"

/* The state of the browser's host. */
struct browsing {
	const struct settings *settings;
	struct opened *opened, *outdated; /* outdated: kept until nothing borrows from it */
	struct config config;
	struct browse_watch *watch; /* NULL: not --watch */
	struct opening next;	    /* the loading of newer intervals */
	bool opening;		    /* `next` is in progress */
	bool asked, shown_at_once;  /* a key asked for other intervals; for those in `next` */
	double looked, pressed;	    /* times of the last search for intervals and the last key */
	FILE *keys;		    /* standard input, or /dev/tty if that is not a terminal */
};

/* --- callbacks of the browser -------------------------------------------------------------- */

/* Keeps the first error, as text on one line. */
static void keep_reason(void *ctx, const struct diag_msg *msg)
{
	struct out *why = ctx;

	if (msg->severity != SEV_ERROR || out_memory(why).n > 0)
		return;
	if (msg->code == DIAG_OUTPUT_EXISTS)
		out_text(why, "there is such a file already, or its script; choose another name");
	else
		out_printf(why, "%s: %s", diag_text(msg->code), msg->detail);
}

static bool save(void *ctx, const char *path, struct str text, struct out *why)
{
	struct diag diag = { .emit = keep_reason, .ctx = why };
	struct outfile f;

	(void)ctx;
	if (!outfile_open(&f, path, false, NULL, &diag))
		return false;
	out_bytes(f.out, text);
	return outfile_commit(&f, &diag);
}

static bool figure(void *ctx, const struct item *i, const char *path, struct out *why)
{
	struct diag diag = { .emit = keep_reason, .ctx = why };
	struct browsing *b = ctx;

	return browse_figure(b->opened, item_operation(i), path, &diag);
}

static bool trees(void *ctx, const struct item *i, struct call_tree **ret,
		  struct call_tree **ret_before, struct out *why)
{
	struct diag diag = { .emit = keep_reason, .ctx = why };
	struct browsing *b = ctx;

	return browse_trees(b->settings, i, ret, ret_before, &diag);
}

static struct profile *functions(void *ctx)
{
	struct browsing *b = ctx;

	return browse_functions(b->settings);
}

static bool values(void *ctx, struct value_study **ret, struct out *why)
{
	struct diag diag = { .emit = keep_reason, .ctx = why };
	struct browsing *b = ctx;

	return browse_values(b->settings, ret, &diag);
}

static bool keep_annotations(void *ctx, const struct annotations *r, struct out *why)
{
	struct diag diag = { .emit = keep_reason, .ctx = why };
	struct browsing *b = ctx;

	if (opened_sidecar(b->opened) == NULL) {
		out_text(why, "standard input has no file to keep annotations in: they end with "
			      "this session");
		return false;
	}
	return sidecar_save(opened_sidecar(b->opened), r, &diag);
}

static bool has_changed(void *ctx)
{
	struct browsing *b = ctx;

	return b->watch == NULL && opened_is_stale(b->opened);
}

static bool reload(void *ctx, struct browsed *ret, struct messages *log)
{
	struct browsing *b = ctx;
	struct opening again = b->next;
	struct opened *fresh;

	if (!b->opening)
		opening_start(&again, b->settings);
	b->opening = false;
	fresh = opening_finish(&again);
	for (size_t i = 0; i < again.messages.n; i++)
		messages_add(log, again.messages.v[i].severity, str_from(again.messages.v[i].text));
	messages_release(&again.messages);
	if (fresh == NULL)
		return false;
	b->settings = again.settings;
	if (b->watch != NULL)
		browse_watch_use(b->watch, b->settings);
	b->outdated = b->opened;
	b->opened = fresh;
	*ret = opened_browsed(fresh, b->settings);
	return true;
}

static void settled(void *ctx)
{
	struct browsing *b = ctx;

	opened_free(b->outdated);
	b->outdated = NULL;
}

static bool copy(void *ctx, struct str text, struct out *why)
{
	const char *tmux = getenv("TMUX");

	(void)ctx;
	if (terminal_copy(text, tmux != NULL && tmux[0] != '\0'))
		return true;
	out_text(why, "too long for the clipboard; w writes it to a file");
	return false;
}

static void choose_intervals(void *ctx, enum tui_follow what, struct out *say)
{
	struct browsing *b = ctx;

	switch (what) {
	case TUI_FOLLOW_PAUSE:
		browse_watch_pause(b->watch);
		break;
	case TUI_FOLLOW_EARLIER:
	case TUI_FOLLOW_LATER:
		browse_watch_step(b->watch, what == TUI_FOLLOW_EARLIER ? -1 : 1);
		break;
	default:
		browse_watch_widen(b->watch, what == TUI_FOLLOW_FEWER ? -1 : 1);
	}
	b->asked = true;
	out_text(say, "other intervals are being read");
}

static void suspend(void *ctx)
{
	(void)ctx;
	terminal_suspend();
}

static void redraw(void *ctx)
{
	(void)ctx;
	terminal_redraw();
}

static void mouse(void *ctx, bool on)
{
	(void)ctx;
	terminal_mouse(on);
}

/* --- the loop ---------------------------------------------------------------------------- */

static void show_canvas(struct tui *t, struct canvas *c, const struct glyphs *glyphs)
{
	unsigned rows, cols;
	struct screen_position cursor;

	terminal_size(&rows, &cols);
	if (rows != c->rows || cols != c->cols) {
		canvas_release(c);
		canvas_init(c, rows, cols, glyphs);
	}
	tui_fit(t, rows, cols);
	cursor = tui_draw(t, c);
	terminal_show(c, cursor);
}

enum { IDLE_MS = 1000, WATCHING_MS = 250, ASKED_MS = 20 };

/* Loads newer intervals in the background, and shows them once no key was pressed for a while, so
 * that the screen does not change while the user works on it. */
static void follow_watch(struct browsing *b, struct tui *t)
{
	static const double settled_after = 3, look_every = 1;
	const struct settings *newer;
	struct watch_line line;

	while ((line = browse_watch_line(b->watch)).text.n > 0)
		tui_say(t, line.severity, "%.*s", STR_ARG(line.text));
	if (b->opening) {
		if (opening_wait(&b->next, 0) &&
		    (b->shown_at_once || b->asked ||
		     clock_monotonic() - b->pressed >= settled_after)) {
			b->shown_at_once = false;
			if (tui_reload(t))
				tui_say(t, SEV_NOTE, "%s", browse_watch_title(b->watch));
		}
		return;
	}
	if (!b->asked && clock_monotonic() - b->looked < look_every)
		return;
	b->looked = clock_monotonic();
	newer = browse_watch_next(b->watch);
	b->shown_at_once = b->asked;
	b->asked = false;
	if (newer == NULL && b->shown_at_once)
		tui_say(t, SEV_NOTE, "there is no such interval: %s", browse_watch_title(b->watch));
	b->opening = newer != NULL;
	if (b->opening)
		opening_start(&b->next, newer);
}

static void show_status(struct browsing *b, struct tui *t)
{
	struct out *o = out_to_memory();

	browse_watch_status(b->watch, o);
	tui_set_status(t, out_memory(o));
	out_free(o);
}

/* Waits for a key, and prepares views meanwhile. */
static keycode next_key(struct tui *t, int wait_ms)
{
	keycode key = terminal_key(0);

	while (key == KEYCODE_NONE && tui_prepare(t))
		key = terminal_key(0);
	return key != KEYCODE_NONE ? key : terminal_key(wait_ms);
}

static void key_loop(struct browsing *b, struct tui *t, const struct glyphs *glyphs)
{
	struct canvas c;
	keycode key;
	bool alive = true;

	canvas_init(&c, 0, 0, glyphs);
	while (alive) {
		if (b->watch != NULL)
			show_status(b, t);
		show_canvas(t, &c, glyphs);
		key = next_key(t, b->asked || b->shown_at_once ? ASKED_MS
				  : b->watch != NULL	       ? WATCHING_MS
							       : IDLE_MS);
		if (key != KEYCODE_NONE)
			b->pressed = clock_monotonic();
		else if (b->watch != NULL)
			follow_watch(b, t);
		if (key == KEYCODE_CLICK)
			tui_click(t, terminal_clicked().row, terminal_clicked().col);
		else if (key == KEYCODE_NONE)
			tui_idle(t);
		else
			alive = tui_key(t, key);
	}
	canvas_release(&c);
}

/* --- loading ----------------------------------------------------------------------------- */

static void draw_progress(const struct glyphs *glyphs, const struct settings *s, int seconds)
{
	struct out *o = out_to_memory();
	struct canvas c;
	unsigned rows, cols;

	terminal_size(&rows, &cols);
	canvas_init(&c, rows, cols, glyphs);
	progress_write(s->progress, o, cols);
	if (out_memory(o).n > 0)
		canvas_printf(&c, 0, 1, FACE_STRONG, "reading %.*s ... %d s",
			      STR_ARG(out_memory(o)), seconds);
	else
		canvas_printf(&c, 0, 1, FACE_STRONG, "comparing ... %d s", seconds);
	out_free(o);
	canvas_text(&c, 1, 1, FACE_DIM, STR("q gives up"));
	terminal_show(&c, (struct screen_position){ 0 });
	canvas_release(&c);
}

enum { QUIET_MS = 300, STEP_MS = 100, STEPS_A_SECOND = 10 };

/* Shows the progress until loading is done; false when the user gave up. */
static bool wait_for(struct opening *o, const struct glyphs *glyphs)
{
	for (int step = 0; !opening_wait(o, 1); step++) {
		keycode key;

		draw_progress(glyphs, o->settings, step / STEPS_A_SECOND);
		key = terminal_key(STEP_MS);
		if (key == 'q' || key == KEYCODE_ESCAPE || key == KEYCODE_GONE)
			return false;
	}
	return true;
}

/* --- opening and closing ----------------------------------------------------------------- */

bool browse_has_terminal(void)
{
	const char *term = getenv("TERM");

	if (!isatty(STDOUT_FILENO) || term == NULL || strcmp(term, "dumb") == 0)
		return false;
	return isatty(STDIN_FILENO) || access("/dev/tty", R_OK) == 0;
}

/* Returns "$XDG_CONFIG_HOME/osprof/browser.conf", or the same below ~/.config; on the heap. */
static char *config_path(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	bool has_xdg = xdg != NULL && xdg[0] == '/';
	const char *base = has_xdg ? xdg : home;
	size_t room;
	char *path;

	if (base == NULL || base[0] == '\0')
		return NULL;
	room = strlen(base) + 64;
	path = xcalloc(room, 1);
	(void)snprintf(path, room, "%s%s/osprof/browser.conf", base, has_xdg ? "" : "/.config");
	return path;
}

static bool load_config(struct config *c, const struct settings *s, struct diag *diag)
{
	char *path = config_path();
	struct input in;
	bool ok = true;

	config_init(c);
	if (path != NULL && access(path, F_OK) == 0) {
		ok = input_open(&in, path, s->options.load.max_input, diag);
		if (ok) {
			ok = config_read(c, &in, diag);
			input_release(&in);
		}
	}
	free(path);
	return ok;
}

static bool take_over_terminal(struct browsing *b, struct diag *diag)
{
	b->keys = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "r");
	if (b->keys != NULL && terminal_open(b->keys, stdout, wants_color(b->settings), &b->config))
		return true;
	diag_plain(diag, DIAG_TERMINAL_BAD,
		   "set TERM to the type of your terminal, or use osprof rank");
	return false;
}

static enum severity worst_of(const struct messages *m)
{
	enum severity worst = SEV_NOTE;

	for (size_t i = 0; i < m->n; i++)
		worst = m->v[i].severity > worst ? m->v[i].severity : worst;
	return worst;
}

static void run_browser(struct browsing *b, struct opening *o, const struct glyphs *glyphs)
{
	struct tui_host host = {
		.ctx = b,
		.save = save,
		.figure = figure,
		.trees = trees,
		.functions = functions,
		.values = values,
		.keep_annotations = keep_annotations,
		.has_changed = has_changed,
		.reload = reload,
		.settled = settled,
		.copy = copy,
		.follow = b->watch != NULL ? choose_intervals : NULL,
		.suspend = suspend,
		.redraw = redraw,
		.mouse = mouse,
	};
	struct browsed browsed = opened_browsed(b->opened, b->settings);
	struct tui *t = tui_new(&browsed, &host, glyphs);

	config_bind(&b->config, &t->keys);
	t->plot.band = !b->config.no_band;
	t->plot.linear = b->config.linear;
	t->mouse = b->config.mouse;
	terminal_mouse(t->mouse);
	t->messages = o->messages;
	o->messages = (struct messages){ 0 };
	/* Notes alone are shown only on request. */
	t->messages.fresh = t->messages.n > 0 && worst_of(&t->messages) > SEV_NOTE;
	key_loop(b, t, glyphs);
	tui_free(t);
	if (b->opening) {
		progress_cancel(b->next.settings->progress);
		opened_free(opening_finish(&b->next));
	}
}

static void print_messages(const struct messages *m)
{
	for (size_t i = 0; i < m->n; i++)
		(void)fprintf(stderr, "%s\n", m->v[i].text);
}

/* Shows what was loaded, or reports why it was not. `taken`: the terminal is already open. */
static enum exit_status show_opened(struct browsing *b, struct opening *o,
				    const struct glyphs *glyphs, bool taken, struct diag *diag)
{
	b->opened = opening_finish(o);
	if (b->opened != NULL && (taken || take_over_terminal(b, diag))) {
		run_browser(b, o, glyphs);
		terminal_close();
		opened_free(b->opened);
		return EXIT_OK;
	}
	terminal_close();
	print_messages(&o->messages);
	opened_free(b->opened);
	return EXIT_ERROR;
}

/* Waits until the first interval has ended. */
static bool wait_for_interval(struct browsing *b, const struct glyphs *glyphs, struct settings *ret,
			      struct diag *diag)
{
	const struct settings *first = browse_watch_next(b->watch);
	char said[200] = "";
	struct watch_line line;
	keycode key;

	while (first == NULL && !browse_watch_ended(b->watch)) {
		struct canvas c;
		unsigned rows, cols;

		while ((line = browse_watch_line(b->watch)).text.n > 0)
			(void)snprintf(said, sizeof(said), "%.*s", STR_ARG(line.text));
		terminal_size(&rows, &cols);
		canvas_init(&c, rows, cols, glyphs);
		canvas_text(&c, 0, 1, FACE_STRONG, STR("waiting for the first interval"));
		canvas_name(&c, 1, 1, FACE_DIM, cols > 2 ? cols - 2 : 0, str_from(said));
		canvas_text(&c, 2, 1, FACE_DIM, STR("q gives up"));
		terminal_show(&c, (struct screen_position){ 0 });
		canvas_release(&c);
		key = terminal_key(WATCHING_MS);
		if (key == 'q' || key == KEYCODE_ESCAPE || key == KEYCODE_GONE)
			break;
		first = browse_watch_next(b->watch);
	}
	if (first != NULL) {
		*ret = *first;
		return true;
	}
	terminal_close();
	diag_plain(diag, DIAG_RUNS_TOO_FEW, "no interval has ended%s%s",
		   said[0] != '\0' ? ": " : "", said);
	return false;
}

static void give_up(struct opening *o)
{
	terminal_close();
	(void)fprintf(stderr, "osprof-tui: given up while reading\n");
	progress_cancel(o->settings->progress);
	opened_free(opening_finish(o));
}

static enum exit_status open_and_show(struct browsing *b, const struct glyphs *glyphs, bool taken,
				      struct diag *diag)
{
	struct settings watched = *b->settings;
	enum exit_status status = EXIT_ERROR;
	struct opening o;

	watched.progress = progress_new(false);
	watched.options.load.observer = progress_observer(watched.progress);
	opening_start(&o, &watched);
	if (!opening_wait(&o, QUIET_MS))
		taken = taken || take_over_terminal(b, diag);
	if (taken && !wait_for(&o, glyphs))
		give_up(&o);
	else
		status = show_opened(b, &o, glyphs, taken, diag);
	messages_release(&o.messages);
	progress_free(watched.progress);
	return status;
}

enum exit_status browse(struct context *cx, const struct settings *s)
{
	struct browsing b = { .settings = s };
	const struct glyphs *glyphs = &glyphs_ascii;
	enum exit_status status = EXIT_ERROR;
	struct settings first;
	bool taken = false;

	if (!load_config(&b.config, s, cx->diag))
		return EXIT_ERROR;
	if (wants_unicode(s) && !b.config.ascii)
		glyphs = &glyphs_unicode;
	if (s->watch.n_watched > 0) {
		b.watch = browse_watch_new(s, cx->diag);
		taken = b.watch != NULL && take_over_terminal(&b, cx->diag);
		if (taken && wait_for_interval(&b, glyphs, &first, cx->diag)) {
			b.settings = &first;
			browse_watch_use(b.watch, NULL);
			status = open_and_show(&b, glyphs, true, cx->diag);
		}
		browse_watch_free(b.watch);
	} else {
		status = open_and_show(&b, glyphs, false, cx->diag);
	}
	config_release(&b.config);
	return status;
}

enum exit_status browse_as_table(struct context *cx, const struct settings *s)
{
	struct compared c;
	struct loaded l;

	if (s->options.load.separated || s->options.load.n_operands > 1) {
		if (!compare_runs(&c, &s->options.load, &s->options.compare, cx->diag))
			return EXIT_ERROR;
		c.comparison.show = s->options.show;
		c.comparison.show.all = true;
		report_rank(cx->out, &cx->style, &c.comparison);
		compared_release(&c);
		return EXIT_OK;
	}
	if (!load_run(&l, s->options.load.operand, s->options.load.n_operands, &s->options.load,
		      cx->diag))
		return EXIT_ERROR;
	report_show(cx->out, &cx->style, &l.run, 1,
		    s->options.show.quantiles_asked ? &s->options.show.quantiles : NULL);
	loaded_release(&l);
	return EXIT_OK;
}
