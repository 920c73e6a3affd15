/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * postgresql: durations in the log of a PostgreSQL server, from log_min_duration_statement,
 * log_min_duration_sample, log_duration and auto_explain: in text with any log_line_prefix, in CSV
 * and in JSON.
 *
 *	2026-11-22 12:14:05.169 UTC [16862] user@shop LOG:  duration: 0.340 ms  parse P_1: UPDATE t
 *		SET n = n + $1
 *	2026-11-22 12:14:05.808 UTC,"user","shop",...,LOG,00000,"duration: 0.322 ms  statement: ...
 *	{"timestamp":"2026-11-22 12:14:05.808 UTC",...,"message":"duration: 0.322 ms  plan:\nQue...
 *
 * The layer is the action: statement, parse, bind, execute, fastpath, plan (auto_explain); the
 * operation is the statement's first word.  log_duration by itself logs no statement: then the
 * layer is duration, the operation any.  Time stamps are those of the end.
 *
 * If only slow statements are logged, the threshold is not stated; a note points it out if all took
 * a millisecond or longer.
 *
 * Seen: 15.18.  Not read: messages in languages other than English.
 */
#include "formats/carried.h"
#include "formats/event_clock.h"
#include "formats/samples.h"
#include "formats/shortest.h"
#include "formats/storage/statement.h"
#include "formats/stream.h"
#include "formats/text.h"

enum syntax { SYNTAX_UNKNOWN, SYNTAX_TEXT, SYNTAX_CSV, SYNTAX_JSON };

/* Recognizes "2026-11-22 12:14:05.169 UTC,": only CSV has a comma there. */
static bool begins_row(struct str line)
{
	struct decimal ns;
	size_t n = event_date_time(line, &ns);
	struct str zone;

	return n > 0 && str_cut(str_skip(line, n), ',', &zone, &line) && zone.n > 1 &&
	       zone.p[0] == ' ' && !str_contains(str_skip(zone, 1), STR(" "));
}

/* Finds the file's syntax; false if the line does not show it. */
static bool reports_syntax(struct str line, enum syntax *ret)
{
	struct decimal ns;

	if (str_has_prefix(line, STR("{\"timestamp\":\"")))
		*ret = SYNTAX_JSON;
	else if (begins_row(line))
		*ret = SYNTAX_CSV;
	else if (event_date_time(line, &ns) > 0)
		*ret = SYNTAX_TEXT;
	else
		return false;
	return true;
}

/* Finds "... LOG:  duration: ": text directly after a severity is the beginning of a message. */
static bool find_in_text(struct str line, struct str *ret_front, struct str *ret_rest)
{
	size_t at = str_find(line, STR(":  "));

	*ret_front = (struct str){ line.p, at };
	*ret_rest = str_skip(line, at + sizeof(":  ") - 1);
	return at < line.n && str_has_suffix(*ret_front, STR("LOG"));
}

static bool find_after(struct str line, struct str mark, struct str *ret_front,
		       struct str *ret_rest)
{
	size_t at = str_find(line, mark);

	*ret_front = (struct str){ line.p, at };
	*ret_rest = str_skip(line, at + mark.n);
	return at < line.n;
}

/* Finds the beginning of a message, which includes a quote and therefore cannot occur in a string,
 * where quotes are escaped. */
static bool find_message(enum syntax syntax, struct str line, struct str *ret_front,
			 struct str *ret_rest)
{
	switch (syntax) {
	case SYNTAX_UNKNOWN:
	case SYNTAX_TEXT:
		return find_in_text(line, ret_front, ret_rest);
	case SYNTAX_CSV:
		return find_after(line, STR(",LOG,00000,\""), ret_front, ret_rest);
	case SYNTAX_JSON:
		return find_after(line, STR("\"message\":\""), ret_front, ret_rest);
	}
	return false;
}

/* *ret_front is the text before the message, *ret_rest the text after "duration: ". */
static bool find_duration(enum syntax syntax, struct str line, struct str *ret_front,
			  struct str *ret_rest)
{
	static const struct str duration = STR_INIT("duration: ");

	if (!find_message(syntax, line, ret_front, ret_rest) ||
	    !str_has_prefix(*ret_rest, duration))
		return false;
	*ret_rest = str_skip(*ret_rest, duration.n);
	return true;
}

static enum probe probe_postgresql(struct str head, struct clue *clue)
{
	struct str line, rest = head, front, after;
	enum syntax syntax = SYNTAX_UNKNOWN;

	while (text_line(&rest, &line)) {
		if (syntax == SYNTAX_UNKNOWN)
			(void)reports_syntax(line, &syntax);
		if (find_duration(syntax, line, &front, &after))
			return PROBE_MAGIC;
		if (syntax <= SYNTAX_TEXT && find_in_text(line, &front, &after) &&
		    str_has_prefix(after, STR("starting PostgreSQL ")))
			probe_near(clue, head, after,
				   "no duration in its log: "
				   "log_min_duration_statement");
	}
	return PROBE_NO;
}

/* --- statements ------------------------------------------------------------------- */

struct reader {
	struct stream stream;
	struct samples samples;
	enum syntax syntax; /* text, until a line shows another one */
	bool timed;	    /* intervals are wanted */
	struct shortest shortest;

	/* The current duration. */
	bool goes_on; /* the message may continue on the next line */
	bool pending; /* the first word of the statement is still missing */
	bool of_plan;
	struct statement statement;
	struct input begun; /* first line of a pending message */
	struct str begun_at;
	bool has_start;
	struct decimal ms, start;
	struct str layer; /* static */
};

static bool add_sample(struct reader *r, struct str name, struct str where)
{
	struct sample sample = {
		.layer = r->layer, .name = name, .latency = r->ms, .start = r->start, .where = where
	};

	sample.timed = r->has_start;

	shortest_add(&r->shortest, r->ms);
	return samples_add(&r->samples, &sample, where, where);
}

/* Marks the message as pending until the next line; false when an error was reported. */
static bool wait_for_more(struct reader *r)
{
	const struct lines *l = &r->stream.lines;

	if (l->cut)
		return lines_fail(l, DIAG_INPUT_TRUNCATED, str_skip(l->text, l->text.n),
				  "expected the rest of a statement");
	if (!r->pending) {
		r->begun_at = input_keep_line(l->in, l->text, &r->begun);
		r->begun.passing = true;
	}
	r->pending = true;
	return true;
}

static void end_waiting(struct reader *r)
{
	if (r->pending)
		input_release(&r->begun);
	r->pending = false;
}

static bool add_here(struct reader *r, struct str name)
{
	end_waiting(r);
	return add_sample(r, name, r->stream.lines.text);
}

/* Reads the part of a statement on a line; false when an error was reported. */
static bool read_statement(struct reader *r, struct str text)
{
	const struct lines *l = &r->stream.lines;
	struct str word, where;

	switch (statement_seek(&r->statement, text, &word, &where)) {
	case STATEMENT_WORD_FOUND:
		return l->cut && where.p + where.n == text.p + text.n
			       ? lines_fail(l, DIAG_INPUT_TRUNCATED, str_skip(where, where.n),
					    "expected the rest of a statement")
			       : add_here(r, word);
	case STATEMENT_NONE:
		return add_here(r, STR("other"));
	case STATEMENT_MORE:
		break;
	}
	return r->goes_on ? wait_for_more(r) : add_here(r, STR("other"));
}

/* Reads auto_explain's line after "plan:"; its other formats do not begin with this title. */
static bool read_query_text(struct reader *r, struct str line)
{
	static const struct str title = STR_INIT("Query Text: ");

	r->of_plan = false;
	return str_has_prefix(line, title) ? read_statement(r, str_skip(line, title.n))
					   : add_here(r, STR("any"));
}

/* Reads "statement: SELECT", "parse P_1: UPDATE", "plan:". */
static bool read_deed(struct reader *r, struct str deed)
{
	static const struct str deeds[] = { STR_INIT("statement"), STR_INIT("parse"),
					    STR_INIT("bind"),	   STR_INIT("execute"),
					    STR_INIT("plan"),	   STR_INIT("fastpath") };
	struct str name, text;
	size_t i;

	for (i = 0; i < COUNT_OF(deeds) && !str_has_prefix(deed, deeds[i]); i++)
		;
	if (i == COUNT_OF(deeds) || !str_cut(deed, ':', &name, &text))
		return lines_fail(&r->stream.lines, DIAG_LINE_UNEXPECTED, deed,
				  "expected statement:, parse, bind, execute, fastpath or plan:");
	r->layer = deeds[i];
	r->of_plan = str_eq(name, STR("plan"));
	if (!r->of_plan)
		return read_statement(r, text);
	return r->goes_on ? wait_for_more(r)
			  : read_query_text(
				    r, str_skip(text, str_has_prefix(text, STR("\\n")) ? 2 : 0));
}

/* Finds the start of a statement from the text before its duration. */
static bool find_start(struct reader *r, struct str front)
{
	const decimal_int million = 1000000;

	for (struct str s = front; s.n > 0; s = str_skip(s, 1)) {
		if (is_digit(s.p[0]) && event_date_time(s, &r->start) > 0) {
			r->start.billionths -= r->ms.billionths * million;
			return true;
		}
	}
	return false;
}

/* Reads "0.340 ms  parse P_1: UPDATE t", the text after "duration: ". */
static bool postgresql_read_duration(struct reader *r, struct str front, struct str rest)
{
	const struct lines *l = &r->stream.lines;
	struct str digits = rest, deed = { rest.p + rest.n, 0 }, unit;

	(void)str_cut(rest, ' ', &digits, &deed);
	if (!decimal_parse(digits, &r->ms) || r->ms.billionths < 0 || !is_digit(digits.p[0]))
		return lines_fail(l, DIAG_NUMBER_BAD, digits, "expected a duration in ms");
	unit = deed;
	deed = str_trim(str_skip(deed, sizeof("ms") - 1));
	if (!str_has_prefix(unit, STR("ms")))
		return lines_fail(l, DIAG_LINE_UNEXPECTED, unit, "expected ms");
	r->has_start = find_start(r, front);
	if (r->timed && !r->has_start)
		return lines_fail(&r->stream.lines, DIAG_INTERVAL_BAD, front,
				  "intervals need dates and times: %%m in log_line_prefix");
	r->statement = (struct statement){ .in_json = r->syntax == SYNTAX_JSON };
	if (deed.n == 0 || deed.p[0] == '"') {
		r->layer = STR("duration");
		return l->cut ? lines_fail(l, DIAG_INPUT_TRUNCATED, str_skip(rest, rest.n),
					   "expected a newline")
			      : add_here(r, STR("any"));
	}
	return read_deed(r, deed);
}

/* Returns the part of a line that belongs to the message; in CSV, up to a quote that is not
 * doubled. */
static struct str cut_message(struct reader *r, struct str s)
{
	r->goes_on = r->syntax != SYNTAX_JSON;
	for (size_t i = 0; r->syntax == SYNTAX_CSV && i < s.n; i++) {
		if (s.p[i] != '"')
			continue;
		if (i + 1 < s.n && s.p[i + 1] == '"') {
			i++;
			continue;
		}
		r->goes_on = false;
		s.n = i;
	}
	return s;
}

/* Whether the line continues a message: in text, such lines begin with a tab. */
static bool is_more(const struct reader *r)
{
	const struct lines *l = &r->stream.lines;

	return r->syntax <= SYNTAX_TEXT ? l->in->bytes.p[l->at] == '\t' : r->pending;
}

/* Ends a message whose statement has no word. */
static bool end_message(struct reader *r)
{
	struct input *source = r->samples.in;
	bool ok;

	if (!r->pending)
		return true;
	r->samples.in = &r->begun;
	ok = add_sample(r, r->of_plan ? STR("any") : STR("other"), r->begun_at);
	r->samples.in = source;
	end_waiting(r);
	return ok;
}

static bool postgresql_read_line(struct reader *r)
{
	struct str line = r->stream.lines.text, front, rest;

	if (r->syntax == SYNTAX_UNKNOWN)
		(void)reports_syntax(line, &r->syntax);
	if (is_more(r)) {
		if (!r->pending)
			return true;
		line = cut_message(r, line);
		return r->of_plan ? read_query_text(r, line) : read_statement(r, line);
	}
	return end_message(r) && (!find_duration(r->syntax, line, &front, &rest) ||
				  postgresql_read_duration(r, front, cut_message(r, rest)));
}

/* Ends the input.  It is an error if a field of CSV is not closed, unless the next piece may close
 * it. */
static bool read_end(struct reader *r, bool goes_on, struct diag *diag)
{
	if (!r->pending || (r->syntax != SYNTAX_CSV && !goes_on))
		return end_message(r);
	diag_part(diag, DIAG_INPUT_TRUNCATED, &r->begun, r->begun_at,
		  "expected the rest of a statement");
	return false;
}

static bool read_postgresql(const struct read_task *task)
{
	static const struct accumulator_options kind = {
		.unit = UNIT_MS, .unit_source = UNIT_STATED, .start_rate = 1e9, .granularity = 1e-3
	};
	struct reader r = { .timed = task->options->build.interval > 0 };
	struct carried *carried = task->options->carried;
	bool ok = true;

	carried_copy(carried, CARRIED_KIND, &r.syntax);
	stream_start(&r.stream, task->in, task->to, task->diag);
	samples_start(&r.samples, r.stream.lines.in, task->options, &kind, task->diag);
	while (ok && stream_next(&r.stream))
		ok = postgresql_read_line(&r);
	ok = stream_end(&r.stream) && ok && read_end(&r, carried_goes_on(carried), task->diag) &&
	     accumulator_push(r.samples.accumulator, task->to);
	samples_release(&r.samples);
	end_waiting(&r);
	carried_leave_bytes(carried, CARRIED_KIND, &r.syntax, sizeof(r.syntax));
	if (ok)
		shortest_report(&r.shortest, UNIT_MS,
				"log_min_duration_statement is not in the log", task->in,
				task->diag);
	return ok;
}

const struct format format_postgresql = {
	.name = "postgresql",
	.title = "logs of PostgreSQL: durations of statements",
	.versions = "15.18",
	.unit = "stated",
	.totals = "exact, in steps of 1 us",
	.probe = probe_postgresql,
	.streams = true,
	.read = read_postgresql,
};
