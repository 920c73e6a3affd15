/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mysql-slow: the slow query log of MySQL, MariaDB and Percona Server.
 *
 *	# Time: 261122 12:34:14
 *	# User@Host: shop[shop] @ localhost []
 *	# Query_time: 0.010139  Lock_time: 0.000092  Rows_sent: 1  Rows_examined: 40000
 *	use `shop`;
 *	SET timestamp=1795350854;
 *	SELECT count(*)
 *	  FROM orders;
 *	# Query_time: 0.000011  Lock_time: 0.000000 ...
 *	# administrator command: Quit;
 *
 * Query_time and Lock_time are layers, in s; the operation is the statement's first word, or
 * "administrator command" for a protocol command.  The timestamp is the start of a statement.
 *
 * The threshold for logging (long_query_time) is not stated; a note points it out if all statements
 * took a millisecond or longer.
 *
 * Seen: MariaDB 10.11, MySQL 5.0 and 5.7.
 */
#include "formats/samples.h"
#include "formats/shortest.h"
#include "formats/storage/statement.h"
#include "formats/stream.h"
#include "formats/text.h"

static const struct str title = STR_INIT("# Query_time: ");

enum { QUERY, LOCK, TIMES };

struct reader {
	struct stream stream;
	struct samples samples;
	struct shortest shortest;
	bool timed;

	/* The current query, whose statement follows. */
	bool pending, has_start;
	struct decimal time[TIMES], start;
	struct statement statement;
	struct input begun; /* its line with the times */
	struct str begun_at;
};

/* --- the times of a query ------------------------------------------------------------ */

static bool add_query(struct reader *r, struct str name)
{
	static const struct str layers[TIMES] = { STR_INIT("Query_time"), STR_INIT("Lock_time") };
	struct str where = r->stream.lines.text;

	if (r->timed && !r->has_start)
		return lines_fail(&r->stream.lines, DIAG_INTERVAL_BAD, where,
				  "intervals need a timestamp of each statement");
	for (size_t i = 0; i < TIMES; i++) {
		struct sample sample = { .layer = layers[i],
					 .name = name,
					 .latency = r->time[i],
					 .start = r->start,
					 .timed = r->has_start,
					 .where = where };

		if (!samples_add(&r->samples, &sample, where, where))
			return false;
	}
	shortest_add(&r->shortest, r->time[QUERY]);
	r->pending = false;
	input_release(&r->begun);
	return true;
}

/* Parses "0.010139" after a title. */
static bool mysql_slow_read_time(struct reader *r, struct str digits, struct decimal *ret)
{
	return (decimal_parse(digits, ret) && ret->billionths >= 0) ||
	       lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, digits, "expected seconds");
}

/* Reads "# Query_time: 0.010139  Lock_time: 0.000092 Rows_sent: 1". */
static bool read_times(struct reader *r)
{
	const struct lines *l = &r->stream.lines;
	struct cursor c = cursor_at(l->in, str_skip(l->text, title.n));
	struct str query, lock, word;

	if (r->pending && !add_query(r, STR("other"))) /* the statement had only comments */
		return false;
	if (!scan_word(&c, &query) || !scan_word(&c, &word) || !str_eq(word, STR("Lock_time:")) ||
	    !scan_word(&c, &lock) || !scan_word(&c, &word))
		return lines_fail(l, DIAG_LINE_UNEXPECTED, l->text,
				  "expected # Query_time: SECONDS  Lock_time: SECONDS and more");
	if (!mysql_slow_read_time(r, query, &r->time[QUERY]) ||
	    !mysql_slow_read_time(r, lock, &r->time[LOCK]))
		return false;
	r->pending = true;
	r->has_start = false;
	r->statement = (struct statement){ .in_comment = false };
	r->begun_at = input_keep_line(l->in, l->text, &r->begun);
	return true;
}

/* --- the lines after ---------------------------------------------------------------- */

/* Reads "SET last_insert_id=3,timestamp=1795350854;", which the server writes before a statement.
 */
static bool read_timestamp(struct reader *r, bool *ret_is_one)
{
	static const struct str name = STR_INIT("timestamp=");
	struct str line = r->stream.lines.text, digits;
	size_t at = str_find(line, name);

	*ret_is_one = !r->has_start && str_has_prefix(line, STR("SET ")) && at < line.n;
	if (!*ret_is_one)
		return true;
	if (!str_cut(str_skip(line, at + name.n), ';', &digits, &line) ||
	    !decimal_parse(digits, &r->start))
		return lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, str_skip(line, at),
				  "expected timestamp=SECONDS;");
	r->has_start = true;
	return true;
}

static bool read_statement(struct reader *r)
{
	const struct lines *l = &r->stream.lines;
	struct str word, where;

	switch (statement_seek(&r->statement, l->text, &word, &where)) {
	case STATEMENT_WORD_FOUND:
		return l->cut && where.p + where.n == l->text.p + l->text.n
			       ? lines_fail(l, DIAG_INPUT_TRUNCATED, str_skip(where, where.n),
					    "expected the rest of a statement")
			       : add_query(r, word);
	case STATEMENT_NONE:
		return add_query(r, STR("other"));
	case STATEMENT_MORE:
		break;
	}
	return true;
}

static bool read_pending(struct reader *r)
{
	struct str line = r->stream.lines.text;
	bool timestamp;

	if (str_has_prefix(line, STR("# administrator command: ")))
		return add_query(r, STR("administrator command"));
	if (str_has_prefix(line, STR("#")) || line.n == 0 ||
	    (!r->has_start && !r->statement.in_comment && str_has_prefix(line, STR("use "))))
		return true;
	return read_timestamp(r, &timestamp) && (timestamp || read_statement(r));
}

static bool mysql_slow_read_line(struct reader *r)
{
	if (str_has_prefix(r->stream.lines.text, title))
		return read_times(r);
	return !r->pending || read_pending(r);
}

static bool read_end(struct reader *r, struct diag *diag)
{
	if (r->pending)
		diag_part(diag, DIAG_INPUT_TRUNCATED, &r->begun, r->begun_at,
			  "no statement after it");
	return !r->pending;
}

static bool read_mysql_slow(const struct read_task *task)
{
	static const struct accumulator_options kind = {
		.unit = UNIT_S, .unit_source = UNIT_STATED, .start_rate = 1, .granularity = 1e-6
	};
	struct reader r = { .timed = task->options->build.interval > 0 };
	bool ok = true;

	stream_start(&r.stream, task->in, task->to, task->diag);
	samples_start(&r.samples, r.stream.lines.in, task->options, &kind, task->diag);
	while (ok && stream_next(&r.stream))
		ok = mysql_slow_read_line(&r);
	ok = stream_end(&r.stream) && ok && read_end(&r, task->diag) &&
	     accumulator_push(r.samples.accumulator, task->to);
	samples_release(&r.samples);
	if (r.pending)
		input_release(&r.begun);
	if (ok)
		shortest_report(&r.shortest, UNIT_S, "long_query_time is not in the log", task->in,
				task->diag);
	return ok;
}

const struct format format_mysql_slow = {
	.name = "mysql-slow",
	.title = "slow query logs of MySQL and its forks",
	.versions = "MariaDB 10.11, MySQL 5.0, 5.7",
	.unit = "s, always",
	.totals = "exact, in steps of 1 us",
	.line_marks =
		LINE_MARKS({ .has = MARKS("# Query_time: ", " Lock_time: "), .score = PROBE_MAGIC },
			   { .has = MARKS("Time", "Id Command"), .why = "no # Query_time" }),
	.streams = true,
	.read = read_mysql_slow,
};
