/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bcc-events: tools of bcc and libbpf-tools that print one event a line, with its
 * latency: ext4slower and the other file systems', fileslower, funcslower, runqslower,
 * biosnoop, dbslower, gethostlatency, tcpconnlat, drsnoop ...
 *
 *	Tracing ext4 operations slower than 10 ms
 *	TIME     COMM           PID    T BYTES   OFF_KB   LAT(ms) FILENAME
 *	06:35:01 cron           16464  R 1249    0          16.05 common-auth
 *
 * and the same with commas (ext4slower -j).  The header gives the columns.  A task's name
 * may contain blanks: it ends where the columns after it have the right form.  The
 * operation is the function, or what the letter stands for, after the disk; else it is
 * what the tool measures.  Latencies that the tool omits, according to its banner, are
 * below a threshold.  QUE(ms) is a layer of its own, and so is each STAGE of softirqslower.
 *
 * Seen: the example files of bcc 6d0a964, libbpf-tools 0.26 and 0.37.  Indented lines
 * belong to a stack.
 */
#include <stdio.h>

#include "formats/bcc_line.h"
#include "formats/samples.h"
#include "formats/stream.h"
#include "formats/text.h"
#include "profile/variables.h"

enum { MAX_WORDS = 40, MAX_TASK_WORDS = 8, NAME_ROOM = 160, STACK_INDENT = 4, HEAD_ROOM = 32 };

enum column {
	COLUMN_WORD,
	COLUMN_TASK,
	COLUMN_TIME,
	COLUMN_NUMBER,
	COLUMN_LETTER,
	COLUMN_FUNCTION,
	COLUMN_DISK,
	COLUMN_LATENCY,
	COLUMN_QUEUE,
};

static const struct {
	struct str head;
	enum column column;
	enum unit unit; /* for times and latencies */
} known[] = {
	{ STR_INIT("COMM"), COLUMN_TASK, UNIT_UNKNOWN },
	{ STR_INIT("TASK"), COLUMN_TASK, UNIT_UNKNOWN },
	{ STR_INIT("STAGE"), COLUMN_TASK, UNIT_UNKNOWN },
	{ STR_INIT("TIME"), COLUMN_TIME, UNIT_UNKNOWN },
	{ STR_INIT("TIMESTAMP"), COLUMN_TIME, UNIT_UNKNOWN },
	{ STR_INIT("TIME(s)"), COLUMN_TIME, UNIT_S },
	{ STR_INIT("ENDTIME_us"), COLUMN_TIME, UNIT_US },
	{ STR_INIT("PID"), COLUMN_NUMBER, UNIT_UNKNOWN },
	{ STR_INIT("TID"), COLUMN_NUMBER, UNIT_UNKNOWN },
	{ STR_INIT("UID"), COLUMN_NUMBER, UNIT_UNKNOWN },
	{ STR_INIT("BYTES"), COLUMN_NUMBER, UNIT_UNKNOWN },
	{ STR_INIT("OFF_KB"), COLUMN_NUMBER, UNIT_UNKNOWN },
	{ STR_INIT("OFFSET_b"), COLUMN_NUMBER, UNIT_UNKNOWN },
	{ STR_INIT("SECTOR"), COLUMN_NUMBER, UNIT_UNKNOWN },
	{ STR_INIT("T"), COLUMN_LETTER, UNIT_UNKNOWN },
	{ STR_INIT("D"), COLUMN_LETTER, UNIT_UNKNOWN },
	{ STR_INIT("TYPE"), COLUMN_LETTER, UNIT_UNKNOWN },
	{ STR_INIT("FUNC"), COLUMN_FUNCTION, UNIT_UNKNOWN },
	{ STR_INIT("SOFTIRQ"), COLUMN_FUNCTION, UNIT_UNKNOWN },
	{ STR_INIT("DISK"), COLUMN_DISK, UNIT_UNKNOWN },
	{ STR_INIT("LAT(ms)"), COLUMN_LATENCY, UNIT_MS },
	{ STR_INIT("LAT(us)"), COLUMN_LATENCY, UNIT_US },
	{ STR_INIT("LATms"), COLUMN_LATENCY, UNIT_MS },
	{ STR_INIT("LATENCY_us"), COLUMN_LATENCY, UNIT_US },
	{ STR_INIT("MS"), COLUMN_LATENCY, UNIT_MS },
	{ STR_INIT("QUE(ms)"), COLUMN_QUEUE, UNIT_MS },
};

/* What a tool measures if its rows do not state it, by a column that only this tool has. */
static const struct {
	struct str head, name;
} subjects[] = {
	{ STR_INIT("HOST"), STR_INIT("lookup") },
	{ STR_INIT("DPORT"), STR_INIT("connect") },
	{ STR_INIT("PAGES"), STR_INIT("direct reclaim") },
	{ STR_INIT("QUERY"), STR_INIT("query") },
	{ STR_INIT("FRAGIDX"), STR_INIT("compaction") },
	{ STR_INIT("ZONE"), STR_INIT("compaction") },
};

struct table {
	enum column column[MAX_WORDS];
	size_t n, last; /* last: the last column that is used */
	size_t task, time, letter, function, disk, latency, queue; /* n: there is none */
	enum unit unit, time_unit;
	bool staged;	   /* the task column is the stage that the latency measures */
	size_t after_task; /* offset in the line of the column after the task */
	struct str subject;
	bool commas;
	char head[MAX_WORDS][HEAD_ROOM]; /* names of the columns, truncated */
};

struct words {
	struct str at[MAX_WORDS];
	size_t n;
};

static void split_words(struct str s, bool commas, struct words *ret)
{
	struct str word, rest = s;

	ret->n = 0;
	while (ret->n < MAX_WORDS && rest.n > 0) {
		struct str tail = { rest.p + rest.n, 0 };

		if (!commas) {
			rest = str_trim(rest);
			tail = (struct str){ rest.p + rest.n, 0 };
		}
		word = rest;
		(void)str_cut(rest, commas ? ',' : ' ', &word, &tail);
		ret->at[ret->n++] = word;
		rest = tail;
	}
}

/* --- the head --------------------------------------------------------------------- */

static void set_column(struct table *t, size_t i, enum column column, enum unit unit)
{
	size_t *const at[] = {
		[COLUMN_TASK] = &t->task,     [COLUMN_TIME] = &t->time,
		[COLUMN_LETTER] = &t->letter, [COLUMN_FUNCTION] = &t->function,
		[COLUMN_DISK] = &t->disk,     [COLUMN_LATENCY] = &t->latency,
		[COLUMN_QUEUE] = &t->queue,
	};

	t->column[i] = column;
	if (column == COLUMN_WORD || column == COLUMN_NUMBER)
		return;
	if (*at[column] == t->n)
		*at[column] = i;
	if (column != COLUMN_TASK && column != COLUMN_TIME && t->last < i)
		t->last = i;
	if (column == COLUMN_LATENCY)
		t->unit = unit;
	if (column == COLUMN_TIME)
		t->time_unit = unit;
}

/* A quick test of the beginning, which rejects most rows. */
static bool begins_as_head(struct str s)
{
	static const struct str begins[] = {
		STR_INIT("TIME"), STR_INIT("COMM "),	   STR_INIT("PID "),
		STR_INIT("UID "), STR_INIT("ENDTIME_us,"),
	};

	for (size_t i = 0; i < COUNT_OF(begins); i++) {
		if (s.n > 0 && s.p[0] == begins[i].p[0] && str_has_prefix(s, begins[i]))
			return true;
	}
	return false;
}

static bool parse_head(struct str s, struct table *ret)
{
	struct words w;
	struct table t = { .subject = STR("latency") };

	if (!begins_as_head(s))
		return false;
	t.commas = str_contains(s, STR(",")) && !str_contains(s, STR(" "));
	split_words(s, t.commas, &w);
	t.n = t.task = t.time = t.letter = t.function = t.disk = t.latency = t.queue = w.n;
	for (size_t i = 0; i < w.n; i++) {
		size_t k = 0;

		while (k < COUNT_OF(known) && !str_eq(known[k].head, w.at[i]))
			k++;
		if (k < COUNT_OF(known))
			set_column(&t, i, known[k].column, known[k].unit);
		(void)snprintf(t.head[i], HEAD_ROOM, "%.*s", STR_ARG(w.at[i]));
		for (size_t j = 0; j < COUNT_OF(subjects); j++) {
			if (str_eq(subjects[j].head, w.at[i]))
				t.subject = subjects[j].name;
		}
	}
	t.staged = t.task < t.latency && str_eq(w.at[t.task], STR("STAGE"));
	if (t.task + 1 < t.n)
		t.after_task = (size_t)(w.at[t.task + 1].p - s.p);
	*ret = t;
	if (t.commas && !str_has_prefix(s, STR("ENDTIME_us,TASK,")))
		return false; /* another tool's table */
	return t.latency < t.n && t.latency >= 2 && (t.task < t.n || t.time == 0);
}

static bool is_any_head(struct str line)
{
	struct table ignored;

	return parse_head(line, &ignored);
}

/* --- rows ---------------------------------------------------------------------------- */

struct reader {
	struct stream stream;
	struct table table;
	bool headed, started;
	size_t indent; /* of the header */
	bool run_queue;
	double threshold; /* in threshold_unit; 0: none */
	enum unit threshold_unit;
	struct decimal day, latest; /* in seconds: when the day began; time of the previous row */
};

/* Returns whether the word is "R", or the kernel's kind of request: "WS", "FF", "RA". */
static bool is_letters(struct str word)
{
	enum { MAX_LETTERS = 10 };

	for (size_t i = 0; i < word.n && word.n > 1; i++) {
		if (word.p[i] < 'A' || word.p[i] > 'Z')
			return false;
	}
	return word.n > 0 && word.n <= MAX_LETTERS;
}

static bool suits_column(enum column column, struct str word)
{
	struct decimal number;

	switch (column) {
	case COLUMN_NUMBER:
	case COLUMN_LATENCY:
	case COLUMN_QUEUE:
		return decimal_parse(word, &number);
	case COLUMN_LETTER:
		return is_letters(word);
	case COLUMN_WORD:
	case COLUMN_TASK:
	case COLUMN_TIME:
	case COLUMN_FUNCTION:
	case COLUMN_DISK:
		break;
	}
	return word.n > 0;
}

/* Returns whether the columns have the right form if the task's name has this many words. */
static bool fits_columns(const struct table *t, const struct words *w, size_t task_words)
{
	for (size_t i = 0; i <= t->last; i++) {
		size_t at = i > t->task ? i + task_words - 1 : i;

		if (at >= w->n || !suits_column(t->column[i], w->at[at]))
			return false;
	}
	return true;
}

/* Returns how many words the task's name has after the first.  Columns are aligned with the header
 * unless a name is too long: then the smallest number that fits is taken. */
static size_t extra_words(const struct table *t, const struct words *w, struct str row)
{
	size_t extra = 0;

	for (size_t i = t->task + 1; i < w->n && !t->commas; i++) {
		if ((size_t)(w->at[i].p - row.p) == t->after_task &&
		    fits_columns(t, w, i - t->task))
			return i - t->task - 1;
	}
	while (extra < MAX_TASK_WORDS && !fits_columns(t, w, extra + 1))
		extra++;
	return extra;
}

static bool find_columns(const struct table *t, struct words *w, struct str row)
{
	size_t extra = extra_words(t, w, row);

	if (extra >= MAX_TASK_WORDS)
		return false;
	for (size_t i = t->task + 1; i < w->n && extra > 0; i++)
		w->at[i] = i + extra < w->n ? w->at[i + extra] : STR("");
	return true;
}

static struct str letter_name(struct str letter)
{
	static const struct {
		struct str letter, name;
	} names[] = {
		{ STR_INIT("R"), STR_INIT("read") },  { STR_INIT("W"), STR_INIT("write") },
		{ STR_INIT("O"), STR_INIT("open") },  { STR_INIT("S"), STR_INIT("fsync") },
		{ STR_INIT("F"), STR_INIT("fsync") }, { STR_INIT("G"), STR_INIT("getattr") },
	};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (str_eq(names[i].letter, letter))
			return names[i].name;
	}
	return letter;
}

static struct str row_name(const struct reader *r, const struct words *w, char *room)
{
	const struct table *t = &r->table;
	int n;

	if (t->function < t->n)
		return w->at[t->function];
	if (t->letter < t->n && t->disk < t->n) {
		n = snprintf(room, NAME_ROOM, "%.*s,%.*s", STR_ARG(w->at[t->disk]),
			     STR_ARG(letter_name(w->at[t->letter])));
		return (struct str){ room, n < NAME_ROOM ? (size_t)n : NAME_ROOM - 1 };
	}
	if (t->letter < t->n)
		return letter_name(w->at[t->letter]);
	return r->run_queue ? STR("run queue") : t->subject;
}

/* Returns the time of the row in seconds; times of day continue past midnight.  False without a
 * report where it has none. */
static bool bcc_events_take_time(struct reader *r, struct str word, struct decimal *ret)
{
	double seconds;
	bool bracket;

	if (r->table.time_unit != UNIT_UNKNOWN) {
		if (!decimal_parse(word, ret))
			return false;
		if (r->table.time_unit == UNIT_US)
			ret->billionths /= 1000000;
		return true;
	}
	if ((!bcc_stamp(word, &seconds, &bracket) && text_clock(word, &seconds) != word.n) ||
	    !decimal_from_f64(seconds, ret) || !decimal_add(*ret, r->day, ret))
		return false;
	if (ret->billionths < r->latest.billionths) {
		struct decimal day = decimal_from_u64(24 * 3600);

		r->day.billionths += day.billionths;
		ret->billionths += day.billionths;
	}
	r->latest = *ret;
	return true;
}

static bool find_start(struct reader *r, const struct words *w, struct sample *sample)
{
	const struct table *t = &r->table;
	struct str word = t->time < w->n ? w->at[t->time] : STR("");

	sample->timed = t->time < t->n && bcc_events_take_time(r, word, &sample->start);
	if (sample->timed || !(r->stream.lines.options->build.interval > 0))
		return true;
	if (t->time == t->n)
		return lines_fail(&r->stream.lines, DIAG_COLUMN_MISSING, w->at[0],
				  "intervals need the time of each row: a column TIME");
	return lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, word, "expected a time");
}

/* Returns the resolution of latencies, from their digits after the point. */
static double step_of(struct str latency)
{
	struct str whole, fraction;
	double step = 1;

	if (str_cut(latency, '.', &whole, &fraction)) {
		for (size_t i = 0; i < fraction.n; i++)
			step /= 10;
	}
	return step;
}

static void start_samples(struct reader *r, struct str latency)
{
	bool finer = r->table.unit<r->threshold_unit, coarser = r->table.unit> r->threshold_unit;
	double threshold = finer     ? r->threshold * 1000
			   : coarser ? r->threshold / 1000
				     : r->threshold;
	struct accumulator_options kind = { .unit = r->table.unit,
					    .unit_source = UNIT_STATED,
					    .start_rate = 1,
					    .threshold = threshold,
					    .granularity = step_of(latency) };
	struct lines *l = &r->stream.lines;

	samples_start(&l->samples, l->in, l->options, &kind, l->diag);
	r->started = true;
}

static bool add_sample(struct reader *r, struct sample *sample, struct str latency)
{
	if (!decimal_parse(latency, &sample->latency))
		return lines_fail(&r->stream.lines, DIAG_NUMBER_BAD, latency, "expected a latency");
	if (!r->started)
		start_samples(r, latency);
	sample->where = latency;
	return samples_add(&r->stream.lines.samples, sample, latency, latency);
}

/* Returns the stage: "irq(hard) to softirq". */
static struct str stage_of(const struct table *t, const struct words *w)
{
	struct str first = w->at[t->task], next = w->at[t->task + 1];

	return str_trim((struct str){ first.p, (size_t)(next.p - first.p) });
}

/* Sets all columns as variables, except those that give the operation, the latency and the time. */
static void set_variables(const struct reader *r, const struct words *w, struct str row)
{
	const struct table *t = &r->table;
	struct variables *to = r->stream.lines.options->variables;
	struct str disk = t->disk < t->n ? w->at[t->disk] : STR("");

	for (size_t i = 0; i < t->n && i < w->n; i++) {
		struct str name = str_from(t->head[i]), value = w->at[i];
		enum variable_role role = variable_role_of(name);

		if (i == t->latency || i == t->queue || i == t->function || i == t->time ||
		    (i == t->letter && t->function == t->n) || (i == t->task && t->staged))
			continue;
		/* The last column may contain blanks: a file name. */
		if (i + 1 == t->n && !t->commas && value.n > 0)
			value.n = (size_t)(row.p + row.n - value.p);
		variables_set(to, variables_column(to, name, role), value, disk);
	}
}

static bool bcc_events_read_row(struct reader *r, struct str s)
{
	const struct table *t = &r->table;
	struct sample sample = { .layer = STR("latency") };
	char room[NAME_ROOM];
	struct words w;

	split_words(s, t->commas, &w);
	if (!find_columns(t, &w, s))
		return lines_fail(&r->stream.lines, DIAG_LINE_UNEXPECTED, s,
				  "expected the columns that the head of the table names");
	if (!find_start(r, &w, &sample))
		return false;
	sample.name = row_name(r, &w, room);
	if (t->staged)
		sample.layer = stage_of(t, &w);
	if (r->stream.lines.cut && w.at[t->latency].p + w.at[t->latency].n == s.p + s.n)
		return lines_fail(&r->stream.lines, DIAG_INPUT_TRUNCATED, s,
				  "a latency without the end of its line");
	if (!add_sample(r, &sample, w.at[t->latency]))
		return false;
	if (r->stream.lines.options->variables != NULL)
		set_variables(r, &w, s);
	sample.layer = STR("queue");
	if (r->stream.lines.options->variables != NULL)
		return true; /* the time in the queue is part of the call's latency */
	return t->queue == t->n || str_has_prefix(w.at[t->queue], STR("-")) ||
	       add_sample(r, &sample, w.at[t->queue]); /* -1.000: it was in no queue */
}

/* --- lines ------------------------------------------------------------------------------ */

/* "slower than 10 ms", "higher than 100 us" */
static void read_banner(struct reader *r, struct str s)
{
	struct cursor c = CURSOR_OVER(s);
	struct str word;
	enum unit unit;
	uint64_t n;

	r->run_queue = r->run_queue || str_contains(s, STR("run queue latency"));
	if (!scan_past(&c, STR("er than ")) || !scan_u64(&c, &n) || !scan_word(&c, &word))
		return;
	word.n = str_find(word, STR("."));
	if (unit_parse(word, &unit) && (unit == UNIT_US || unit == UNIT_MS)) {
		r->threshold = (double)n;
		r->threshold_unit = unit;
	}
}

static bool read_head(struct reader *r, const struct table *table, struct str s, size_t indent)
{
	if (r->started && table->unit != r->table.unit)
		return lines_fail(&r->stream.lines, DIAG_UNIT_CLASH, s,
				  "two tables of different units");
	r->table = *table;
	r->headed = true;
	r->indent = indent;
	return true;
}

static bool bcc_events_line(void *reader)
{
	struct reader *r = reader;
	struct str s = r->stream.lines.text;
	struct str rest = str_skip(r->stream.lines.in->bytes, r->stream.lines.at);
	size_t indent = run_length(' ', rest.p, rest.n);
	struct table table;

	if (s.n == 0)
		return true;
	if (parse_head(s, &table))
		return read_head(r, &table, s, indent);
	if (bcc_banner(s))
		read_banner(r, s);
	if (!r->headed || bcc_banner(s) || bcc_farewell(s) || indent >= r->indent + STACK_INDENT)
		return true;
	return bcc_events_read_row(r, s);
}

const struct format format_bcc_events = {
	.name = "bcc-events",
	.title = "bcc and libbpf-tools: ext4slower, runqslower, biosnoop ...",
	.versions = "bcc 0.19 on, libbpf-tools 0.26, 0.37",
	.unit = "stated in the head",
	.totals = "exact",
	.has_line = is_any_head,
	.streams = true,
	.read = stream_read,
	.spec = &(const struct line_format){ .size = sizeof(struct reader),
					     .line = bcc_events_line,
					     .drop_single_layer = true },
};
