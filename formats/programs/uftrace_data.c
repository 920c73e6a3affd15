/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * uftrace-data: the folder that uftrace record writes, by default uftrace.data.
 *
 *	info            a header of 40 bytes, then "exename:/tmp/t1", "argspec:query@arg1" ...
 *	TID.dat         records of a thread, 16 bytes each: nanoseconds, then type (2 bits:
 *	                entry, exit, lost, event), more (1), magic 5 (3), depth (10), address
 *	                (48); a record with `more` is followed by arguments, padded to 8 bytes
 *	perf-cpuN.dat   records of perf: those of type 14 say that a thread left its processor
 *	                (misc 0x2000; 0x4000: preempted) or came back
 *	task.txt, sid-*.map, *.sym	names of addresses
 *
 * A call lasts from its entry to its exit.  Arguments are read if argspec, retspec, argauto or
 * retauto of `info` specify their sizes; those of other functions are skipped.
 *
 * Seen: 0.13.  Not supported: big-endian and 32-bit folders.  kernel-cpuN.dat (kernel functions)
 * is left out.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/platform.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/call_latencies.h"
#include "formats/programs/uftrace_arguments.h"
#include "formats/programs/uftrace_depth.h"
#include "formats/programs/uftrace_folder.h"
#include "formats/programs/uftrace_missing.h"
#include "formats/programs/uftrace_switches.h"
#include "formats/programs/uftrace_symbols.h"

enum {
	RECORD = 16,
	BUFFER = 1 << 17,
	LONGEST_ARGUMENTS = 1 << 16,
	CACHE = 1 << 13, /* a power of two */
	STEPS = 512,	 /* steps that are pushed at once */
	BLOCK = 16,	 /* records that are checked at once */
	PERF_LOST = 2,
	PERF_SWITCH = 14,
	PERF_OUT = 0x2000,
	PERF_PREEMPTED = 0x4000,
	MAGIC = 5,
};

enum record_type { RECORD_ENTRY, RECORD_EXIT, RECORD_LOST, RECORD_EVENT };

/* --- reading a file of records ------------------------------------------------------------- */

struct records {
	int fd;
	unsigned char *buffer;
	size_t at, n;
	bool ended;
	uint64_t offset; /* position of the buffer in the file */
};

static uint64_t u64_at(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint32_t u32_at(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint16_t u16_at(const unsigned char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Reads so that at least `wanted` bytes are at r->at; false when the file ends before. */
static bool fill_records(struct records *r, size_t wanted)
{
	ssize_t got;

	if (r->n - r->at >= wanted)
		return true;
	memmove(r->buffer, r->buffer + r->at, r->n - r->at);
	r->offset += r->at;
	r->n -= r->at;
	r->at = 0;
	while (!r->ended && r->n < wanted) {
		do
			got = read(r->fd, r->buffer + r->n, BUFFER + LONGEST_ARGUMENTS - r->n);
		while (got < 0 && errno == EINTR);
		r->ended = got <= 0;
		r->n += got > 0 ? (size_t)got : 0;
	}
	return r->n >= wanted;
}

/* --- the reader --------------------------------------------------------------------------------
 */

struct named {
	uint64_t address;
	uint32_t id;
	struct str name;
	const struct uftrace_spec *arguments, *results; /* NULL: not known */
	bool known;
};

struct reader {
	struct input *in;
	struct diag *diag;
	struct builder *to;
	struct arena *arena;
	struct samples samples;
	struct call_output calls;
	struct uftrace_symbols *symbols;
	struct uftrace_specs *specs;
	struct uftrace_switches switches;
	struct uftrace_waits waits; /* of the thread, those that come */
	struct named *named;
	struct records records;
	struct pairing_slot thread;
	struct call_event event; /* event of the current record */
	size_t session;
	uint64_t session_until, last;
	uint64_t lost, cut, kernel, passed_over;
	uint64_t alone, lost_switches; /* unmatched context switches; lost ones */
	unsigned open;		       /* open calls of the thread, by the depths of its records */
	bool full_calls;	       /* calls are requested, not only latencies */
};

/* Specifications requested by the user have demangled names, the others have symbols. */
static const struct uftrace_spec *find_spec(const struct reader *r, struct str name,
					    struct str symbol, bool results)
{
	const struct uftrace_spec *spec = uftrace_spec_of(r->specs, name, results);

	return spec != NULL ? spec : uftrace_spec_of(r->specs, symbol, results);
}

static struct named *find_name(struct reader *r, struct named *n, uint64_t address)
{
	struct str symbol;

	n->known = true;
	n->address = address;
	n->name = uftrace_symbol(r->symbols, r->session, address, &symbol);
	n->id = r->calls.to->class->number != NULL
			? r->calls.to->class->number(r->calls.to, n->name)
			: 0;
	n->arguments = find_spec(r, n->name, symbol, false);
	n->results = find_spec(r, n->name, symbol, true);
	return n;
}

static inline size_t cache_slot(uint64_t address)
{
	return (address ^ address >> 13) & (CACHE - 1);
}

static struct named *uftrace_data_name_of(struct reader *r, uint64_t address)
{
	struct named *n = &r->named[cache_slot(address)];

	return n->known && n->address == address ? n : find_name(r, n, address);
}

/* Returns the number of the name for a key of a step, which is an address. */
static uint32_t number_of(void *reader, uint64_t address)
{
	return uftrace_data_name_of(reader, address)->id;
}

/* Switches to the session at a time: names change when a thread executes another program. */
static void next_session(struct reader *r, uint64_t ns)
{
	const struct call_keys keys = { number_of, r };
	size_t before = r->session;

	r->session = uftrace_session(r->symbols, r->thread.who, ns, &r->session_until);
	if (r->session == before)
		return;
	for (size_t i = 0; i < CACHE; i++)
		r->named[i].known = false;
	if (r->calls.to->class->keys != NULL)
		r->calls.to->class->keys(r->calls.to, &keys);
}

static bool is_record(const struct reader *r, const unsigned char *p)
{
	uint64_t ns = u64_at(p);

	return (u64_at(p + 8) >> 3 & 7) == MAGIC && ns >= r->last &&
	       ns - r->last < (uint64_t)1 << 42;
}

/* Skips arguments of unknown size by searching for the next record. */
static void pass_over(struct reader *r, size_t known)
{
	struct records *f = &r->records;

	f->at += known;
	for (size_t i = 0; i < LONGEST_ARGUMENTS / 8; i++) {
		if (!fill_records(f, RECORD) || is_record(r, f->buffer + f->at))
			return;
		f->at += 8;
	}
}

static void read_arguments(struct reader *r, const struct named *n, bool results)
{
	struct records *f = &r->records;
	const struct uftrace_spec *spec = results ? n->results : n->arguments;
	struct call_sink *to = r->calls.to;
	size_t room, used = 0;

	(void)fill_records(f, LONGEST_ARGUMENTS);
	room = f->n - f->at;
	if (spec != NULL)
		used = uftrace_arguments(spec, f->buffer + f->at, room,
					 results && r->full_calls ? NULL : to);
	r->passed_over +=
		spec != NULL && room >= used + RECORD && !is_record(r, f->buffer + f->at + used);
	pass_over(r, used);
}

static inline unsigned depth_of(uint64_t data)
{
	return data >> 6 & 1023;
}

/* Return the number of open calls before a record, and after it. */
static inline uint64_t open_before(uint64_t data)
{
	return depth_of(data) + (data & 1);
}

static inline uint64_t open_after(uint64_t data)
{
	return uftrace_depth_after(depth_of(data), (data & 1) != 0);
}

/* Whether all records are entries and exits without arguments, not later than `last`, and no call
 * was left by a jump.  *open is the number of open calls before them; if they are plain, it becomes
 * the number after them. */
static inline bool are_plain(const struct call_step *record, size_t n, uint64_t last,
			     unsigned *open)
{
	uint64_t any = 0, all = UINT64_MAX, times = 0, jumps = 0;

	for (size_t i = 0; i < n; i++) {
		any |= record[i].what;
		all &= record[i].what;
		times |= (uint64_t)record[i].at;
	}
	for (size_t i = 0; i < n && last < INT64_MAX; i++)
		times |= last - (uint64_t)record[i].at;
	for (size_t i = 1; i < n; i++)
		jumps |= open_after(record[i - 1].what) ^ open_before(record[i].what);
	if ((any & 0x3e) != MAGIC << 3 || (all & MAGIC << 3) != MAGIC << 3 || times >> 63 != 0 ||
	    (jumps | (open_before(record[0].what) ^ *open)) != 0)
		return false;
	*open = (unsigned)open_after(record[n - 1].what);
	return true;
}

/* Converts records to steps in place: a step has the size of a record and also begins with the
 * time. */
static inline void make_steps(struct call_step *record, size_t n)
{
	_Static_assert(sizeof(*record) == RECORD, "one for each record");
	for (size_t i = 0; i < n; i++)
		record[i].what = (record[i].what >> 16) * 2 + (record[i].what & 1);
}

/* Converts records to steps up to the first that is not plain; returns how many. */
static size_t plain_steps(struct call_step *record, size_t n, uint64_t last, unsigned *open)
{
	size_t i = 0;

	for (; n - i >= BLOCK && are_plain(record + i, BLOCK, last, open); i += BLOCK)
		make_steps(record + i, BLOCK);
	for (; i < n && are_plain(record + i, 1, last, open); i++)
		make_steps(record + i, 1);
	return i;
}

/* A fast path for plain entries and exits, which take_record() would take one by one. */
static bool take_plain(struct reader *r)
{
	struct records *f = &r->records;
	const uint64_t last = r->session_until > INT64_MAX ? INT64_MAX : r->session_until - 1;
	const struct call_sink_class *class = r->calls.to->class;
	size_t left = (f->n - f->at) / RECORD, n = STEPS;
	unsigned open = r->open;
	bool ok = true;

	for (; ok && n == STEPS && left > 0; left -= n) {
		struct call_step *step = (struct call_step *)(void *)(f->buffer + f->at);

		n = plain_steps(step, left < STEPS ? left : STEPS, last, &open);
		ok = n == 0 || class->steps(r->calls.to, &r->thread, step, n);
		r->last = n > 0 ? (uint64_t)step[n - 1].at : r->last;
		f->at += n * RECORD;
	}
	r->open = open;
	return ok;
}

/* Takes an entry or an exit. */
static bool take_call(struct reader *r, uint64_t data)
{
	struct call_event *e = &r->event;
	unsigned depth = depth_of(data);
	bool exits = e->what == CALL_LEAVE, ended, ok;

	ok = uftrace_depth_leave(&r->calls, r->open, e, depth, &ended);
	r->open = uftrace_depth_after(depth, exits);
	return ok && (ended || call_output_push(&r->calls, e));
}

static bool take_record(struct reader *r, uint64_t ns, uint64_t data)
{
	enum record_type type = (enum record_type)(data & 3);
	bool more = (data >> 2 & 1) != 0;
	struct call_event *e = &r->event;
	const struct named *n;

	if (type == RECORD_LOST) {
		r->lost += data >> 16;
		r->open = UFTRACE_DEPTH_UNKNOWN;
		call_output_lost(&r->calls, &r->thread, data >> 16);
		return true;
	}
	if (type == RECORD_EVENT) {
		if (more)
			pass_over(r, 0);
		return true;
	}
	if (ns >= r->session_until)
		next_session(r, ns);
	n = uftrace_data_name_of(r, data >> 16);
	e->what = type == RECORD_ENTRY ? CALL_ENTER : CALL_LEAVE;
	e->id = n->id;
	e->at.ns = (int64_t)ns;
	e->name = e->where = n->name;
	if (!take_call(r, data))
		return false;
	if (more)
		read_arguments(r, n, type == RECORD_EXIT);
	return true;
}

static bool report_damaged(struct reader *r, const char *path, size_t at)
{
	diag_plain(r->diag, DIAG_INPUT_TRUNCATED, "%s: no record of uftrace at byte %llu", path,
		   (unsigned long long)(r->records.offset + at));
	return false;
}

static bool open_records(struct reader *r, const char *path)
{
	unsigned char *buffer = r->records.buffer;

	r->records = (struct records){ .fd = open(path, O_RDONLY | O_CLOEXEC), .buffer = buffer };
	if (r->records.fd >= 0)
		return true;
	diag_plain(r->diag, DIAG_INPUT_UNREADABLE, "%s: %s", path, strerror(errno));
	return false;
}

static bool read_thread(struct reader *r, const char *path, uint64_t tid)
{
	struct records *f = &r->records;
	bool ok = true;

	if (!open_records(r, path))
		return false;
	r->thread = (struct pairing_slot){ tid, 0 };
	r->event = (struct call_event){ .thread = r->thread };
	r->last = 0;
	r->session_until = 0;
	r->open = UFTRACE_DEPTH_UNKNOWN;
	r->waits = uftrace_waits_of(&r->switches, tid);
	while (ok && fill_records(f, RECORD)) {
		const unsigned char *p = f->buffer + f->at;
		uint64_t ns = u64_at(p), data = u64_at(p + 8);

		if (r->calls.to->class->steps != NULL && ns < r->session_until && ns <= INT64_MAX &&
		    (data & 0x3e) == MAGIC << 3 &&
		    uftrace_depth_fits(r->open, depth_of(data), (data & 1) != 0) &&
		    f->at % sizeof(uint64_t) == 0) {
			ok = take_plain(r);
			continue;
		}
		if ((data >> 3 & 7) != MAGIC) {
			ok = report_damaged(r, path, f->at);
			break;
		}
		f->at += RECORD;
		ok = (r->full_calls ||
		      uftrace_waits_push(&r->waits, r->calls.to, ns, r->last,
					 r->open > 0 && r->open != UFTRACE_DEPTH_UNKNOWN)) &&
		     take_record(r, ns, data);
		r->last = ns;
	}
	r->cut += f->n > f->at;
	(void)close(f->fd);
	return ok;
}

/* --- processors ----------------------------------------------------------------------------------
 */

static bool read_processor(struct reader *r, const char *path)
{
	struct records *f = &r->records;

	if (!open_records(r, path))
		return false;
	while (fill_records(f, 8)) {
		const unsigned char *p = f->buffer + f->at;
		uint32_t type = u32_at(p);
		uint16_t misc = u16_at(p + 4), size = u16_at(p + 6);

		if (size < 8 || !fill_records(f, size))
			break;
		p = f->buffer + f->at;
		if (type == PERF_SWITCH && size >= 24)
			uftrace_switch_add(&r->switches,
					   (struct uftrace_switch){
						   .ns = u64_at(p + 16),
						   .tid = u32_at(p + 12),
						   .back = (misc & PERF_OUT) == 0,
						   .preempted = (misc & PERF_PREEMPTED) != 0 });
		else if (type == PERF_LOST && size >= 24)
			r->lost_switches += u64_at(p + 16);
		f->at += size;
	}
	r->cut += f->n > f->at;
	(void)close(f->fd);
	return true;
}

/* Parses "15250.dat". */
static bool is_thread_file(const char *name, uint64_t *ret_tid)
{
	struct str s = str_from(name);

	return str_has_suffix(s, STR(".dat")) && s.n > 4 &&
	       number_u64((struct str){ s.p, s.n - 4 }, ret_tid) == NUMBER_OK;
}

static int is_data(const struct dirent *e)
{
	return str_has_suffix(str_from(e->d_name), STR(".dat"));
}

static bool read_entries(struct reader *r, struct dirent **entry, int n, bool processors)
{
	bool ok = true;

	for (int i = 0; ok && i < n; i++) {
		const char *name = entry[i]->d_name;
		const char *path = arena_printf(r->arena, "%s/%s", r->in->folder, name).p;
		uint64_t tid;

		if (processors && str_has_prefix(str_from(name), STR("perf-cpu")))
			ok = read_processor(r, path);
		else if (processors && str_has_prefix(str_from(name), STR("kernel-cpu")))
			r->kernel++;
		else if (!processors && is_thread_file(name, &tid))
			ok = read_thread(r, path, tid);
	}
	return ok;
}

static bool read_folder(struct reader *r)
{
	struct dirent **entry;
	int n = scandir(r->in->folder, &entry, is_data, platform_natural_entries);
	bool ok;

	if (n < 0) {
		diag_file(r->diag, DIAG_INPUT_UNREADABLE, r->in, "%s", strerror(errno));
		return false;
	}
	ok = read_entries(r, entry, n, true);
	if (ok && r->full_calls)
		r->alone = uftrace_switches_push(&r->switches, r->calls.to);
	else if (ok)
		r->alone = uftrace_switches_pair(&r->switches);
	ok = ok && read_entries(r, entry, n, false);
	for (int i = 0; i < n; i++)
		free(entry[i]);
	free(entry);
	return ok;
}

static bool finish_folder(struct reader *r)
{
	struct str lost_map = uftrace_lost_map(r->symbols);

	uftrace_missing_report(r->in, r->diag);
	if (r->cut > 0)
		diag_file(r->diag, DIAG_CUT_OFF, r->in, "%llu file%s within a record",
			  (unsigned long long)r->cut, r->cut == 1 ? " ends" : "s end");
	if (r->lost_switches > 0)
		diag_file(r->diag, DIAG_EVENTS_LOST, r->in,
			  "%llu of the scheduler: time off the processor is missing",
			  (unsigned long long)r->lost_switches);
	else if (r->alone > 0)
		diag_file(r->diag, DIAG_UNMATCHED_EVENTS, r->in,
			  "%llu context switches without their other half: time off the processor "
			  "is missing",
			  (unsigned long long)r->alone);
	if (r->passed_over > 0)
		diag_file(
			r->diag, DIAG_NOT_A_HISTOGRAM, r->in,
			"bytes after arguments that are no record, up to the next one: %llu times",
			(unsigned long long)r->passed_over);
	if (uftrace_unnamed(r->symbols) > 0)
		diag_file(r->diag, DIAG_NAMES_MISSING, r->in,
			  "%llu addresses have no symbol: they stand for themselves%s%.*s%s",
			  (unsigned long long)uftrace_unnamed(r->symbols),
			  lost_map.n > 0 ? " (" : "", STR_ARG(lost_map),
			  lost_map.n > 0 ? " is missing or empty)" : "");
	if (r->kernel > 0)
		diag_file(r->diag, DIAG_NOT_A_HISTOGRAM, r->in,
			  "functions of the kernel: use trace-cmd or ftrace for them");
	call_output_report(&r->calls, r->in, r->diag);
	if (r->lost > 0 && !build_lost(r->to, r->lost, r->in->bytes))
		return false;
	call_output_push_nests(&r->calls, r->to);
	return r->full_calls || accumulator_push(r->samples.accumulator, r->to);
}

static bool read_uftrace_data(const struct read_task *task)
{
	struct accumulator_options kind = { .unit = UNIT_NS,
					    .unit_source = UNIT_STATED,
					    .start_rate = 1e9 };
	struct reader r = {
		.in = task->in, .diag = task->diag, .to = task->to, .arena = arena_new()
	};
	bool ok;

	if (task->in->folder == NULL) {
		arena_free(r.arena);
		return format_fail(task->in, task->diag, DIAG_LINE_UNEXPECTED,
				   (struct str){ task->in->bytes.p, 0 },
				   "the text of a file info, without its folder");
	}
	samples_start(&r.samples, task->in, task->options, &kind, task->diag);
	call_output_start(&r.calls, &r.samples, task->options);
	r.full_calls = call_output_wants_calls(&r.calls);
	r.symbols = uftrace_symbols_read(task->in->folder);
	r.specs = uftrace_specs_new(task->in->bytes);
	r.named = xcalloc(CACHE, sizeof(*r.named));
	r.session = SIZE_MAX;
	r.records.buffer = xcalloc(BUFFER + LONGEST_ARGUMENTS, 1);
	ok = read_folder(&r) && finish_folder(&r);
	free(r.records.buffer);
	free(r.named);
	uftrace_specs_free(r.specs);
	uftrace_symbols_free(r.symbols);
	uftrace_switches_release(&r.switches);
	call_output_release(&r.calls);
	samples_release(&r.samples);
	arena_free(r.arena);
	return ok;
}

const struct format format_uftrace_data = {
	.name = "uftrace-data",
	.title = "folder of uftrace record: function calls",
	.versions = "0.13",
	.unit = "stated",
	.totals = "exact",
	.calls = CALLS_NESTED,
	.logged = true,
	.marks = MARKS("exename:", "\nexit_status:", "\ncmdline:"),
	.read = read_uftrace_data,
};
