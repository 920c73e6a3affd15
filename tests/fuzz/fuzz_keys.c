/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any keys, at any sizes, over any profiles: the browser stays within its screen.
 *
 * The first bytes choose the profiles, the others are keys and sizes.  Around the screen
 * lies an edge of cells that nobody may touch.
 */
#include <locale.h>
#include <stdlib.h>

#include "analyze/times.h"
#include "base/arena.h"
#include "base/out.h"
#include "formats/format.h"
#include "profile/merge.h"
#include "tests/fuzz/fuzz.h"
#include "tui/tui.h"

enum { MAX_OPERATIONS = 24, MAX_INTERVALS = 40, REPEATED = 3, HEAD = 8 };
static const uint32_t edge = 0x2588;

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* --- profiles ------------------------------------------------------------------------ */

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 11;
}

static void write_rows(struct out *o, uint64_t *state)
{
	uint64_t at = next(state) % 40;

	for (uint64_t n = next(state) % 12; n > 0; n--) {
		uint64_t count = next(state) >> next(state) % 53;

		out_printf(o, "%llu %llu\n", (unsigned long long)at, (unsigned long long)count);
		at += 1 + next(state) % 3;
	}
}

static void write_name(struct out *o, unsigned number)
{
	static const char *const names[] = { "read",
					     "\"\\x1b[2J\"",
					     "\"\"",
					     "a_very_long_name_of_an_operation_that_fits_nowhere",
					     "\u4e2d\u6587\u540d\u5b57",
					     "e\u0301\u0302\u0303\u0304" };

	if (number < COUNT_OF(names))
		out_printf(o, "op %s\n", names[number]);
	else
		out_printf(o, "op x%u\n", number);
}

static void write_operation(struct out *o, uint64_t *state, unsigned number)
{
	uint64_t intervals = next(state) % 3 == 0 ? next(state) % MAX_INTERVALS : 0;

	if (next(state) % 3 == 0)
		out_printf(o, "layer %s\n", next(state) % 2 == 0 ? "fs" : "block");
	write_name(o, number);
	if (number % 8 == 5) /* the same on every side */
		out_text(o, "unit plain\n");
	if (next(state) % 8 == 0)
		out_text(o, "buckets log2 3\n");
	if (intervals == 0)
		write_rows(o, state);
	for (uint64_t k = 0; k < intervals; k++) {
		out_printf(o, "interval %llu %llu\n", (unsigned long long)k,
			   (unsigned long long)k + 1);
		write_rows(o, state);
	}
}

/* A run; of repeated ones the same operations. */
static struct profile *make_profile(uint64_t seed, uint64_t salt)
{
	struct diag diag = { .emit = NULL };
	struct read_options options = { 0 };
	struct out *o = out_to_memory();
	uint64_t state = (seed << 8 | salt) * 0x9e3779b97f4a7c15ULL + 1;
	struct profile *p;
	struct input in;

	out_text(o, "osprof 1\nunit ns\n");
	for (uint64_t k = 0, n = 1 + seed % MAX_OPERATIONS; k < n; k++)
		write_operation(o, &state, (unsigned)k);
	input_borrow(&in, "fuzz", out_memory(o).p, out_memory(o).n);
	p = format_read(format_by_name(STR("osprof")), &in, &options, &diag);
	input_release(&in);
	out_free(o);
	require(p != NULL);
	return p;
}

/* --- what is browsed -------------------------------------------------------------------- */

struct world {
	struct arena *arena;
	struct profile *run[N_SIDES][REPEATED], *whole[N_SIDES];
	struct ranking ranking;
	struct comparison comparison;
	struct known_times times;
	struct annotations *annotations;
};

static char name_of_file[] = "a/b";
static char *files[REPEATED] = { name_of_file, name_of_file, name_of_file };

static struct run run_of(struct world *w, int side, size_t n)
{
	return (struct run){ .path = side == SIDE_BEFORE ? "before" : "after",
			     .profile = w->whole[side],
			     .totals = totals_of(w->whole[side]),
			     .n_runs = n,
			     .file = files,
			     .representative = files[0] };
}

static void make_side(struct world *w, int side, uint64_t seed, size_t n)
{
	struct diag diag = { .emit = NULL };

	for (size_t i = 0; i < n; i++)
		w->run[side][i] = make_profile(seed, i + (side == SIDE_AFTER ? 100 : 0));
	w->whole[side] = w->run[side][0];
	if (n > 1)
		w->whole[side] =
			profile_merge((const struct profile *const *)w->run[side], n, &diag);
	/* Sums past 64 bits cannot be added up: then there is one run. */
	if (w->whole[side] == NULL)
		w->whole[side] = w->run[side][0];
}

static void compare(struct world *w, struct browsed *b, size_t n)
{
	struct rank_side before = { w->whole[0], b->before.totals, n },
			 after = { w->whole[1], b->after.totals, n };
	struct diag diag = { .emit = NULL };

	if (!rank(w->arena, &before, &after, &rank_rules_default, &w->ranking, &diag))
		abort();
	w->comparison = (struct comparison){ .before = b->before,
					     .after = b->after,
					     .ranking = &w->ranking,
					     .rules = &rank_rules_default };
	b->comparison = &w->comparison;
}

static struct browsed make_world(struct world *w, uint64_t seed, bool two, bool repeated)
{
	struct browsed b = { .times = &w->times, .command = "before after" };
	size_t n = repeated ? REPEATED : 1;

	*w = (struct world){ .arena = arena_new(), .annotations = annotations_new() };
	w->times = times_built_in(w->arena);
	b.annotations = w->annotations;
	make_side(w, SIDE_BEFORE, seed, n);
	b.before = run_of(w, SIDE_BEFORE, n);
	b.runs_before = (struct runs_side){ (const struct profile *const *)w->run[0],
					    repeated ? n : 0, false };
	if (two) {
		make_side(w, SIDE_AFTER, seed, n);
		b.after = run_of(w, SIDE_AFTER, n);
		b.runs_after = (struct runs_side){ (const struct profile *const *)w->run[1],
						   repeated ? n : 0, false };
		compare(w, &b, n);
	}
	return b;
}

static void end_world(struct world *w)
{
	for (int side = 0; side < N_SIDES; side++) {
		if (w->whole[side] != w->run[side][0])
			profile_free(w->whole[side]);
		for (size_t i = 0; i < REPEATED; i++)
			profile_free(w->run[side][i]);
	}
	annotations_free(w->annotations);
	arena_free(w->arena);
}

/* --- keys and screens ----------------------------------------------------------------------- */

static bool take(void *ctx, const char *path, struct str text, struct out *why)
{
	(void)ctx;
	(void)path;
	out_text(why, "no");
	return text.n % 2 == 0;
}

static bool keep(void *ctx, const struct annotations *r, struct out *why)
{
	(void)ctx;
	annotations_write(r, why);
	return true;
}

/* Draws into the middle of a larger canvas and looks at its edge. */
static void draw(struct tui *t, unsigned rows, unsigned cols, const struct glyphs *glyphs)
{
	struct canvas whole, middle;

	canvas_init(&whole, rows + 2, cols + 2, glyphs);
	for (unsigned row = 0; row < whole.rows; row++)
		canvas_fill(&whole, row, 0, whole.cols, FACE_KEY, edge);
	middle = canvas_part(&whole, 1, 1, rows, cols);
	tui_fit(t, rows, cols);
	(void)tui_draw(t, &middle);
	for (unsigned row = 0; row < whole.rows; row++) {
		for (unsigned col = 0; col < whole.cols; col++) {
			const struct cell *at = &whole.cell[(size_t)row * whole.stride + col];
			bool outside = row == 0 || col == 0 || row > rows || col > cols;

			require(!outside || (at->code[0] == edge && at->face == FACE_KEY));
			require(at->face < N_FACES);
		}
	}
	canvas_release(&whole);
}

static keycode key_of(uint8_t byte)
{
	static const keycode special[] = { KEYCODE_UP,	  KEYCODE_DOWN,	     KEYCODE_LEFT,
					   KEYCODE_RIGHT, KEYCODE_PAGE_UP,   KEYCODE_PAGE_DOWN,
					   KEYCODE_HOME,  KEYCODE_END,	     KEYCODE_DELETE,
					   KEYCODE_F1,	  KEYCODE_ENTER,     KEYCODE_ESCAPE,
					   KEYCODE_NONE,  KEYCODE_BACKSPACE, 0x4e2d,
					   0x301 };

	return byte < 128 ? byte : special[byte % COUNT_OF(special)];
}

static void play(struct tui *t, const uint8_t *data, size_t size, const struct glyphs *glyphs)
{
	unsigned rows = 24, cols = 80;

	for (size_t i = 0; i < size; i++) {
		if (data[i] >= 0xf0 && i + 2 < size) {
			rows = data[i + 1] % 101;
			cols = data[i + 2] + data[i + 2] / 4;
			i += 2;
		} else if (data[i] >= 0xe8) {
			tui_click(t, data[i] * 7 % 40, data[i] * 13 % 160);
		} else if (!tui_key(t, key_of(data[i]))) {
			return;
		}
		draw(t, rows, cols, glyphs);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tui_host host = { .save = take, .keep_annotations = keep };
	const struct glyphs *glyphs;
	struct browsed browsed;
	struct world w;
	struct tui *t;

	if (size < HEAD)
		return 0;
	(void)setlocale(LC_CTYPE, "C.UTF-8");
	glyphs = data[0] % 2 == 0 ? &glyphs_unicode : &glyphs_ascii;
	browsed = make_world(&w, data[1] | (uint64_t)data[2] << 8, data[3] % 4 != 0,
			     data[4] % 3 == 0);
	t = tui_new(&browsed, &host, glyphs);
	play(t, data + HEAD, size - HEAD, glyphs);
	tui_free(t);
	end_world(&w);
	return 0;
}
