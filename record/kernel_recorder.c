/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records in the kernel: runs bpftrace with collect/kernel.bt. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "formats/format.h"
#include "profile/names.h"
#include "profile/profile.h"
#include "record/kernel_recorder.h"
#include "record/recording.h"
#include "record/tracer.h"

static const struct {
	long number;
	const char *name;
} syscalls[] = {
#define SYSCALL(name) { SYS_##name, #name },
#include "collect/syscalls.inc"
#undef SYSCALL
};

static struct names *name_syscalls(struct out *list, struct input *in, struct diag *diag)
{
	for (size_t i = 0; i < COUNT_OF(syscalls); i++)
		out_printf(list, "%ld %s\n", syscalls[i].number, syscalls[i].name);
	input_borrow(in, "system calls", out_memory(list).p, out_memory(list).n);
	return names_read(in, diag);
}

/* States that block requests nest in system calls: they are traced only within these. */
static void state_nesting(struct profile *p)
{
	p->nest = arena_make(p->arena, struct nest, 1);
	p->nest[0] = (struct nest){ .upper = { .layer = STR(""), .name = STR("syscall") },
				    .lower = { .layer = STR(""), .name = STR("block") } };
	p->n_nests = 1;
}

static struct profile *read_printed(const struct traced *t, const char *name,
				    const struct recording *how, struct diag *diag)
{
	struct read_options options = { .build = { .unit = UNIT_NS,
						   .snapshots = SNAPSHOTS_DELTA,
						   .interval = how->interval } };
	struct out *list = out_to_memory();
	struct input numbers, in;
	struct names *names = name_syscalls(list, &numbers, diag);
	struct profile *p = NULL;

	if (names != NULL) {
		options.build.names = names;
		input_borrow(&in, name, t->text, t->n);
		p = format_read(format_by_name(STR("bpftrace")), &in, &options, diag);
		input_release(&in);
		if (p != NULL)
			state_nesting(p);
	}
	names_free(names);
	input_release(&numbers);
	out_free(list);
	return p;
}

/* With --interval, prints and clears every histogram. */
static const char *make_clause(char *clause, size_t room, double interval)
{
	if (interval <= 0)
		return NULL;
	(void)snprintf(clause, room,
		       "interval:us:%.0f { print(@syscall); clear(@syscall); "
		       "print(@syscall_total); clear(@syscall_total); print(@block); "
		       "clear(@block); print(@block_total); clear(@block_total); }\n",
		       interval * 1e6);
	return clause;
}

bool record_in_kernel(struct recorded *ret, char *const *argv, const struct recording *how,
		      struct diag *diag)
{
	char clause[300];
	struct held_signals held;
	const struct trace trace = {
		.argv = argv,
		.script = "kernel.bt",
		.more = make_clause(clause, sizeof(clause), how->interval),
		.held = &held,
	};
	struct traced traced = { .text = NULL };

	signals_hold(&held);
	if (trace_command(&traced, &trace, diag)) {
		ret->status = status_of(traced.status, argv[0], diag);
		ret->profile = read_printed(&traced, argv[0], how, diag);
	}
	signals_release(&held);
	free(traced.text);
	return ret->profile != NULL;
}
