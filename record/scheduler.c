/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/scheduler.h"

#include <math.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/input/input.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "base/scan.h"
#include "profile/quantity.h"

enum { LARGEST = 16 << 20 };

static bool open_below(struct arena *a, struct input *ret, const char *root, const char *path,
		       const char *release)
{
	struct diag silent = { .emit = NULL };

	return input_open(ret, arena_printf(a, "%s%s%s", root, path, release).p, LARGEST, &silent);
}

/* Returns the number after `key` and a ':' or '='; the first number if key is empty; 0: none. */
static double number_after(struct input *in, struct str key)
{
	struct cursor c = cursor_on(in), line;
	double v = 0;

	while (scan_line(&c, &line)) {
		scan_blanks(&line);
		if (!scan_literal(&line, key))
			continue;
		scan_blanks(&line);
		if (key.n > 0 && !scan_char(&line, ':') && !scan_char(&line, '='))
			continue;
		scan_blanks(&line);
		if (scan_f64(&line, &v) && v > 0 && isfinite(v))
			return v;
	}
	return 0;
}

struct setting_source {
	const char *path, *key;
	double unit;	 /* seconds */
	bool by_release; /* the name of the kernel is appended to the path */
};

/* Returns the setting from the first of n files that has it, in seconds; 0: none. */
static double first_of(struct arena *a, const char *root, const char *release,
		       const struct setting_source *setting_source, size_t n)
{
	double v = 0;

	for (size_t i = 0; i < n && v == 0; i++) {
		struct input in;

		if (!open_below(a, &in, root, setting_source[i].path,
				setting_source[i].by_release ? release : ""))
			continue;
		v = number_after(&in, str_from(setting_source[i].key)) * setting_source[i].unit;
		input_release(&in);
	}
	return v;
}

struct scheduler_settings scheduler_read(struct arena *a, const char *root, const char *release)
{
	/* Every user can read the slice of the own process. `debug` can be read even if the
	 * kernel is locked down; its numbers are in ms. */
	static const struct setting_source slice[] = {
		{ "/proc/self/sched", "se.slice", 1e-9, false },
		{ "/sys/kernel/debug/sched/base_slice_ns", "", 1e-9, false },
		{ "/sys/kernel/debug/sched/debug", ".sysctl_sched_base_slice", 1e-3, false },
	};
	static const struct setting_source latency[] = {
		{ "/sys/kernel/debug/sched/latency_ns", "", 1e-9, false },
		{ "/proc/sys/kernel/sched_latency_ns", "", 1e-9, false },
	};
	static const struct setting_source granularity[] = {
		{ "/sys/kernel/debug/sched/min_granularity_ns", "", 1e-9, false },
		{ "/proc/sys/kernel/sched_min_granularity_ns", "", 1e-9, false },
	};
	static const struct setting_source tick[] = {
		{ "/proc/config.gz", "CONFIG_HZ", 1, false },
		{ "/boot/config-", "CONFIG_HZ", 1, true },
	};
	double hz = first_of(a, root, release, tick, COUNT_OF(tick));

	return (struct scheduler_settings){
		.slice = first_of(a, root, release, slice, COUNT_OF(slice)),
		.latency = first_of(a, root, release, latency, COUNT_OF(latency)),
		.granularity = first_of(a, root, release, granularity, COUNT_OF(granularity)),
		.tick = hz > 0 ? 1 / hz : 0,
	};
}

static void add_words(struct out *o, const char *name, double seconds)
{
	if (seconds <= 0)
		return;
	out_printf(o, "%s%s ", out_memory(o).n > 0 ? ", " : "", name);
	quantity_latency(o, seconds, (struct scale){ .unit = UNIT_S });
}

struct str scheduler_words(struct arena *a, const struct scheduler_settings *s)
{
	struct out *o = out_to_memory();
	struct str words;

	add_words(o, "slice", s->slice);
	add_words(o, "latency", s->latency);
	add_words(o, "granularity", s->granularity);
	add_words(o, "tick", s->tick);
	words = arena_str(a, out_memory(o));
	out_free(o);
	return words;
}
