/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tracing/ctf_kernel.h"

#include "base/scan.h"
#include "formats/tracing/ctf_line.h"

enum { HOST_SHIFT = 32 };

uint64_t ctf_of_host(uint64_t host, uint64_t n)
{
	return host << HOST_SHIFT | (n & UINT32_MAX);
}

/* Returns a thread of the event's host; idle threads stay 0. */
static bool thread_of(const struct kernel_event *e, struct str lttng, struct str perf,
		      uint64_t *ret)
{
	uint64_t tid;

	if (!ctf_number(e->group, lttng, &tid) && !ctf_number(e->group, perf, &tid))
		return false;
	*ret = tid == 0 ? 0 : ctf_of_host(e->host, tid);
	return true;
}

/* For a preempted thread, the bits for why it sleeps are 0; a bit above them may say that it was
 * preempted: 256 since 4.14, others before. */
static bool parse_change(const struct kernel_event *e, struct input *in, struct kernel_switch *ret)
{
	enum { WHY = 0xff };
	uint64_t state;

	(void)in;
	if (!thread_of(e, STR("prev_tid"), STR("prev_pid"), &ret->out) ||
	    !thread_of(e, STR("next_tid"), STR("next_pid"), &ret->in) ||
	    !ctf_number(e->group, STR("prev_state"), &state))
		return false;
	ret->preempted = (state & WHY) == 0;
	return true;
}

static bool parse_woken(const struct kernel_event *e, struct input *in, uint64_t *ret_tid)
{
	(void)in;
	return thread_of(e, STR("tid"), STR("pid"), ret_tid);
}

/* LTTng's flags; what the other bits mean depends on its version. */
static struct str kind_of(uint64_t flags)
{
	enum { WRITE = 1, DISCARD = 2, READ = 4, AHEAD = 8 };

	if (flags & DISCARD)
		return STR("D");
	if (flags & WRITE)
		return STR("W");
	if (flags & READ)
		return flags & AHEAD ? STR("RA") : STR("R");
	return STR("N");
}

static bool parse_request(const struct kernel_event *e, struct input *in,
			  struct kernel_request *ret)
{
	uint64_t device, flags;

	(void)in;
	if (!ctf_number(e->group, STR("dev"), &device) ||
	    !ctf_number(e->group, STR("sector"), &ret->sector))
		return false;
	ret->device = ctf_of_host(e->host, device);
	if (ctf_number(e->group, STR("rwbs"), &flags))
		ret->kind = kind_of(flags);
	else if (!ctf_text(e->group, STR("rwbs"), &ret->kind))
		ret->kind = STR("N");
	return true;
}

static struct str text_of(const struct kernel_event *e, struct str key)
{
	struct str text;

	return ctf_text(e->group, key, &text) ? text : STR("");
}

static struct str syscall_number(const struct kernel_event *e)
{
	return text_of(e, STR("id"));
}

static struct str irq_name(const struct kernel_event *e)
{
	return text_of(e, STR("name"));
}

static struct str softirq_name(const struct kernel_event *e)
{
	static const char *const names[] = { "HI",	 "TIMER",   "NET_TX", "NET_RX",	 "BLOCK",
					     "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };
	uint64_t number;

	if (ctf_number(e->group, STR("vec"), &number) && number < COUNT_OF(names))
		return str_from(names[number]);
	return text_of(e, STR("vec"));
}

static struct str vm_exit_reason(const struct kernel_event *e)
{
	return text_of(e, STR("exit_reason"));
}

static bool parse_lock(const struct kernel_event *e, struct input *in, struct kernel_lock *ret)
{
	uint64_t flags = 0;

	(void)in;
	*ret = (struct kernel_lock){ .again = false };
	if (!ctf_text(e->group, STR("lock_addr"), &ret->lock))
		return false;
	if (ctf_number(e->group, STR("flags"), &flags))
		ret->kind = kernel_lock_kind(flags, text_of(e, STR("flags")));
	ret->again = (flags & LOCK_MUTEX) != 0;
	return true;
}

const struct kernel_event_format kernel_ctf = {
	.syscall = syscall_number,
	.irq = irq_name,
	.softirq = softirq_name,
	.vm_exit = vm_exit_reason,
	.request = parse_request,
	.change = parse_change,
	.woken = parse_woken,
	.lock = parse_lock,
};
