/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ping: responses listed by ping and ioping, one a line.
 *
 *	[1795309017.551424] 64 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=0.217 ms
 *	4 KiB <<< /var/tmp (ext4 /dev/vda 252.0 GiB): request=2 time=165.1 us
 *
 * A layer is the target, a host or a path; the operations are `ping`, `read` and `write`.  The time
 * printed by ping -D is that of the response.
 *
 * Seen: iputils 20221126, 20250605, ioping 1.3.  Left out with a note: requests without a response,
 * duplicate responses, and ioping's first request, which ioping does not count either.
 */

#include "formats/text.h"
#include "formats/worker_pool.h"

struct answer {
	struct str stamp; /* empty: none */
	struct str target, operation;
	struct str number, unit; /* parts of the time */
	bool warm_up, duplicate;
};

/* Returns where the host ends; its length if no number of a packet follows.  BusyBox prints
 * "seq=0", and ping6 of BSD a comma. */
static size_t target_end(struct str s)
{
	static const struct str next[] = { STR_INIT(": icmp_"), STR_INIT(": seq="),
					   STR_INIT(", icmp_") };
	size_t at = s.n;

	for (size_t i = 0; i < COUNT_OF(next) && at == s.n; i++)
		at = str_find(s, next[i]);
	return at;
}

/* Parses "64 bytes from 192.0.2.7: icmp_seq=1 ttl=64". */
static bool is_host(struct str s, struct answer *a)
{
	size_t at = str_find(s, STR(" bytes from "));

	if (at == s.n)
		return false;
	a->operation = STR("ping");
	a->target = str_skip(s, at + sizeof(" bytes from ") - 1);
	at = target_end(a->target);
	if (at == a->target.n)
		return false;
	a->target.n = at;
	return at > 0;
}

/* Parses "4 KiB <<< /var/tmp (ext4 /dev/vda 252.0 GiB): request=2". */
static bool is_path(struct str s, struct answer *a)
{
	enum { ARROW = sizeof(" <<< ") - 1 };
	size_t read = str_find(s, STR(" <<< ")), write = str_find(s, STR(" >>> "));
	size_t at = read < write ? read : write, end = str_find(s, STR("): request="));

	if (at == s.n || end == s.n || end < at + ARROW)
		return false;
	a->operation = at == read ? STR("read") : STR("write");
	a->target = (struct str){ s.p + at + ARROW, end - at - ARROW };
	a->target.n = str_find_last(a->target, STR(" ("));
	return a->target.n > 0;
}

/* Parses "0.217 ms", "83.8 us (warmup)", "0.4 ms (DUP!)". */
static bool is_time(struct str s, struct answer *a)
{
	struct str rest = { s.p + s.n, 0 };

	if (!str_cut(s, ' ', &a->number, &s))
		return false;
	a->unit = s;
	(void)str_cut(s, ' ', &a->unit, &rest);
	a->warm_up = str_eq(rest, STR("(warmup)"));
	a->duplicate = str_eq(rest, STR("(DUP!)"));
	return a->number.n > 0 && is_digit(a->number.p[0]);
}

static bool is_answer(struct str line, struct answer *ret)
{
	size_t at = str_find_last(line, STR(" time="));
	struct str front = { line.p, at };

	*ret = (struct answer){ .stamp = { line.p, 0 } };
	if (at == line.n || !is_time(str_skip(line, at + sizeof(" time=") - 1), ret))
		return false;
	if (front.p[0] == '[' && str_cut(str_skip(front, 1), ']', &ret->stamp, &front))
		front = str_trim(front);
	return is_host(front, ret) || is_path(front, ret);
}

static enum probe probe_ping(struct str head, struct clue *clue)
{
	struct str line;
	struct answer a;

	(void)clue;
	while (text_line(&head, &line)) {
		if (is_answer(line, &a))
			return PROBE_MAGIC;
	}
	return PROBE_NO;
}

/* --- reading ---------------------------------------------------------------------- */

enum { WARM_UP, DUPLICATE, UNANSWERED }; /* samples.skipped */

static bool to_nanoseconds(struct str number, uint64_t unit, struct decimal *ret)
{
	return number_decimal(number, ret) == NUMBER_OK && decimal_times(*ret, unit, ret);
}

static bool parse_time(const struct answer *a, struct decimal *ret_ns)
{
	const uint64_t minute = UINT64_C(60000000000);
	enum unit unit;

	if (str_eq(a->unit, STR("min")))
		return to_nanoseconds(a->number, minute, ret_ns);
	return unit_parse(a->unit, &unit) && unit_is_time(unit) &&
	       to_nanoseconds(a->number, unit_nanoseconds(unit), ret_ns);
}

static bool add_answer(struct samples *s, const struct block *block, const struct answer *a,
		       bool cut)
{
	struct sample sample = { .layer = a->target, .name = a->operation, .where = a->number };

	if (a->warm_up || a->duplicate) {
		s->skipped[a->warm_up ? WARM_UP : DUPLICATE]++;
		return true;
	}
	if (!parse_time(a, &sample.latency))
		return format_fail(s->in, s->diag, cut ? DIAG_INPUT_TRUNCATED : DIAG_NUMBER_BAD,
				   a->number, "expected a time in ns, us, ms, s or min");
	sample.timed = to_nanoseconds(a->stamp, 1000000000, &sample.start);
	if (sample.timed)
		sample.start.billionths -= sample.latency.billionths;
	else if (s->timed)
		return format_fail(s->in, s->diag, DIAG_INTERVAL_BAD, a->number,
				   "intervals need the time of each answer: ping -D");
	sample.offset = block->at + (uint64_t)(a->number.p - s->in->bytes.p);
	return samples_add(s, &sample, a->number, a->stamp.n > 0 ? a->stamp : a->number);
}

/* Reads "200 packets transmitted, 198 received, 1% packet loss, time 473ms". */
static void take_summary(struct samples *s, struct str line)
{
	struct cursor c = cursor_at(s->in, line);
	uint64_t sent, received;

	if (scan_u64(&c, &sent) && scan_literal(&c, STR(" packets transmitted, ")) &&
	    scan_u64(&c, &received) && received < sent)
		s->skipped[UNANSWERED] += sent - received;
}

/* Whether a line is the beginning of a response, which the end of the file may cut off. */
static bool is_begun(struct str line)
{
	return str_contains(line, STR(" bytes from ")) || str_contains(line, STR(" <<< ")) ||
	       str_contains(line, STR(" >>> "));
}

static bool ping_read_block(void *member, const struct block *block, struct samples *s)
{
	struct str rest = s->in->bytes, line;
	struct answer a;

	(void)member;
	while (text_line(&rest, &line)) {
		bool cut = rest.n == 0 && s->in->bytes.p[s->in->bytes.n - 1] != '\n';

		if (is_answer(line, &a)) {
			if (!add_answer(s, block, &a, cut))
				return false;
		} else if (cut && is_begun(line)) {
			return format_fail(s->in, s->diag, DIAG_INPUT_TRUNCATED, line,
					   "an answer without its time");
		} else {
			take_summary(s, line);
		}
	}
	return true;
}

static bool read_ping(const struct read_task *task)
{
	struct worker_pool_job job = {
		.task = task,
		.sampling = &samples_ns,
		.alone = task->options->build.interval > 0,
		.read = ping_read_block,
		.skipped = { [WARM_UP] = { DIAG_NOT_A_HISTOGRAM, "warm-up requests of ioping" },
			     [DUPLICATE] = { DIAG_NOT_A_HISTOGRAM,
					     "further answers to a request (DUP!)" },
			     [UNANSWERED] = { DIAG_NOT_A_HISTOGRAM,
					      "requests without an answer" } }
	};

	build_drop_single_layer(task->to);
	return worker_pool_read(&job);
}

const struct format format_ping = {
	.name = "ping",
	.title = "ping and ioping: answers, one a line",
	.versions = "iputils 20221126, 20250605, ioping 1.3",
	.unit = "stated after each time",
	.totals = "as printed, to three digits or more",
	.probe = probe_ping,
	.streams = true,
	.parts = MARKS("ping-report"),
	.read = read_ping,
};
