/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/kernel_text.h"

#include "base/scan.h"

/* --- times ------------------------------------------------------------------- */

static bool parse_time(struct str s, struct decimal *ret_ns, size_t *ret_digits)
{
	struct decimal seconds;
	struct str whole, fraction;

	if (!str_cut(s, '.', &whole, &fraction) || whole.n == 0 || whole.n > 12 ||
	    (fraction.n != 6 && fraction.n != 9) || s.p[0] == '-' ||
	    number_decimal(s, &seconds) != NUMBER_OK)
		return false;
	*ret_digits = fraction.n;
	return decimal_times(seconds, 1000000000, ret_ns);
}

bool kernel_split(struct str line, size_t *at, struct decimal *ret_ns, size_t *ret_digits,
		  struct str *ret_front, struct str *ret_back)
{
	for (;;) {
		size_t end = *at + str_find(str_skip(line, *at), STR(": ")), from = end;

		if (end >= line.n)
			return false;
		while (from > *at && line.p[from - 1] != ' ' && line.p[from - 1] != '\t')
			from--;
		*at = end + 2;
		if (!parse_time((struct str){ line.p + from, end - from }, ret_ns, ret_digits))
			continue;
		*ret_front = (struct str){ line.p, from };
		*ret_back = str_skip(line, end + 1);
		return true;
	}
}

/* --- fields -------------------------------------------------------------------- */

/* "NR 12 (0, 7ffd23fd151c)", "NR 12 = 0" */
static struct str syscall_number(const struct kernel_event *e)
{
	struct str rest = str_trim(e->fields), number;

	if (!str_has_prefix(rest, STR("NR ")))
		return STR("");
	rest = str_trim(str_skip(rest, 3));
	number = (struct str){ rest.p, str_find(rest, STR(" ")) };
	return number;
}

/* "254,0 RA 4096 () 12551928 + 8 ..." */
static bool parse_request(const struct kernel_event *e, struct input *in,
			  struct kernel_request *ret)
{
	struct cursor c = cursor_at(in, str_trim(e->fields));
	uint64_t major, minor;

	if (!scan_u64(&c, &major) || !scan_char(&c, ',') || !scan_u64(&c, &minor) ||
	    !scan_word(&c, &ret->kind) || !scan_past(&c, STR(") ")) ||
	    !scan_u64(&c, &ret->sector) || !scan_literal(&c, STR(" + ")))
		return false;
	ret->device = major << 32 | (minor & UINT32_MAX);
	return true;
}

/* Returns what follows the key, up to a blank or bracket: "irq=36 name=virtio1-req.0". */
static struct str value_of(struct str fields, struct str key)
{
	struct str value = str_skip(fields, str_find(fields, key) + key.n);

	value.n = str_find(value, STR("]"));
	value.n = str_find(value, STR(")"));
	value.n = str_find(value, STR(" "));
	return value;
}

/* Returns the number after the last `key`; before it is a task's name, which may contain
 * anything. */
static bool number_after(struct input *in, struct str s, struct str key, uint64_t *ret)
{
	size_t at = str_find_last(s, key);
	struct cursor c = cursor_at(in, str_skip(s, at + key.n));

	return at < s.n && scan_u64(&c, ret);
}

/* Parses "bash:3164 [120] S", as libtraceevent's plugin prints it. */
static bool short_task(struct input *in, struct str s, uint64_t *ret_tid, struct str *ret_rest)
{
	size_t bracket = str_find_last(s, STR(" ["));
	struct str before = { s.p, bracket };
	struct str rest = str_skip(s, bracket);

	*ret_rest = str_trim(str_skip(rest, str_find(rest, STR("]")) + 1));
	return bracket < s.n && number_after(in, before, STR(":"), ret_tid);
}

/* "prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 ..." */
static bool parse_change(const struct kernel_event *e, struct input *in, struct kernel_switch *ret)
{
	struct str fields = e->fields;
	size_t arrow = str_find_last(fields, STR(" ==> "));
	struct str before = { fields.p, arrow }, after = str_skip(fields, arrow + 5), state;
	size_t at = str_find_last(before, STR(" prev_state="));

	if (arrow == fields.n)
		return false;
	if (at < before.n) {
		state = str_skip(before, at + sizeof(" prev_state=") - 1);
		if (!number_after(in, before, STR(" prev_pid="), &ret->out) ||
		    !number_after(in, after, STR(" next_pid="), &ret->in))
			return false;
	} else if (!short_task(in, before, &ret->out, &state) ||
		   !short_task(in, after, &ret->in, &(struct str){ NULL, 0 })) {
		return false;
	}
	ret->preempted = str_has_prefix(state, STR("R"));
	return true;
}

static bool parse_woken(const struct kernel_event *e, struct input *in, uint64_t *ret_tid)
{
	struct str rest;

	return number_after(in, e->fields, STR(" pid="), ret_tid) ||
	       short_task(in, e->fields, ret_tid, &rest);
}

static struct str irq_name(const struct kernel_event *e)
{
	return value_of(e->fields, STR("name="));
}

static struct str softirq_name(const struct kernel_event *e)
{
	return value_of(e->fields, STR("action="));
}

/* "reason EXIT_NPF rip 0x1000 info 100000014 1000" */
static struct str vm_exit_reason(const struct kernel_event *e)
{
	return value_of(e->fields, STR("reason "));
}

/* --- locks --------------------------------------------------------------------- */

/* Parses "SPIN|READ"; false when a flag is unknown here. */
static bool parse_flags(struct str s, uint64_t *ret)
{
	static const struct {
		struct str name;
		uint64_t flag;
	} flags[] = {
		{ STR_INIT("SPIN"), LOCK_SPIN },     { STR_INIT("READ"), LOCK_READ },
		{ STR_INIT("WRITE"), LOCK_WRITE },   { STR_INIT("RT"), LOCK_RT },
		{ STR_INIT("PERCPU"), LOCK_PERCPU }, { STR_INIT("MUTEX"), LOCK_MUTEX },
	};

	*ret = 0;
	while (s.n > 0) {
		struct str name = { s.p, str_find(s, STR("|")) };
		size_t i = 0;

		while (i < COUNT_OF(flags) && !str_eq(name, flags[i].name))
			i++;
		if (i == COUNT_OF(flags))
			return false;
		*ret |= flags[i].flag;
		s = str_skip(s, name.n + 1);
	}
	return true;
}

/* "0xffff888100c5b898 (flags=SPIN)" */
static bool parse_lock(const struct kernel_event *e, struct input *in, struct kernel_lock *ret)
{
	struct cursor c = cursor_at(in, e->fields);
	struct str printed = value_of(e->fields, STR("flags="));
	uint64_t flags;

	if (!scan_word(&c, &ret->lock))
		return false;
	ret->kind = parse_flags(printed, &flags) ? kernel_lock_kind(flags, printed) : printed;
	ret->again = str_has_suffix(printed, STR("MUTEX"));
	return true;
}

const struct kernel_event_format kernel_text = {
	.syscall = syscall_number,
	.irq = irq_name,
	.softirq = softirq_name,
	.vm_exit = vm_exit_reason,
	.request = parse_request,
	.change = parse_change,
	.woken = parse_woken,
	.lock = parse_lock,
};
