/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/foreign.h"

#include <string.h>

#include "base/diag.h"
#include "base/input/input.h"
#include "base/out.h"
#include "formats/text.h"

/* Bytes at an offset that identify a kind of file. */
struct mark {
	size_t at;
	struct str bytes;
	struct foreign foreign;
};

#define MARK_OF(at, bytes, what, advice, calls, folder, packed)                                    \
	{                                                                                          \
		at, STR_INIT(bytes),                                                               \
		{                                                                                  \
			what, advice, calls, folder, packed                                        \
		}                                                                                  \
	}
#define MARK(at, bytes, what, advice) MARK_OF(at, bytes, what, advice, NULL, false, false)
#define MARK_CALLS(at, bytes, what, advice, calls)                                                 \
	MARK_OF(at, bytes, what, advice, calls, false, false)
#define MARK_FOLDER(at, bytes, what, advice) MARK_OF(at, bytes, what, advice, NULL, true, false)
#define MARK_PACKED(at, bytes, what, advice) MARK_OF(at, bytes, what, advice, NULL, false, true)

static const char unpack[] = "unpack it, and read what is in it";
static const char export[] = "export a table as CSV and read that";
static const char tshark[] = "`tshark -q -r % -z smb2,srt | osprof show -` reads it, and so other "
			     "protocols";

/* The first match counts, so longer marks stand before their own prefixes. */
static const struct mark marks[] = {
	/* recordings of tools */
	MARK_CALLS(0, "PERFILE2", "data of perf record",
		   "`perf script -i % | osprof show -` reads it",
		   "sampled stacks do not tell when calls begin and end; record them with "
		   "`uftrace record`, or with `trace-cmd record -p function_graph`"),
	MARK_CALLS(0, "\x17\x08\x44tracing", "data of trace-cmd record",
		   "`trace-cmd report % | osprof show -` reads it",
		   "`trace-cmd report -t % | osprof causes - --function NAME` reads it, if it was "
		   "recorded with -p function_graph"),
	MARK_OF(0, "Ftrace!", "data of uftrace record",
		"`uftrace dump --chrome -d % | osprof show -` reads it",
		"`osprof causes % --function NAME` reads the folder", true, false),
	MARK_FOLDER(0, "\x57\x1d\xd1\x75", "a trace in CTF, as LTTng records it",
		    "`babeltrace2 % | osprof show -` reads it"),
	MARK_FOLDER(0, "/* CTF ", "a trace in CTF, as LTTng records it",
		    "`babeltrace2 % | osprof show -` reads it"),
	MARK(0, "\xc1\x1f\xfc\xc1", "a stream of a trace in CTF",
	     "`babeltrace2 FOLDER | osprof show -` reads the folder that it belongs to"),
	MARK(0, "\xc1\xfc\x1f\xc1", "a stream of a trace in CTF",
	     "`babeltrace2 FOLDER | osprof show -` reads the folder that it belongs to"),
	MARK(0, "\x07\x74\x61\x65", "data of blktrace", "`blkparse -i % | osprof show -` reads it"),
	MARK(0, "\x65\x61\x74\x07", "data of blktrace", "`blkparse -i % | osprof show -` reads it"),
	MARK(0, "\xd4\xc3\xb2\xa1", "a capture of packets (pcap)", tshark),
	MARK(0, "\xa1\xb2\xc3\xd4", "a capture of packets (pcap)", tshark),
	MARK(0, "\x4d\x3c\xb2\xa1", "a capture of packets (pcap)", tshark),
	MARK(0, "\xa1\xb2\x3c\x4d", "a capture of packets (pcap)", tshark),
	MARK(0, "FLR\0", "a recording of Java Flight Recorder",
	     "`jfr print` and `jfr summary` show it, osprof does not read it"),
	MARK(0, "JAVA PROFILE 1.0", "a dump of Java's heap", NULL),
	MARK(0, "LPKSHHRH", "a journal of systemd",
	     "`journalctl --file % -o cat | osprof show -` reads what was logged"),
	MARK(0, "\x7f\x45\x4c\x46", "a program or a library (ELF)",
	     "`osprof record -- PROGRAM` runs one and profiles it"),
	/* data */
	MARK(0, "SQLite format 3\0", "an SQLite database", export),
	MARK(0, "PAR1", "a Parquet table", export),
	MARK(0, "ARROW1", "an Arrow table", export),
	MARK(0, "ORC\x0a", "an ORC table", export),
	MARK(0, "ORC\x08", "an ORC table", export),
	MARK(0, "Obj\x01", "an Avro file", export),
	MARK(0, "\x89HDF\r\n\x1a\n", "an HDF5 file", export),
	MARK(0, "\x93NUMPY", "an array of NumPy", "save it with numpy.savetxt and read that"),
	MARK(0, "RRD\0", "a round-robin database", "`rrdtool fetch` prints it"),
	MARK(0, "PGDMP", "a dump of PostgreSQL", export),
	MARK(0, "REDIS00", "a dump of Redis", NULL),
	MARK(0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of an office program", export),
	/* archives, and compressions that are not decompressed */
	MARK(0, "PK\x03\x04", "a zip archive", unpack),
	MARK(0, "PK\x05\x06", "an empty zip archive", NULL),
	MARK(257, "ustar", "a tar archive", unpack),
	MARK(0, "7z\xbc\xaf\x27\x1c", "a 7z archive", unpack),
	MARK(0, "Rar!\x1a\x07", "a rar archive", unpack),
	MARK(0, "!<arch>\n", "an archive of ar, or a package of Debian", unpack),
	MARK(0, "\xed\xab\xee\xdb", "a package of RPM", unpack),
	MARK(0, "070701", "a cpio archive", unpack),
	MARK_PACKED(0, "BZh", "compressed by bzip2", "`bzip2 -dc % | osprof show -` reads it"),
	MARK_PACKED(0, "\x04\x22\x4d\x18", "compressed by lz4",
		    "`lz4 -dc % | osprof show -` reads it"),
	MARK_PACKED(0, "LZIP", "compressed by lzip", "`lzip -dc % | osprof show -` reads it"),
	MARK_PACKED(0, "\x1f\x9d", "compressed by compress",
		    "`gzip -dc % | osprof show -` reads it"),
	MARK_PACKED(0, "\x78\x01", "compressed by zlib",
		    "`fio --inflate-log=%` expands a log of fio"),
	MARK_PACKED(0, "\x78\x5e", "compressed by zlib",
		    "`fio --inflate-log=%` expands a log of fio"),
	MARK_PACKED(0, "\x78\x9c", "compressed by zlib",
		    "`fio --inflate-log=%` expands a log of fio"),
	MARK_PACKED(0, "\x78\xda", "compressed by zlib",
		    "`fio --inflate-log=%` expands a log of fio"),
	/* images and documents */
	MARK(0, "\x89PNG\r\n\x1a\n", "a PNG image", NULL),
	MARK(0, "\xff\xd8\xff", "a JPEG image", NULL),
	MARK(0, "GIF87a", "a GIF image", NULL),
	MARK(0, "GIF89a", "a GIF image", NULL),
	MARK(8, "WEBP", "a WebP image", NULL),
	MARK(0, "II*\0", "a TIFF image", NULL),
	MARK(0, "MM\0*", "a TIFF image", NULL),
	MARK(0, "%PDF-", "a PDF document", NULL),
	MARK(0, "%!PS", "a PostScript document", NULL),
	/* programs for other machines */
	MARK(0, "MZ\x90\0", "a program of Windows", NULL),
	MARK(0, "\xca\xfe\xba\xbe", "a class of Java or a program of macOS", NULL),
	MARK(0, "\xcf\xfa\xed\xfe", "a program of macOS", NULL),
	MARK(0, "\0asm", "a program in WebAssembly", NULL),
};

static const struct mark text_marks[] = {
	MARK(0, "<!doctype html", "a page in HTML",
	     "read what the tool printed, not a page about it"),
	MARK(0, "<html", "a page in HTML", "read what the tool printed, not a page about it"),
	MARK(0, "<svg", "an SVG image", NULL),
	MARK(0, "#!", "a script", "run it, and read what it prints"),
	MARK(0, "[global]", "a job file of fio",
	     "`fio --output-format=json+ % | osprof show -` runs it and reads the result"),
};

/* Reports of tools that have no latencies, or none that can be counted: a line has all these words.
 */
static const struct tool {
	const char *word[4];
	struct foreign foreign;
} tools[] = {
	{ { "Percentile ", "Write Latency", "Read Latency" },
	  { "percentiles of nodetool without numbers of requests",
	    "`nodetool tablestats` has numbers and means; metrics as text of Prometheus have "
	    "histograms",
	    NULL, false, false } },
	{ { "Percentile ", "Read Latency", "Write Latency" },
	  { "percentiles of nodetool without numbers of requests",
	    "`nodetool tablestats` has numbers and means; metrics as text of Prometheus have "
	    "histograms",
	    NULL, false, false } },
	{ { "| Method", "Mean", "|" },
	  { "means of BenchmarkDotNet without numbers of iterations",
	    "`--exporters json` writes all of them", NULL, false, false } },
	{ { "Method", ",Job,", "Mean,", "StdDev" },
	  { "means of BenchmarkDotNet without numbers of iterations",
	    "`--exporters csvmeasurements` writes all of them", NULL, false, false } },
	{ { "| Method", "Median", "|" },
	  { "medians of BenchmarkDotNet without numbers of iterations",
	    "`--exporters json` writes all of them", NULL, false, false } },
	{ { "[ ", "s ] thds: ", "lat (ms," },
	  { "progress of sysbench without numbers of events",
	    "the statistics that it prints at the end are read", NULL, false, false } },
	{ { "Latency at percentiles:", "%)" },
	  { "percentiles of tcpkali without numbers of messages", NULL, NULL, false, false } },
	{ { "Device", "r_await" },
	  { "averages of iostat", "`biolatency` of bcc has a distribution, `blkparse` each request",
	    NULL, false, false } },
	{ { "avg-cpu:", "%iowait" },
	  { "averages of iostat", "`biolatency` of bcc has a distribution, `blkparse` each request",
	    NULL, false, false } },
	{ { "execve(\"", ") = 0" },
	  { "calls of strace without their times", "`strace -T` prints them", NULL, false,
	    false } },
	{ { "procs -", "memory", "swap" },
	  { "counts of vmstat, which has no latencies", NULL, NULL, false, false } },
	{ { "Performance counter stats for" },
	  { "counters of perf stat, which have no latencies",
	    "`perf trace` and `perf sched timehist` print latencies that osprof reads", NULL, false,
	    false } },
	{ { "# Overhead", "Symbol" },
	  { "samples of perf report",
	    "samples do not tell how long a call takes; `perf trace` and `uftrace record` do", NULL,
	    false, false } },
	{ { "Flat profile:" },
	  { "a profile of gprof",
	    "it has means of functions at most; `uftrace record` has each call", NULL, false,
	    false } },
	{ { "Running in", "mode with", "groups using" },
	  { "one total time of hackbench",
	    "`perf sched timehist` beside it has latencies; `hyperfine --export-json` repeats it",
	    NULL, false, false } },
	{ { "# Running '", "benchmark:" },
	  { "one total time of perf bench",
	    "`perf sched timehist` beside it has latencies; `hyperfine --export-json` repeats it",
	    NULL, false, false } },
	{ { " p16 ", " p84 ", "p100" },
	  { "percentiles of biolatpcts without numbers of requests",
	    "`biolatency` of bcc has counts", NULL, false, false } },
	{ { "%user", "%iowait", "%idle" },
	  { "shares of processor time of sar or mpstat, which have no latencies",
	    "`perf sched timehist` and `runqlat` of bcc have latencies", NULL, false, false } },
	{ { "%usr", "%soft", "%idle" },
	  { "shares of processor time of sar or mpstat, which have no latencies",
	    "`perf sched timehist` and `runqlat` of bcc have latencies", NULL, false, false } },
	{ { "%usr", "%system", "Command" },
	  { "shares of processor time of pidstat, which have no latencies",
	    "`perf trace` and `strace -T` have latencies", NULL, false, false } },
	{ { "Busy%", "Bzy_MHz" },
	  { "frequencies of turbostat, which have no latencies", NULL, NULL, false, false } },
	{ { "Maximum resident set size" },
	  { "the time of a whole program",
	    "`hyperfine --export-json=FILE PROGRAM` measures several", NULL, false, false } },
	{ { "rocksdb.", " P50 :", " P99 :" },
	  { "percentiles of RocksDB without numbers of calls",
	    "later versions state COUNT and SUM in the same line, and are read", NULL, false,
	    false } },
	{ { "Histogram: ", " recorded ", " samples" },
	  { "histograms of Chromium", "a trace of its tracing page, as JSON, is read", NULL, false,
	    false } },
	{ { "bytes (", "copied, ", " s, " },
	  { "one total of dd", "`fio --output-format=json+` and `strace -T` have latencies", NULL,
	    false, false } },
	{ { "sec/op", "vs base" },
	  { "medians of benchstat without numbers of iterations",
	    "what `go test -bench` printed, which benchstat read, is read", NULL, false, false } },
	{ { "old time/op", "new time/op" },
	  { "means of benchstat without numbers of iterations",
	    "what `go test -bench` printed, which benchstat read, is read", NULL, false, false } },
	{ { ": Mean +- std dev: " },
	  { "a mean of pyperf without its number of values",
	    "`-o FILE` of pyperf writes all of them", NULL, false, false } },
	{ { " loops, best of ", "per loop" },
	  { "the best time of timeit",
	    "timeit of IPython prints a mean, and `python3 -m pyperf timeit -o FILE` writes all",
	    NULL, false, false } },
	{ { "ns/op |", "op/s |", "err%" },
	  { "medians of nanobench without numbers of epochs",
	    "its JSON has all of them, and `osprof convert` reads one number a line", NULL, false,
	    false } },
	{ { "time (avg)", "(min", "p75", "p99" },
	  { "means of mitata without numbers of samples",
	    "its JSON has the samples, and `osprof convert` reads one number a line", NULL, false,
	    false } },
	{ { "fastest", "slowest", "median", "samples" },
	  { "benchmarks of divan", "Criterion.rs writes files that are read", NULL, false,
	    false } },
	{ { "percentile ", "service time", "| " },
	  { "percentiles of Rally without numbers of requests",
	    "its metrics store has a record of each", NULL, false, false } },
	{ { "percentile ", "latency |", "| " },
	  { "percentiles of Rally without numbers of requests",
	    "its metrics store has a record of each", NULL, false, false } },
	{ { "# OSU ", "Latency" },
	  { "means of the OSU benchmarks without numbers of iterations",
	    "with -f, the tests of collectives print them, and are read", NULL, false, false } },
	{ { "algbw", "busbw" },
	  { "means of nccl-tests without numbers of iterations",
	    "they are in the first line, `# nThread ... iters: 20 agg iters: 1`, with which the "
	    "table "
	    "is read",
	    NULL, false, false } },
	{ { "op/s,", "pk/s,", "stderr," },
	  { "progress of cassandra-stress, whose means are of a second",
	    "the results that it prints at the end are read, and `-log hdrfile=FILE` has "
	    "histograms",
	    NULL, false, false } },
	{ { "interval_op_rate," },
	  { "progress of cassandra-stress, whose means are of an interval",
	    "since 2.1, its results are read, and since 3.10 `-log hdrfile=FILE`", NULL, false,
	    false } },
	{ { "traceroute to ", "hops max" },
	  { "three round trips of traceroute to each hop",
	    "`mtr --report -c 100 HOST` has more, and is read", NULL, false, false } },
	{ { "real\t", "m", "s" },
	  { "the time of a whole program",
	    "`hyperfine --export-json=FILE PROGRAM` measures several", NULL, false, false } },
};

/* What programs print when they cannot run, or measure nothing. */
static const char *const failures[] = {
	"onnection refused",
	"onnection reset",
	"nable to connect",
	"ould not connect",
	"ailed to connect",
	"annot connect",
	"an't connect",
	"ECONNREFUSED",
	"not known",
	"not resolve",
	"could not translate host",
	"No such file or directory",
	"ermission denied",
	"peration not permitted",
	"nreachable",
	"equest timed out",
	"100% packet loss",
	"timeout specified has expired",
	"ddress already in use",
	"ommand not found",
	"annot open",
	"err=",
	"must be root",
	"requires root",
	"fatal:",
	"FATAL:",
	"error:",
	"Error:",
	"ERROR:",
	"panic:",
	"Traceback (most",
	"Segmentation fault",
	"core dumped",
};

enum { FAILED_LINES = 16 };    /* what failed, and tried a few times, has printed no more */
enum { SEARCHED = 64 * 1024 }; /* bytes in which a tool's line is searched */
enum { ENOUGH = 512 };	       /* a file without a binary byte among so many is text */

/* Returns whether s has a byte that text does not have. */
static bool is_binary(struct str s)
{
	for (size_t i = 0; i < s.n && i < ENOUGH; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < 7 || (c > 13 && c < 27) || (c > 27 && c < 32))
			return true;
	}
	return false;
}

static const struct foreign *find_mark(const struct mark *marks_of, size_t n, struct str s)
{
	for (size_t i = 0; i < n; i++) {
		const struct mark *m = &marks_of[i];
		struct str there = str_skip(s, m->at);

		there.n = there.n < m->bytes.n ? there.n : m->bytes.n;
		if (str_eq_nocase(there, m->bytes))
			return &m->foreign;
	}
	return NULL;
}

/* An ELF file of the type that kernels write when a program crashes. */
static const struct foreign *find_core(struct str s)
{
	static const struct foreign core = {
		.what = "a core dump", .advice = "`gdb PROGRAM %` shows where the program crashed"
	};
	enum { TYPE = 16, ORDER = 5, CORE = 4, LITTLE = 1 };

	if (!str_has_prefix(s, STR("\x7f\x45\x4c\x46")) || s.n < TYPE + 2)
		return NULL;
	return s.p[TYPE + (s.p[ORDER] == LITTLE ? 0 : 1)] == CORE ? &core : NULL;
}

/* A capture begins with "\n\r\r\n", which an input skips as blank lines.  The byte-order mark of
 * its first block is at offset 4, or at 8 with these four bytes.  sysdig's second block has a type
 * of its own. */
static const struct foreign *find_blocks(struct str s)
{
	static const struct foreign packets = { .what = "a capture of packets (pcapng)",
						.advice = tshark };
	static const struct foreign calls = { .what = "a capture of sysdig",
					      .advice = "`sysdig -r % | osprof show -` reads it" };
	const struct str head = STR("\n\r\r\n"), little = STR("\x4d\x3c\x2b\x1a"),
			 big = STR("\x1a\x2b\x3c\x4d");
	struct str block = str_has_prefix(s, head) ? str_skip(s, head.n) : s;
	struct str order = str_skip(block, 4);
	size_t length;

	if (!str_has_prefix(order, little) && !str_has_prefix(order, big))
		return NULL;
	length = (unsigned char)block.p[0] | (size_t)(unsigned char)block.p[1] << 8;
	block = str_skip(block, length - head.n);
	return length > head.n && block.n > 1 && block.p[1] == 2 ? &calls : &packets;
}

/* The output of vegeta attack: gob, which first describes the type Result. */
static const struct foreign *find_gob(struct str s)
{
	static const struct foreign gob = {
		.what = "results of vegeta attack",
		.advice = "`vegeta encode --to csv % | osprof show -` reads it"
	};
	enum { HEAD = 64 };

	s.n = s.n < HEAD ? s.n : HEAD;
	return str_contains(s, STR("\x06Result\x01\xff")) ? &gob : NULL;
}

const struct foreign *foreign_find(const struct input *in)
{
	static const struct foreign *(*const by_parts[])(struct str) = { find_core, find_blocks,
									 find_gob };
	const struct foreign *found = NULL;
	struct str s = in->bytes;

	/* Some marks consist of letters that a text may begin with. */
	if (str_has_prefix(s, STR("%PDF-")) || str_has_prefix(s, STR("%!PS")) ||
	    str_has_prefix(s, STR("!<arch>\n")) || str_has_prefix(s, STR("/* CTF ")) ||
	    is_binary(s)) {
		for (size_t i = 0; i < COUNT_OF(by_parts) && found == NULL; i++)
			found = by_parts[i](s);
		if (found == NULL)
			found = find_mark(marks, COUNT_OF(marks), s);
	}
	return found;
}

bool foreign_is_binary(const struct input *in)
{
	return is_binary(in->bytes);
}

static const struct foreign *find_tool(struct str line)
{
	for (size_t i = 0; i < COUNT_OF(tools); i++) {
		size_t k = 0;

		while (k < COUNT_OF(tools[i].word) && tools[i].word[k] != NULL &&
		       str_contains(line, str_from(tools[i].word[k])))
			k++;
		if (k == COUNT_OF(tools[i].word) || tools[i].word[k] == NULL)
			return &tools[i].foreign;
	}
	return NULL;
}

const struct foreign *foreign_find_text(const struct input *in)
{
	const struct foreign *found = find_mark(text_marks, COUNT_OF(text_marks), in->bytes);
	struct str line, rest = in->bytes;

	rest.n = rest.n < SEARCHED ? rest.n : SEARCHED;
	while (found == NULL && text_next(&rest, &line))
		found = find_tool(line);
	return found;
}

static bool is_failure(struct str line)
{
	for (size_t i = 0; i < COUNT_OF(failures); i++) {
		if (str_contains(line, str_from(failures[i])))
			return true;
	}
	return false;
}

struct str foreign_failure(const struct input *in)
{
	struct str line, rest = in->bytes, found = STR("");

	for (size_t n = 0; text_line(&rest, &line); n += line.n > 0) {
		if (n == FAILED_LINES)
			return STR("");
		if (found.n == 0 && is_failure(line))
			found = line;
	}
	return found;
}

/* Returns whether a shell takes the name without quotes. */
static bool is_plain_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++) {
		if (!is_letter(name.p[i]) && !is_digit(name.p[i]) &&
		    memchr("._/+,:@-", name.p[i], 9) == NULL)
			return false;
	}
	return name.n > 0 && name.p[0] != '-';
}

/* A path without a slash is in the current folder. */
static struct str folder_of(struct str path)
{
	size_t n = path.n;

	while (n > 0 && path.p[n - 1] != '/')
		n--;
	return n > 1 ? (struct str){ path.p, n - 1 } : n == 1 ? STR("/") : STR(".");
}

void foreign_report(const struct foreign *f, bool calls, struct input *in, struct diag *diag)
{
	const char *advice = calls && f->calls != NULL ? f->calls : f->advice;
	struct str name = f->folder ? folder_of(in->name) : in->name;
	struct out *text = out_to_memory();

	out_text(text, f->what);
	if (advice != NULL)
		out_text(text, "; ");
	for (const char *p = advice; p != NULL && *p != '\0'; p++) {
		if (*p != '%')
			out_char(text, *p);
		else if (is_plain_name(name))
			out_bytes(text, name);
		else
			out_text(text, f->folder ? "FOLDER" : "FILE");
	}
	out_char(text, '\0');
	diag_file(diag, DIAG_OTHER_FILE, in, "%s", out_memory(text).p);
	out_free(text);
}
