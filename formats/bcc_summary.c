/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bcc-summary: tools of bcc and libbpf-tools that count and add up, without a
 * distribution: syscount -L and klockstat.
 *
 *	[09:41:32]
 *	SYSCALL                   COUNT        TIME (us)
 *	select                       16      3415860.022
 *	[unknown: 321]               32            4.965
 *
 *	PID    COMM               COUNT        TIME (ms)
 *	27226  bash                4953         1956.000
 *
 *	                        Caller   Avg Spin  Count   Max spin Total spin
 *	            psi_avgs_work+0x2e       3675      5       5468      18379
 *
 * Each print is an interval; syscount shows the top 10 only.  Of klockstat the layer is
 * what was measured; lines without numbers are stacks.  Others of these tools are
 * recognised, to say why there is nothing in them: syscount without -L, softirqs and
 * hardirqs without -d, argdist -C, biolatpcts.
 *
 * Seen: the example files of bcc 6d0a964, libbpf-tools 0.26.
 */
#include <string.h>

#include "base/arena.h"
#include "base/scan.h"
#include "formats/bcc_line.h"
#include "formats/format.h"
#include "formats/text.h"

enum table { TABLE_NONE, TABLE_SYSCALLS, TABLE_TASKS, TABLE_LOCKS, TABLE_USELESS };

struct head {
	enum table table;
	enum unit unit;
	struct str what;     /* of klockstat: "spin" */
	const char *useless; /* why */
};

static bool ends_in_time(struct str s, enum unit *ret)
{
	*ret = str_has_suffix(s, STR(" TIME (us)"))   ? UNIT_US
	       : str_has_suffix(s, STR(" TIME (ms)")) ? UNIT_MS
						      : UNIT_UNKNOWN;
	return *ret != UNIT_UNKNOWN;
}

/* "nvme0n1    p1    p5   p10" of biolatpcts: percentiles in the head. */
static bool is_percentiles(struct str s)
{
	return str_contains(s, STR("p50 ")) && str_contains(s, STR(" p99")) &&
	       !str_contains(s, STR(","));
}

static bool parse_head(struct str s, struct head *ret)
{
	struct str syscall = STR("SYSCALL "), task = STR("PID ");

	*ret = (struct head){ .table = TABLE_USELESS };
	if (str_has_prefix(s, syscall) && ends_in_time(s, &ret->unit))
		ret->table = TABLE_SYSCALLS;
	else if (str_has_prefix(s, task) && str_contains(s, STR(" COMM ")) &&
		 ends_in_time(s, &ret->unit))
		ret->table = TABLE_TASKS;
	else if ((str_has_prefix(s, syscall) || str_has_prefix(s, task)) &&
		 str_has_suffix(s, STR(" COUNT")))
		ret->useless = "calls without their latency, which syscount -L adds";
	else if (str_has_prefix(s, STR("Caller ")) && str_contains(s, STR(" Count ")) &&
		 str_contains(s, STR(" Total ")))
		ret->table = TABLE_LOCKS;
	else if ((str_has_prefix(s, STR("SOFTIRQ ")) || str_has_prefix(s, STR("HARDIRQ "))) &&
		 str_contains(s, STR(" TOTAL_")))
		ret->useless = "sums without calls, or calls without sums; -d prints histograms";
	else if (str_has_prefix(s, STR("COUNT")) && str_has_suffix(s, STR("EVENT")))
		ret->useless = "how often values came; argdist -H prints histograms";
	else if (is_percentiles(s))
		ret->useless = "percentiles without calls";
	else
		return false;
	if (ret->table == TABLE_LOCKS) {
		ret->unit = UNIT_NS;
		ret->what = str_skip(s, str_find_last(s, STR(" ")) + 1);
	}
	return true;
}

/* argdist prints its own line between, which bcc's histograms have, too. */
static enum probe probe_bcc_summary(struct str head, struct clue *clue)
{
	struct str line, rest = text_without_bom(head);
	struct head found;

	(void)clue;
	while (text_next(&rest, &line)) {
		struct str s = text_content(line), unit;
		bool bracket;
		size_t blanks;
		double stamp;

		if (bcc_header(s, &unit, &blanks))
			return PROBE_NO; /* a histogram: of bcc */
		if (parse_head(s, &found))
			return found.table == TABLE_USELESS ? PROBE_MARKS : PROBE_MAGIC;
		if (s.n > 0 && !bcc_banner(s) && !bcc_stamp(s, &stamp, &bracket) &&
		    !bcc_farewell(s) && !str_contains(s, STR(":")) &&
		    !str_has_prefix(s, STR("write by")))
			return PROBE_NO;
	}
	return PROBE_NO;
}

/* --- reading ----------------------------------------------------------------------- */

struct reader {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct arena *arena;
	struct head head;
	struct str useless_at;
	const char *useless;
	bool last; /* the line at hand ends the file, without a newline */
};

static bool fail(struct reader *r, enum diag_code code, struct str where, const char *what)
{
	return format_fail(r->in, r->diag, r->last ? DIAG_INPUT_TRUNCATED : code, where, "%s",
			   what);
}

/* Takes the last word of *s. */
static struct str take_last(struct str *s)
{
	size_t at = str_find_last(*s, STR(" "));
	struct str word = at < s->n ? str_skip(*s, at + 1) : *s;

	*s = at < s->n ? str_trim((struct str){ s->p, at }) : (struct str){ s->p, 0 };
	return word;
}

static bool push(struct reader *r, struct str layer, struct str name, struct str where,
		 uint64_t calls, struct decimal total)
{
	if (!build_operation(r->to, layer, name, where) || !build_count(r->to, calls, where) ||
	    !build_total(r->to, total, where))
		return false;
	build_unit(r->to, r->head.unit, UNIT_STATED);
	return true;
}

/* "27226  bash     4953         1956.000" */
static bool read_sums(struct reader *r, struct str s)
{
	struct str rest = s, time = take_last(&rest), calls = take_last(&rest), pid, comm;
	struct decimal total;
	uint64_t n;

	if (r->last || !decimal_parse(time, &total) || number_u64(calls, &n) != NUMBER_OK ||
	    rest.n == 0)
		return fail(r, DIAG_LINE_UNEXPECTED, s, "expected a name, calls and their time");
	if (r->head.table == TABLE_TASKS && str_cut(rest, ' ', &pid, &comm)) {
		struct str name =
			arena_printf(r->arena, "%.*s %.*s", STR_ARG(pid), STR_ARG(str_trim(comm)));

		return push(r, STR(""), name, rest, n, total);
	}
	return push(r, STR(""), rest, rest, n, total);
}

/* "psi_avgs_work+0x2e       3675      5       5468      18379"; a frame has one word. */
static bool read_lock(struct reader *r, struct str s)
{
	struct str rest = s, total = take_last(&rest), most = take_last(&rest);
	struct str calls = take_last(&rest), mean = take_last(&rest);
	struct decimal sum;
	double longest;
	uint64_t n, ignored;

	if (mean.n == 0 && !r->last)
		return true;
	if (r->last || !decimal_parse(total, &sum) || number_f64(most, &longest) != NUMBER_OK ||
	    number_u64(calls, &n) != NUMBER_OK || number_u64(mean, &ignored) != NUMBER_OK ||
	    rest.n == 0)
		return fail(r, DIAG_LINE_UNEXPECTED, s, "expected a caller and four numbers");
	if (!push(r, r->head.what, rest, rest, n, sum))
		return false;
	build_max(r->to, longest);
	return true;
}

static bool read_line(struct reader *r, struct str s)
{
	struct head head;
	double stamp;
	bool bracket;

	if (s.n == 0 || bcc_banner(s) || bcc_farewell(s)) {
		r->head.table = TABLE_NONE;
		return true;
	}
	if (bcc_stamp(s, &stamp, &bracket)) {
		r->head.table = TABLE_NONE;
		build_next_interval(r->to, stamp);
		return true;
	}
	if (parse_head(s, &head)) {
		r->head = head;
		if (head.useless != NULL && r->useless == NULL) {
			r->useless = head.useless;
			r->useless_at = s;
		}
		return true;
	}
	switch (r->head.table) {
	case TABLE_SYSCALLS:
	case TABLE_TASKS:
		return read_sums(r, s);
	case TABLE_LOCKS:
		return read_lock(r, s);
	case TABLE_NONE:
	case TABLE_USELESS:
		break;
	}
	return true;
}

static bool read_bcc_summary(struct input *in, const struct read_options *options,
			     struct builder *to, struct diag *diag)
{
	struct reader r = { .in = in, .to = to, .diag = diag, .arena = arena_new() };
	struct cursor c = cursor_at(in, text_without_bom(in->bytes)), line;
	bool fine = true;

	(void)options;
	while (fine && scan_line(&c, &line)) {
		r.last = line.end == in->bytes.n;
		fine = read_line(&r, text_content(cursor_rest(&line)));
	}
	if (fine && r.useless != NULL)
		diag_at(diag, DIAG_NOT_A_HISTOGRAM, in, (size_t)(r.useless_at.p - in->bytes.p),
			r.useless_at.n, "%s", r.useless);
	build_prints(to, PRINTS_CLEARED);
	build_drop_single_layer(to);
	arena_free(r.arena);
	return fine;
}

const struct format format_bcc_summary = {
	.name = "bcc-summary",
	.title = "bcc and libbpf-tools: syscount -L, klockstat",
	.versions = "bcc 0.19 on, libbpf-tools 0.26",
	.unit = "stated in the head; ns of klockstat",
	.totals = "exact",
	.probe = probe_bcc_summary,
	.read = read_bcc_summary,
};
