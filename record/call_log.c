/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/call_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "collect/calls.h"
#include "record/sites.h"

static const char *const call_names[] = {
#define OP(name)				    #name,
#define CALL(on, type, name, parameters, arguments) #name,
#define ALIAS(on, op, type, name, parameters, arguments)
#include "collect/calls.def"
#undef OP
#undef CALL
#undef ALIAS
};

const char *recorded_call_name(unsigned op)
{
	return call_names[op];
}

int recorded_call_number(struct str name)
{
	for (int i = 0; i < N_RECORDED; i++) {
		if (str_eq(name, str_from(call_names[i])))
			return i;
	}
	return -1;
}

static const char *const resource_names[] = {
#define RESOURCE(id, name) name,
	RESOURCES(RESOURCE)
#undef RESOURCE
};

/* --- reading ------------------------------------------------------------------------------- */

/* Checks a record, since programs share the memory and may have overwritten it. */
static bool is_sound(const struct call_record *c)
{
	return c->op < N_RECORDED && c->resource < N_RESOURCES;
}

static int by_start(const void *a, const void *b)
{
	const struct call_record *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static bool is_sorted(const struct call_log *l)
{
	for (size_t i = 1; i < l->n; i++) {
		if (by_start(&l->record[i - 1], &l->record[i]) > 0)
			return false;
	}
	return true;
}

static void sort_records(struct call_log *l)
{
	if (!is_sorted(l))
		qsort(l->record, l->n, sizeof(*l->record), by_start);
}

struct call_log *call_log_begin(const struct ring *r, uint64_t hz, uint64_t subtracted)
{
	struct call_log *l = xcalloc(1, sizeof(*l));

	*l = (struct call_log){ .ring = *r, .hz = hz, .subtracted = subtracted };
	l->next = __atomic_load_n(&r->head->claimed, __ATOMIC_ACQUIRE);
	return l;
}

static void keep_record(struct call_log *l, const struct call_record *c, size_t max)
{
	if (l->n == max) {
		l->lost++;
		return;
	}
	l->record = xgrow(l->record, &l->cap, l->n + 1, sizeof(*l->record));
	l->record[l->n++] = *c;
}

void call_log_gather(struct call_log *l, int op, size_t max, bool last)
{
	enum { BEING_WRITTEN = 1024 };
	uint64_t made = __atomic_load_n(&l->ring.head->claimed, __ATOMIC_ACQUIRE);

	if (made < l->next || made - l->next > l->ring.n_records) {
		/* Records were overwritten, or a program corrupted the header. */
		l->lost += made < l->next ? 0 : made - l->next - l->ring.n_records;
		l->next = made < l->ring.n_records ? 0 : made - l->ring.n_records;
	}
	for (; l->next < made; l->next++) {
		struct call_record c;

		if (!ring_get_claimed(&l->ring, l->next, &c) || !is_sound(&c)) {
			if (!last && made - l->next < BEING_WRITTEN)
				break;
			l->lost++;
		} else if (op < 0 || c.op == op) {
			keep_record(l, &c, max);
		}
	}
	sort_records(l);
}

/* Starts at the oldest record, so that the records of a thread are in order. */
struct call_log *call_log_read(const struct ring *r, uint64_t hz, uint64_t subtracted)
{
	struct call_log *l = xcalloc(1, sizeof(*l));
	uint64_t made = __atomic_load_n(&r->head->claimed, __ATOMIC_ACQUIRE);
	uint64_t max = made < r->n_records ? made : r->n_records;
	uint64_t oldest = made < r->n_records ? 0 : made % r->n_records;

	*l = (struct call_log){ .ring = *r, .hz = hz, .subtracted = subtracted };
	l->record = xcalloc((size_t)max + 1, sizeof(*l->record));
	for (uint64_t i = 0; i < max; i++) {
		struct call_record *to = &l->record[l->n];

		if (ring_get(r, (oldest + i) % r->n_records, to) && is_sound(to))
			l->n++;
	}
	l->lost = made > l->n ? made - l->n : 0;
	sort_records(l);
	return l;
}

void call_log_free(struct call_log *l)
{
	if (l == NULL)
		return;
	ring_detach(&l->ring);
	free(l->record);
	free(l->kernel);
	free(l->kernel_text);
	free(l);
}

/* --- missing records -------------------------------------------------------------------------- */

uint64_t call_log_lacks(const struct call_log *l, enum lack which)
{
	switch (which) {
	case LACK_CONFINED:
		return l->ring.head->confined;
	case LACK_PROGRAMS:
		return l->unrecorded;
	default: /* LACK_KERNEL */
		return l->kernel_lost;
	}
}

const char *call_log_lack(enum lack which)
{
	static const char *const words[] = {
		[LACK_CONFINED] =
			"programs that confined their system calls, and left no records since",
		[LACK_PROGRAMS] = "programs without records, for want of memory or of system calls",
		[LACK_KERNEL] = "events of the kernel that were lost",
	};

	return words[which];
}

/* --- writing ------------------------------------------------------------------------------- */

static uint64_t in_ns(const struct call_log *l, uint64_t time)
{
	enum { BILLION = 1000000000 };

	if (l->hz == 0)
		return time;
	return time / l->hz * BILLION + time % l->hz * BILLION / l->hz;
}

static void write_head(const struct call_log *l, char *const *argv, struct out *o)
{
	const struct ring_head *head = l->ring.head;

	out_printf(o, "# osprof calls 1\n# lost: %llu\n# ring: %llu\n", (unsigned long long)l->lost,
		   (unsigned long long)l->ring.n_records);
	if (l->hz != 0)
		out_printf(o, "# clock: cycles at %llu Hz\n", (unsigned long long)l->hz);
	else
		out_text(o, "# clock: CLOCK_MONOTONIC\n");
	out_printf(o, "# subtracted: cpu_ns %llu, latency_ns %llu\n",
		   (unsigned long long)head->cpu_overhead,
		   (unsigned long long)in_ns(l, l->subtracted));
	for (unsigned i = 0; i < N_LACKS; i++) {
		if (call_log_lacks(l, (enum lack)i) > 0)
			out_printf(o, "# incomplete: %s: %llu\n", call_log_lack((enum lack)i),
				   (unsigned long long)call_log_lacks(l, (enum lack)i));
	}
	out_text(o, "# command:");
	for (size_t i = 0; argv[i] != NULL; i++) {
		out_char(o, ' ');
		escape_terminal(o, str_from(argv[i]));
	}
	out_text(o, "\nstart_ns,process,thread,operation,number,site,latency_ns,cpu_ns,"
		    "minor_faults,major_faults,voluntary_switches,involuntary_switches,"
		    "blocked_ns,resource,kernel_ns,size,result\n");
}

static void write_number(struct out *o, uint64_t n)
{
	out_char(o, ',');
	out_u64(o, n);
}

/* Returns the CPU time without the overhead, at most the latency: measuring sometimes takes longer
 * than usual. */
static uint64_t cpu_ns(const struct call_log *l, const struct call_record *c, uint64_t latency)
{
	uint64_t overhead = l->ring.head->cpu_overhead;
	uint64_t cpu = c->cpu > overhead ? c->cpu - overhead : 0;

	return cpu < latency ? cpu : latency;
}

/* Writes what the call waited for, and its time in the kernel. */
static void write_kernel(const struct call_record *c, const struct kernel_part *part, struct out *o)
{
	out_char(o, ',');
	if (c->voluntary > 0 && part->waited.n > 0)
		escape_csv(o, part->waited);
	else
		out_text(o, resource_names[c->resource]);
	out_char(o, ',');
	if (part->entered)
		out_u64(o, part->ns);
}

static void write_result(const struct call_record *c, struct out *o)
{
	out_char(o, ',');
	if (c->size != NO_SIZE)
		out_u64(o, (uint64_t)c->size);
	out_printf(o, ",%lld\n", (long long)c->result);
}

static void write_record(const struct call_log *l, size_t i, struct sites *sites, struct out *o)
{
	static const struct kernel_part unknown;
	const struct call_record *c = &l->record[i];
	uint64_t began = l->ring.head->began, latency = in_ns(l, c->latency);
	uint64_t cpu = cpu_ns(l, c, latency);

	out_u64(o, in_ns(l, c->start > began ? c->start - began : 0));
	write_number(o, c->process);
	write_number(o, c->thread);
	out_char(o, ',');
	out_text(o, recorded_call_name(c->op));
	write_number(o, c->number);
	out_char(o, ',');
	escape_csv(o, str_from(site_text(sites, c->site)));
	write_number(o, latency);
	write_number(o, cpu);
	write_number(o, c->minor_faults);
	write_number(o, c->major_faults);
	write_number(o, c->voluntary);
	write_number(o, c->involuntary);
	write_number(o, c->voluntary > 0 ? latency - cpu : 0);
	write_kernel(c, l->kernel != NULL ? &l->kernel[i] : &unknown, o);
	write_result(c, o);
}

void call_log_write(const struct call_log *l, char *const *argv, struct out *o)
{
	struct sites *sites = sites_new(&l->ring);

	write_head(l, argv, o);
	for (size_t i = 0; i < l->n; i++)
		write_record(l, i, sites, o);
	sites_free(sites);
}
