/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf-sched: output of `perf sched timehist` and `perf sched latency`.
 *
 *	           time    cpu  task name                       wait time  sch delay   run time
 *	                        [tid/pid]                          (msec)     (msec)     (msec)
 *	--------------- ------  ------------------------------  ---------  ---------  ---------
 *	    1980.100655 [0000]  migration/0[18]                     0.000      0.006      0.022
 *
 * Each row is one stretch of running, which gives a time in each of three layers.  Operations are
 * the names of tasks: their numbers differ from run to run, and perf may not know them.  Idle tasks
 * are left out, and so is 0.000, which perf prints if a time is unknown or there was no wait. Lines
 * of --wakeups and --migrations, and the summary of -S, are ignored.
 * --show-prio has a priority before the times, "120" or "120->119".
 *
 *	  Task                  |   Runtime ms  |  Count   | Avg delay ms    | Max delay ms ...
 *	  ls:27758              |      3.124 ms |        2 | avg:   0.064 ms | max:   0.064 ms ...
 *
 * has no distribution: calls, totals and the longest delay of each task, in layers
 * `delay` and `runtime`.  The name is followed by the number of the task or of tasks of this name.
 * The total of delays is the printed mean times the switches, whose column is `Switches` in 6.1,
 * `Count` in 7.2.
 *
 * Versions seen: 6.1, 7.2.
 */

#include "base/scan.h"
#include "formats/statistics.h"
#include "formats/stream.h"
#include "formats/text.h"
#include "formats/tracing/kernel_events.h"

enum { WAIT, DELAY, RUN, N_TIMES };

static const struct str time_names[N_TIMES] = {
	[WAIT] = STR_INIT("wait time"),
	[DELAY] = STR_INIT("sch delay"),
	[RUN] = STR_INIT("run time"),
};

struct reader {
	struct stream stream;
	enum { OUTSIDE, IN_HISTORY, IN_LATENCY, IN_SUMMARY } state;
	bool priorities; /* of tasks, before the times */
};

static bool is_history_head(struct str s)
{
	return str_has_prefix(s, STR("time ")) && str_contains(s, STR(" cpu ")) &&
	       str_contains(s, STR("wait time")) && str_contains(s, STR("sch delay")) &&
	       str_contains(s, STR("run time"));
}

static bool is_latency_head(struct str s)
{
	return str_has_prefix(s, STR("Task ")) && str_contains(s, STR("|   Runtime ms")) &&
	       (str_contains(s, STR("| Switches |")) || str_contains(s, STR("|  Count   |")));
}

static bool is_any_head(struct str line)
{
	return is_history_head(line) || is_latency_head(line);
}

/* --- timehist ------------------------------------------------------------------- */

/* Reads three numbers; a call chain, a state or nothing may follow. */
static bool scan_times(struct cursor *c, struct str *ret_time)
{
	for (size_t i = 0; i < N_TIMES; i++) {
		struct decimal ignored;

		if (!scan_word(c, &ret_time[i]) || !decimal_parse(ret_time[i], &ignored) ||
		    ignored.billionths < 0)
			return false;
	}
	return true;
}

/* Returns the name of a task without its numbers, "dd[209]" and "dd[209/200]". */
static struct str without_numbers(struct str task)
{
	size_t at = str_find_last(task, STR("["));

	return at < task.n && at > 0 ? str_trim((struct str){ task.p, at }) : str_trim(task);
}

/* Finds the times after the task's name, which may contain blanks: "kworker/0:1H-kb[58]   0.1 0.2
 * 0.3". */
static bool find_times(const struct reader *r, struct str row, struct str *ret_task,
		       struct str *ret_time)
{
	struct str task, priority, rest = row;
	size_t n;

	while (str_cut(rest, ']', &task, &rest)) {
		struct cursor c = cursor_at(r->stream.lines.in, rest);

		*ret_task = without_numbers((struct str){ row.p, (size_t)(rest.p - row.p) - 1 });
		if ((!r->priorities || scan_word(&c, &priority)) && scan_times(&c, ret_time))
			return true;
	}
	/* perf does not know the number of a task that has ended. */
	for (n = 1; n < row.n; n++) {
		struct cursor c = cursor_at(r->stream.lines.in, str_skip(row, n));

		*ret_task = str_trim((struct str){ row.p, n });
		if (is_gap(row.p[n]) && !is_gap(row.p[n - 1]) &&
		    (!r->priorities || scan_word(&c, &priority)) && scan_times(&c, ret_time))
			return true;
	}
	return false;
}

static bool add_time(struct reader *r, struct str layer, struct str task, struct str ms,
		     struct decimal at)
{
	struct sample sample = {
		.layer = layer, .name = task, .start = at, .timed = true, .where = ms
	};
	struct decimal parsed;

	if (!decimal_parse(ms, &parsed) || !decimal_times(parsed, 1000000, &sample.latency))
		return lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, ms, "expected milliseconds");
	if (parsed.billionths == 0) {
		r->stream.lines.left_out++;
		return true;
	}
	return samples_add(&r->stream.lines.samples, &sample, ms, ms);
}

/* Returns whether the row is a drawing of -V, or another event that has no times. */
static bool is_other_row(struct str rest)
{
	return str_contains(rest, STR("<idle>")) || str_contains(rest, STR("awakened:")) ||
	       str_contains(rest, STR("migrated:"));
}

static bool read_stretch(struct reader *r, struct str s)
{
	struct str time, cpu, rest, task, ms[N_TIMES];
	struct cursor c = cursor_at(r->stream.lines.in, s);
	struct decimal seconds, at;

	if (!scan_word(&c, &time) || !decimal_parse(time, &seconds) ||
	    !decimal_times(seconds, 1000000000, &at) || !scan_word(&c, &cpu) ||
	    !str_has_prefix(cpu, STR("[")))
		return lines_fail(&r->stream.lines, DIAG_LINE_UNEXPECTED, s,
				  "expected TIME [CPU] TASK[TID] and three times");
	rest = cursor_rest(&c);
	if (is_other_row(rest))
		return true;
	if (!find_times(r, str_trim(rest), &task, ms) || r->stream.lines.cut)
		return lines_fail(&r->stream.lines, DIAG_LINE_UNEXPECTED, s,
				  "expected TIME [CPU] TASK[TID] and three times");
	for (size_t i = 0; i < N_TIMES; i++) {
		if (!add_time(r, time_names[i], task, ms[i], at))
			return false;
	}
	return true;
}

/* --- latency ---------------------------------------------------------------------- */

/* "max:   0.064 ms" in nanoseconds. */
static bool cell_ms(struct str cell, struct str key, struct decimal *ret)
{
	struct decimal ms;

	cell = str_trim(cell);
	if (!str_has_prefix(cell, key) || !str_has_suffix(cell, STR(" ms")))
		return false;
	cell = str_trim((struct str){ cell.p + key.n, cell.n - key.n - 3 });
	return decimal_parse(cell, &ms) && decimal_times(ms, 1000000, ret);
}

/* "dd:209" or, for tasks of the same name together, "dd:(3)". */
static struct str without_number(struct str task)
{
	size_t at = str_find_last(task, STR(":")), n = at + 1;
	bool together = n < task.n && task.p[n] == '(' && task.p[task.n - 1] == ')';

	for (n += together; n < task.n - together && is_digit(task.p[n]);)
		n++;
	if (at > 0 && at + 1 + together < n && n == task.n - together)
		task.n = at;
	return task;
}

static bool read_task(struct reader *r, struct str s)
{
	enum { TASK, RUNTIME, SWITCHES, MEAN, MAX, N_CELLS };
	struct str cell[N_CELLS], rest = s;
	struct decimal mean;
	struct statistics delay = { .layer = STR("delay"),
				    .unit = UNIT_NS,
				    .rounded = true,
				    .has_max = true },
			  runtime = { .layer = STR("runtime"), .unit = UNIT_NS };

	for (size_t i = 0; i < N_CELLS; i++) {
		if (!str_cut(rest, '|', &cell[i], &rest))
			return lines_fail(&r->stream.lines, DIAG_LINE_UNEXPECTED, s,
					  "expected a row of the table");
	}
	if (number_u64(str_trim(cell[SWITCHES]), &delay.count) != NUMBER_OK ||
	    !cell_ms(cell[RUNTIME], STR(""), &runtime.total) ||
	    !cell_ms(cell[MEAN], STR("avg:"), &mean) ||
	    !cell_ms(cell[MAX], STR("max:"), &delay.max) ||
	    !decimal_times(mean, delay.count, &delay.total))
		return lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, s,
				  "expected runtime, switches, avg: and max:");
	delay.count_at = delay.total_at = str_trim(cell[TASK]);
	delay.name = without_number(delay.count_at);
	runtime.name = delay.name;
	runtime.count_at = runtime.total_at = delay.count_at;
	runtime.count = delay.count;
	return statistics_push(&delay, r->stream.lines.to) &&
	       statistics_push(&runtime, r->stream.lines.to);
}

/* --- lines ------------------------------------------------------------------------- */

static bool perf_sched_line(void *reader)
{
	struct reader *r = reader;
	struct str s = r->stream.lines.text;
	if (s.n == 0 || str_has_prefix(s, STR("-----")))
		return true;
	if (is_history_head(s) || is_latency_head(s)) {
		r->state = is_history_head(s) ? IN_HISTORY : IN_LATENCY;
		r->priorities = str_contains(s, STR(" prio "));
		return true;
	}
	if (str_has_prefix(s, STR("Runtime summary")) || str_has_prefix(s, STR("Idle stats")) ||
	    str_has_prefix(s, STR("TOTAL:")))
		r->state = IN_SUMMARY;
	if (r->state == IN_HISTORY && !str_has_prefix(s, STR("[tid/pid]")))
		return read_stretch(r, s);
	if (r->state == IN_LATENCY)
		return read_task(r, s);
	return true;
}

const struct format format_perf_sched = {
	.name = "perf-sched",
	.title = "perf sched timehist, perf sched latency",
	.versions = "6.1, 7.2",
	.unit = "stated",
	.totals = "exact; of delays in latency: mean x switches",
	.has_line = is_any_head,
	.streams = true,
	.read = stream_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = perf_sched_line,
					     .sampling = &kernel_sampling_us,
					     .left_out = "times of 0.000, where nothing was waited "
							 "for or perf does not know" },
};
