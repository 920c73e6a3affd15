/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/kernel_events.h"

#include <stdlib.h>
#include <string.h>

#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/call_graph.h"
#include "formats/kernel_tasks.h"

/* What a slot is of, beside a thread or a processor. */
enum { OF_SYSCALL, OF_GRAPH };

struct kernel_events {
	struct samples *to;
	struct pairing *syscalls, *requests, *locks, *pairs;
	struct call_graph graph;
	struct kernel_tasks *tasks;
	uint64_t n_other;	 /* events that make no latency */
	struct str other;	 /* the first one's name, */
	struct input other_line; /* and its line */
};

struct kernel_events *kernel_events_new(struct samples *to)
{
	struct kernel_events *k = xcalloc(1, sizeof(*k));

	k->to = to;
	k->syscalls = pairing_new(PAIRING_SINGLE);
	k->requests = pairing_new(PAIRING_SINGLE);
	k->locks = pairing_new(PAIRING_SINGLE);
	k->pairs = pairing_new(PAIRING_NESTED);
	k->tasks = kernel_tasks_new(to);
	call_graph_start(&k->graph, to, STR("function"));
	return k;
}

void kernel_events_free(struct kernel_events *k)
{
	if (k == NULL)
		return;
	pairing_free(k->syscalls);
	pairing_free(k->requests);
	pairing_free(k->locks);
	pairing_free(k->pairs);
	kernel_tasks_free(k->tasks);
	call_graph_release(&k->graph);
	input_release(&k->other_line);
	free(k);
}

void kernel_events_lost(struct kernel_events *k)
{
	pairing_forget_all(k->syscalls);
	pairing_forget_all(k->requests);
	pairing_forget_all(k->locks);
	pairing_forget_all(k->pairs);
	pairing_forget_all(k->graph.open);
	kernel_tasks_forget(k->tasks);
}

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

void kernel_samples_start(struct samples *s, struct input *in, const struct read_options *options,
			  double granularity, struct diag *diag)
{
	struct sampler_options kind = { .unit = UNIT_NS,
					.unit_source = UNIT_STATED,
					.start_rate = 1e9,
					.granularity = granularity };

	samples_start(s, in, options, &kind, diag);
}

/* --- pairs --------------------------------------------------------------------- */

/* The idle task of each processor is task 0. */
static struct pairing_slot task_slot(const struct kernel_event *e, unsigned of)
{
	return e->tid == 0 ? (struct pairing_slot){ e->cpu, UINT64_MAX - of }
			   : (struct pairing_slot){ e->tid, of };
}

static bool end_call(struct kernel_events *k, struct pairing *p, struct pairing_slot slot,
		     struct str layer, struct str name, const struct kernel_event *e)
{
	struct sample sample = { .layer = layer };

	if (!pairing_end(p, slot, name, &sample.name, &sample.start))
		return true;
	sample.latency.billionths = e->at.billionths - sample.start.billionths;
	sample.where = e->name;
	return samples_add(k->to, &sample, e->name, e->name);
}

bool kernel_events_syscall(struct kernel_events *k, const struct kernel_event *e, bool enter)
{
	struct pairing_slot slot = task_slot(e, OF_SYSCALL);

	if (!enter)
		return end_call(k, k->syscalls, slot, STR("syscall"), e->name, e);
	pairing_begin(k->syscalls, slot, e->name, e->at);
	return true;
}

/* "NR 12 (0, 7ffd23fd151c)", "NR 12 = 0" */
static struct str syscall_number(struct str fields)
{
	struct str rest = str_trim(fields), number;

	if (!str_has_prefix(rest, STR("NR ")))
		return STR("");
	rest = str_trim(str_skip(rest, 3));
	number = (struct str){ rest.p, str_find(rest, STR(" ")) };
	return number;
}

static bool add_syscall(struct kernel_events *k, const struct kernel_event *e, bool enter)
{
	struct kernel_event bare = *e;
	struct str rest =
		str_skip(e->name, enter ? sizeof("sys_enter") - 1 : sizeof("sys_exit") - 1);

	bare.name = rest.n > 0 ? str_skip(rest, 1) : syscall_number(e->fields);
	return bare.name.n == 0 || kernel_events_syscall(k, &bare, enter);
}

/* "254,0 RA 4096 () 12551928 + 8 ..." */
static bool parse_request(struct input *in, struct str fields, struct pairing_slot *ret,
			  struct str *ret_kind)
{
	size_t at = str_find(fields, STR(") "));
	struct cursor c = cursor_at(in, str_trim(fields));
	uint64_t major, minor, sector;
	struct cursor rest;

	if (!scan_u64(&c, &major) || !scan_char(&c, ',') || !scan_u64(&c, &minor) ||
	    !scan_word(&c, ret_kind) || at == fields.n)
		return false;
	rest = cursor_at(in, str_skip(fields, at + 2));
	if (!scan_u64(&rest, &sector) || !scan_literal(&rest, STR(" + ")))
		return false;
	*ret = (struct pairing_slot){ major << 32 | (minor & UINT32_MAX), sector };
	return true;
}

static bool add_request(struct kernel_events *k, const struct kernel_event *e, bool issue)
{
	struct pairing_slot slot;
	struct str kind;

	if (!parse_request(k->to->in, e->fields, &slot, &kind))
		return true;
	if (!issue)
		return end_call(k, k->requests, slot, STR("block"), STR(""), e);
	pairing_begin(k->requests, slot, kind, e->at);
	return true;
}

/* "irq=36 name=virtio1-req.0": what follows the key, to a blank or bracket. */
static struct str value_of(struct str fields, struct str key)
{
	struct str value = str_skip(fields, str_find(fields, key) + key.n);

	value.n = str_find(value, STR("]"));
	value.n = str_find(value, STR(")"));
	value.n = str_find(value, STR(" "));
	return value;
}

static const struct {
	const char *stem;
	struct str layer, key; /* of the name */
	bool of_cpu;
} known_pairs[] = {
	{ "irq_handler", { "irq", 3 }, { "name=", 5 }, true },
	{ "softirq", { "softirq", 7 }, { "action=", 7 }, true },
};

/* FNV-1a (Fowler, Noll, Vo): pairs of different names have slots of their own. */
static uint64_t hash_of(struct str s)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3;
	return h;
}

/* What perf lock calls a lock with these flags; the flags themselves where it has no word. */
static struct str lock_kind(struct str flags)
{
	static const struct {
		const char *flags, *kind;
	} kinds[] = {
		{ "SPIN", "spinlock" },
		{ "SPIN|READ", "rwlock:R" },
		{ "SPIN|WRITE", "rwlock:W" },
		{ "READ", "rwsem:R" },
		{ "WRITE", "rwsem:W" },
		{ "RT", "rt-mutex" },
		{ "READ|RT", "rwlock-rt:R" },
		{ "WRITE|RT", "rwlock-rt:W" },
		{ "READ|PERCPU", "pcpu-sem:R" },
		{ "WRITE|PERCPU", "pcpu-sem:W" },
		{ "MUTEX", "mutex" },
		{ "SPIN|MUTEX", "mutex" },
		{ "", "semaphore" },
	};

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (str_eq(flags, str_from(kinds[i].flags)))
			return str_from(kinds[i].kind);
	}
	return flags;
}

/* "0xffff888100c5b898 (flags=SPIN)".  Who waits for a mutex says so twice, when he begins to
 * spin and when he goes to sleep, but ends once. */
static bool add_contention(struct kernel_events *k, const struct kernel_event *e, bool begin)
{
	struct cursor c = cursor_at(k->to->in, e->fields);
	struct pairing_slot slot = task_slot(e, 0);
	struct str lock, flags;

	if (!scan_word(&c, &lock))
		return true;
	slot.what ^= hash_of(lock);
	if (!begin)
		return end_call(k, k->locks, slot, STR("lock"), STR(""), e);
	flags = value_of(e->fields, STR("flags="));
	if (!str_has_suffix(flags, STR("MUTEX")) || !pairing_is_open(k->locks, slot, STR("")))
		pairing_begin(k->locks, slot, lock_kind(flags), e->at);
	return true;
}

static bool add_pair(struct kernel_events *k, const struct kernel_event *e, struct str stem,
		     bool begin)
{
	struct pairing_slot slot = { e->tid, hash_of(stem) };
	struct str layer = STR("event"), name = stem;

	for (size_t i = 0; i < COUNT_OF(known_pairs); i++) {
		if (!str_eq(stem, str_from(known_pairs[i].stem)))
			continue;
		layer = known_pairs[i].layer;
		name = value_of(e->fields, known_pairs[i].key);
		slot.who = e->cpu;
	}
	if (e->tid == 0)
		slot.who = e->cpu;
	if (!begin)
		return end_call(k, k->pairs, slot, layer, STR(""), e);
	pairing_begin(k->pairs, slot, name.n > 0 ? name : stem, e->at);
	return true;
}

/* Whether a name is one of a pair, and its stem. */
static bool pair_stem(struct str name, struct str *ret_stem, bool *ret_begin)
{
	static const struct {
		struct str suffix;
		bool begin;
	} suffixes[] = {
		{ { "_entry", 6 }, true }, { { "_enter", 6 }, true }, { { "_start", 6 }, true },
		{ { "_begin", 6 }, true }, { { "_exit", 5 }, false }, { { "_end", 4 }, false },
		{ { "_done", 5 }, false },
	};

	for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
		if (!str_has_suffix(name, suffixes[i].suffix) || name.n == suffixes[i].suffix.n)
			continue;
		*ret_stem = (struct str){ name.p, name.n - suffixes[i].suffix.n };
		*ret_begin = suffixes[i].begin;
		return true;
	}
	return false;
}

/* --- events -------------------------------------------------------------------- */

static bool add_graph(struct kernel_events *k, const struct kernel_event *e)
{
	struct str duration, text;

	return !str_cut(e->fields, '|', &duration, &text) ||
	       call_graph_add(&k->graph, task_slot(e, OF_GRAPH), duration, text, e->at);
}

bool kernel_events_add(struct kernel_events *k, const struct kernel_event *e)
{
	bool begin, done = false;
	struct str stem;

	if (str_has_prefix(e->name, STR("sys_enter")))
		return add_syscall(k, e, true);
	if (str_has_prefix(e->name, STR("sys_exit")))
		return add_syscall(k, e, false);
	if (str_has_prefix(e->name, STR("sched_")) && !kernel_tasks_add(k->tasks, e, &done))
		return false;
	if (done)
		return true;
	if (str_eq(e->name, STR("block_rq_issue")))
		return add_request(k, e, true);
	if (str_eq(e->name, STR("block_rq_complete")))
		return add_request(k, e, false);
	if (str_has_prefix(e->name, STR("funcgraph_")))
		return add_graph(k, e);
	if (str_eq(e->name, STR("contention_begin")))
		return add_contention(k, e, true);
	if (str_eq(e->name, STR("contention_end")))
		return add_contention(k, e, false);
	if (pair_stem(e->name, &stem, &begin))
		return add_pair(k, e, stem, begin);
	if (k->n_other++ == 0)
		k->other = input_keep_line(k->to->in, e->name, &k->other_line);
	return true;
}

void kernel_events_tell(struct kernel_events *k, struct input *in, struct diag *diag)
{
	pairing_tell(k->syscalls, in, diag);
	pairing_tell(k->requests, in, diag);
	pairing_tell(k->locks, in, diag);
	pairing_tell(k->pairs, in, diag);
	pairing_tell(k->graph.open, in, diag);
	if (k->n_other > 0)
		diag_part(diag, DIAG_NOT_A_HISTOGRAM, &k->other_line, k->other,
			  "%llu event%s that neither begin nor end anything",
			  (unsigned long long)k->n_other, k->n_other == 1 ? "" : "s");
}
