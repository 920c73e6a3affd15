/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/time.h"

#include <math.h>

#include "base/arena.h"
#include "base/out.h"
#include "profile/profile.h"

/* Times since the run began are small, and are not moved, so that data files show them. */
struct time_frame time_frame_of(const struct profile *p, double from, double to)
{
	struct time_frame f = { .words = time_words_of(p, from, to) };

	if (f.words.kind == TIME_CLOCK || from > to - from)
		f.origin = from;
	f.from = from - f.origin;
	f.to = to - f.origin;
	return f;
}

static struct str words_of(struct arena *a, struct out *text)
{
	struct str s = arena_str(a, out_memory(text));

	out_free(text);
	return s;
}

static struct str label_of(struct arena *a, const struct time_frame *f)
{
	struct out *text;

	if (f->words.kind == TIME_NUMBER)
		return STR("interval");
	if (f->words.kind == TIME_ELAPSED)
		return STR("time since the start");
	text = out_to_memory();
	out_text(text, "time (UTC), ");
	time_print_date(text, f->origin);
	if (f->words.dated) {
		out_text(text, " to ");
		time_print_date(text, f->origin + f->to);
	}
	return words_of(a, text);
}

struct axis axis_of_time(struct arena *a, const struct time_frame *f, size_t n_ticks)
{
	double length = f->to > f->from ? f->to - f->from : 1;
	double step = time_step(f->words.kind, length, n_ticks);
	double first = ceil((f->origin + f->from) / step - 1e-9) * step;
	struct axis x = { .label = label_of(a, f),
			  .from = f->from,
			  .to = f->from + length,
			  .tick = arena_make(a, struct tick, n_ticks + 2) };

	for (size_t i = 0; i < n_ticks + 2; i++) {
		double at = first + (double)i * step;
		struct out *text = out_to_memory();

		if (at - f->origin > x.to + step * 1e-6) {
			out_free(text);
			break;
		}
		time_print_tick(text, f->words.kind, at, step);
		x.tick[x.n_ticks++] = (struct tick){ at - f->origin, words_of(a, text) };
	}
	return x;
}
