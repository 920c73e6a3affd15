/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classifies and parses lines of ftrace. */
#include <string.h>

#include "base/scan.h"
#include "formats/tracing/call_graph.h"
#include "formats/tracing/ftrace_read.h"
#include "formats/tracing/kernel_text.h"

/* "bash-3164" */
static bool parse_task(struct str task, uint64_t *ret)
{
	size_t dash = str_find_last(task, STR("-"));

	return dash < task.n && dash > 0 && number_u64(str_skip(task, dash + 1), ret) == NUMBER_OK;
}

/* Parses "bash-3164     0d..2. " of trace-cmd report -l: the processor, then four or five flags. */
static bool parse_latency_front(struct str front, struct kernel_event *ret)
{
	static const struct str flag = STR_INIT(".dDXbBnNpLhHszZ0123456789abcdef");
	size_t blank = str_find_last(str_trim(front), STR(" ")), digits = 0;
	struct str column = str_trim(str_skip(front, blank));

	while (digits < column.n && is_digit(column.p[digits]))
		digits++;
	for (size_t i = digits; i < column.n; i++) {
		if (memchr(flag.p, column.p[i], flag.n) == NULL)
			return false;
	}
	return column.n - digits >= 4 && column.n - digits <= 5 &&
	       number_u64((struct str){ column.p, digits }, &ret->cpu) == NUMBER_OK &&
	       parse_task(str_trim((struct str){ front.p, blank }), &ret->tid);
}

/* "bash-3164    ( 3164) [000] d..2. " */
static bool parse_front(struct str front, struct kernel_event *ret)
{
	size_t open = str_find_last(front, STR("["));
	struct str rest = str_skip(front, open + 1), cpu, flags, task;

	if (open == front.n)
		return parse_latency_front(front, ret);
	if (!str_cut(rest, ']', &cpu, &flags) || number_u64(cpu, &ret->cpu) != NUMBER_OK ||
	    str_contains(str_trim(flags), STR(" ")))
		return false;
	task = str_trim((struct str){ front.p, open });
	if (str_has_suffix(task, STR(")")))
		task = str_trim((struct str){ task.p, str_find_last(task, STR("(")) });
	return parse_task(task, &ret->tid);
}

/* Returns what follows the difference in "(+123)  sched_switch: ...", of trace-cmd report
 * --ts-diff. */
static struct str skip_difference(struct str back)
{
	size_t end = str_find(back, STR(")"));
	uint64_t n;

	if (!str_has_prefix(back, STR("(+")) || end >= back.n ||
	    number_u64((struct str){ back.p + 2, end - 2 }, &n) != NUMBER_OK)
		return back;
	return str_trim(str_skip(back, end + 1));
}

bool ftrace_event_line(struct str s, struct kernel_event *ret, size_t *ret_digits,
		       struct str *ret_back)
{
	struct str front;
	size_t at = 0;

	*ret = (struct kernel_event){ .tid = 0 };
	while (kernel_split(s, &at, &ret->at, ret_digits, &front, ret_back)) {
		*ret_back = skip_difference(str_trim(*ret_back));
		if (parse_front(front, ret))
			return true;
	}
	return false;
}

static bool parse_cpu(struct str s, uint64_t *ret_cpu, struct str *ret_rest)
{
	struct str number;

	if (!str_cut(s, ')', &number, ret_rest))
		return false;
	return number_u64(str_trim(number), ret_cpu) == NUMBER_OK;
}

bool ftrace_plain_graph_line(struct str s, struct graph_line *ret)
{
	struct str number, column, text;
	struct decimal ignored;

	if (!str_begins_with_digit(s) || !str_cut(s, ')', &number, &column) ||
	    number_u64(number, &ret->cpu) != NUMBER_OK || !str_cut(column, '|', &column, &text))
		return false;
	column = str_trim(column);
	if (column.n > 0 && !call_graph_duration(column, &ignored))
		return false;
	ret->time = ret->task = (struct str){ column.p, 0 };
	ret->duration = column;
	ret->text = str_trim(text);
	return true;
}

/* Columns before the duration also end with a bar; which there are depends on the tracer's
 * options. */
bool ftrace_graph_line(struct str s, struct graph_line *ret)
{
	struct str column, rest = s;
	struct decimal ignored;

	*ret = (struct graph_line){ .cpu = 0 };
	for (size_t i = 0; str_cut(rest, '|', &column, &rest); i++) {
		bool has_cpu = false;
		struct str after;

		column = str_trim(column);
		if (parse_cpu(column, &ret->cpu, &after)) {
			has_cpu = true;
			column = str_trim(after);
		}
		if (call_graph_duration(column, &ignored) ||
		    (column.n == 0 && (has_cpu || i > 0))) {
			ret->duration = column;
			ret->text = str_trim(rest);
			return true;
		}
		if (i == 0 && !has_cpu && decimal_parse(column, &ignored))
			ret->time = column;
		else if (ret->task.n == 0 && str_contains(column, STR("-")))
			ret->task = column;
		else if (str_contains(column, STR("(")) || column.n > 40)
			return false; /* ordinary text */
	}
	return false;
}
