/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/run_files.h"

#include <string.h>

#include "base/scan.h"
#include "formats/text.h"

/*
 * A pattern consists of literal characters and
 *
 * 	*  anything, the stem
 * 	#  digits, the part
 * 	@  digits, the run
 * 	%  anything without _, the layer
 * 	^  capital letters and dashes, the part
 */
struct row {
	const char *tool, *format, *pattern, *layer;
	enum run_file_kind kind;
	unsigned flags;
};

enum { PROCESSES = 1, JOINS = 2, ONLY_LAYER = 4 }; /* flags for members of struct run_file */

#define FIO_LOGS(format, suffix, layer, kind)                                                      \
	{ "fio", format, "*_" suffix ".#.log", layer, kind, JOINS },                               \
	{                                                                                          \
		"fio", format, "*_" suffix ".log", layer, kind, JOINS                              \
	}

/* The first row counts whose pattern matches the name and whose format the file has. */
static const struct row rows[] = {
	/* write_lat_log, write_hist_log, write_bw_log, write_iops_log; # is the job */
	FIO_LOGS("fio-log", "clat", "clat", RUN_FILE_PART),
	FIO_LOGS("fio-log", "slat", "slat", RUN_FILE_PART),
	FIO_LOGS("fio-log", "lat", "lat", RUN_FILE_PART),
	FIO_LOGS("fio-hist-log", "clat_hist", "clat", RUN_FILE_AGAIN),
	FIO_LOGS(NULL, "bw", NULL, RUN_FILE_OTHER),
	FIO_LOGS(NULL, "iops", NULL, RUN_FILE_OTHER),
	{ "fio", "fio", "*", NULL, RUN_FILE_REPORT, 0 },
	{ "fio", "fio-terse", "*", NULL, RUN_FILE_REPORT, 0 },
	/* -ff -o x: x.PID */
	{ "strace", "strace", "*.#", NULL, RUN_FILE_PART, PROCESSES },
	/* -l: pgbench_log.PID of the first thread, pgbench_log.PID.N of the others */
	{ "pgbench", "pgbench", "*.@.#", NULL, RUN_FILE_PART, 0 },
	{ "pgbench", "pgbench", "*.@", NULL, RUN_FILE_PART, 0 },
	/* trace_stat/functionN, one per processor */
	{ "ftrace", "function-profile", "function#", NULL, RUN_FILE_PART, 0 },
	/* -l, -q, -z: x_8,0_d2c.dat, one per device; what btt writes by default holds rates */
	{ "btt", "btt-dat", "*_%_d2c.dat", NULL, RUN_FILE_PART, JOINS | ONLY_LAYER },
	{ "btt", "btt-dat", "*_%_q2c.dat", NULL, RUN_FILE_PART, JOINS | ONLY_LAYER },
	{ "btt", "btt-dat", "*_%_q2d.dat", NULL, RUN_FILE_PART, JOINS | ONLY_LAYER },
	{ "btt", NULL, "*_iops_fp.dat", NULL, RUN_FILE_OTHER, 0 },
	{ "btt", NULL, "*_mbps_fp.dat", NULL, RUN_FILE_OTHER, 0 },
	{ "btt", NULL, "*_qhist.dat", NULL, RUN_FILE_OTHER, 0 },
	{ "btt", NULL, "*_dhist.dat", NULL, RUN_FILE_OTHER, 0 },
	{ "btt", NULL, "*_aqd.dat", NULL, RUN_FILE_OTHER, 0 },
	/* hdrhistogram.fileoutput: READ.hdr, Intended-READ.hdr */
	{ "ycsb", "hlog", "*Intended-^.hdr", NULL, RUN_FILE_PART, JOINS },
	{ "ycsb", "hlog", "*^.hdr", NULL, RUN_FILE_PART, JOINS },
	/* --hdr-file-prefix: one per command, then all commands together; as a log, then as
	 * percentiles */
	{ "memtier", "hlog", "*_FULL_RUN_@.hgrm", NULL, RUN_FILE_AGAIN, 0 },
	{ "memtier", "hgrm", "*_FULL_RUN_@.txt", NULL, RUN_FILE_AGAIN, 0 },
	{ "memtier", "hlog", "*_%_command_run_@.hgrm", NULL, RUN_FILE_PART, 0 },
	{ "memtier", "hgrm", "*_%_command_run_@.txt", NULL, RUN_FILE_AGAIN, 0 },
	/* --csv */
	{ "locust", "locust", "*_stats.csv", NULL, RUN_FILE_PART, 0 },
	{ "locust", NULL, "*_stats_history.csv", NULL, RUN_FILE_OTHER, 0 },
	{ "locust", NULL, "*_failures.csv", NULL, RUN_FILE_OTHER, 0 },
	{ "locust", NULL, "*_exceptions.csv", NULL, RUN_FILE_OTHER, 0 },
	/* target/criterion/BENCHMARK/new */
	{ "criterion", "criterion", "raw.csv", NULL, RUN_FILE_PART, 0 },
	{ "criterion", "criterion", "sample.json", NULL, RUN_FILE_AGAIN, 0 },
	{ "criterion", NULL, "estimates.json", NULL, RUN_FILE_OTHER, 0 },
	{ "criterion", NULL, "benchmark.json", NULL, RUN_FILE_OTHER, 0 },
	{ "criterion", NULL, "tukey.json", NULL, RUN_FILE_OTHER, 0 },
	/* -trace_rtt, -trace_stat; @ is the process */
	{ "sipp", "sipp", "*_@_rtt.csv", NULL, RUN_FILE_PART, 0 },
	{ "sipp", "sipp", "*_@_.csv", NULL, RUN_FILE_AGAIN, 0 },
};

/* Returns the number of bytes at the start of s that a sign can match. */
static size_t span_of(char sign, struct str s)
{
	size_t n = 0;

	while (n < s.n && (sign == '*'	 ? true
			   : sign == '%' ? s.p[n] != '_'
			   : sign == '^' ? (s.p[n] >= 'A' && s.p[n] <= 'Z') || s.p[n] == '-'
					 : is_digit(s.p[n])))
		n++;
	return n;
}

static struct str *meaning_of(char sign, struct run_file *f)
{
	switch (sign) {
	case '*':
		return &f->stem;
	case '@':
		return &f->run;
	case '%':
		return &f->layer;
	case '#':
	case '^':
		return &f->part;
	default:
		return NULL;
	}
}

/* The stem matches as little as possible, any other sign as much as possible. */
static bool matches_pattern(const char *pattern, struct str s, struct run_file *f)
{
	struct str *meaning = meaning_of(*pattern, f);
	bool stem = *pattern == '*';
	size_t min = stem ? 0 : 1, max;

	if (*pattern == '\0')
		return s.n == 0;
	if (meaning == NULL)
		return s.n > 0 && s.p[0] == *pattern &&
		       matches_pattern(pattern + 1, str_skip(s, 1), f);
	max = span_of(*pattern, s);
	for (size_t i = min; i <= max; i++) {
		size_t n = stem ? i : max - (i - min);

		if (matches_pattern(pattern + 1, str_skip(s, n), f)) {
			*meaning = (struct str){ s.p, n };
			return true;
		}
	}
	return false;
}

static struct str base_name(struct str path)
{
	size_t slash;

	path = text_expanded_name(path);
	slash = str_find_last(path, STR("/"));
	return slash < path.n ? str_skip(path, slash + 1) : path;
}

size_t run_file_rows(void)
{
	return COUNT_OF(rows);
}

bool run_file_match(size_t row, struct str path, struct run_file *ret)
{
	const struct row *r = &rows[row];
	struct run_file f = {
		.tool = r->tool,
		.format = r->format,
		.kind = r->kind,
		.processes = (r->flags & PROCESSES) != 0,
		.joins = (r->flags & JOINS) != 0,
		.only_layer = (r->flags & ONLY_LAYER) != 0,
		.stem = STR(""),
		.run = STR(""),
		.part = STR(""),
		.layer = r->layer != NULL ? str_from(r->layer) : STR(""),
	};

	if (!matches_pattern(r->pattern, base_name(path), &f))
		return false;
	*ret = f;
	return true;
}

/* Returns whether fio wrote means (log_avg_msec): "26, 76693, 0, 0, 0", where the size of a mean is
 * 0. */
static bool is_mean_of_fio(struct input *in)
{
	struct cursor c = cursor_on(in), line;
	uint64_t field[4];

	if (!scan_line(&c, &line))
		return false;
	for (size_t i = 0; i < COUNT_OF(field); i++) {
		if (i > 0 && !scan_char(&line, ','))
			return false;
		scan_blanks(&line);
		if (!scan_u64(&line, &field[i]))
			return false;
	}
	return field[2] <= 2 && field[3] == 0;
}

bool run_file_has_means(const struct input *in)
{
	struct input head = { .bytes = in->bytes };

	return is_mean_of_fio(&head);
}
