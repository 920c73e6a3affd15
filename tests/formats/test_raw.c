/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of individual samples, large and odd: what is read is what an accumulator makes of the
 * same latencies one by one, whichever way a row took, and errors say the line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag_kept.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "formats/format.h"
#include "profile/accumulator/accumulator.h"
#include "profile/profile.h"

enum { ROOM = 80 }; /* of a field */

static uint64_t seed = 7;

static uint64_t draw(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 11) % below;
}

static char path[] = "/tmp/osprof-test-raw-XXXXXX";

/* --- made tables ---------------------------------------------------------------------- */

struct kind {
	enum unit unit;
	unsigned resolution;
	double interval; /* 0: none */
	size_t rows, names;
	unsigned octaves; /* of latencies; 0: 44 */
	bool quoted;	  /* every name */
	bool latency_first;
	bool odd;   /* also rows that are not plain */
	bool brief; /* nearly all are a name of fewer than 16 bytes and a whole number */
	bool alone; /* numbers without names, of the format of that name */
};

struct made {
	struct out *text;
	struct accumulator *accumulator;
};

static void make_name(char *to, size_t i)
{
	static const char *const some[] = { "read",
					    "a_name_of_16_byte",
					    "a_name_of_16_byt",
					    "",
					    "eightlet",
					    "a name that is longer than words are",
					    "a name that is longer but words are",
					    "x" };

	if (i < COUNT_OF(some))
		(void)snprintf(to, ROOM, "%s", some[i]);
	else
		(void)snprintf(to, ROOM, "op_%zu%s", i,
			       i % 3 == 0 ? "_of_a_module_of_its_own" : "");
}

/* Near powers of two, where buckets meet, and anywhere. */
static void make_latency(char *to, unsigned octaves, bool odd)
{
	uint64_t whole = (UINT64_C(1) << draw(octaves)) + draw(3) - 1, any = draw(1000000);
	unsigned digits = (unsigned)draw(7);

	switch (draw(odd ? 12 : 6)) {
	case 0:
		(void)snprintf(to, ROOM, "%llu.%0*llu", (unsigned long long)whole, (int)digits + 1,
			       (unsigned long long)draw(10));
		break;
	case 1:
		(void)snprintf(to, ROOM, "0.%.*s%03llu", (int)digits, "000000",
			       (unsigned long long)any % 1000);
		break;
	case 2:
		(void)snprintf(to, ROOM, "000%llu", (unsigned long long)any);
		break;
	case 6:
		(void)snprintf(to, ROOM, "-%llu", (unsigned long long)any);
		break;
	case 7:
		(void)snprintf(to, ROOM, "%llue-%u", (unsigned long long)any, digits);
		break;
	case 8:
		(void)snprintf(to, ROOM, "%llu123456789", (unsigned long long)whole);
		break;
	case 9:
		(void)snprintf(to, ROOM, "+%llu.", (unsigned long long)any);
		break;
	case 10:
		(void)snprintf(to, ROOM, " %llu\t", (unsigned long long)any);
		break;
	case 11:
		(void)snprintf(to, ROOM, ".%llu999999999999", (unsigned long long)any);
		break;
	default:
		(void)snprintf(to, ROOM, "%llu", (unsigned long long)whole);
	}
}

/* What most large files hold, and runs of which are read at once. */
static void make_brief(const struct kind *k, char *name, char *latency)
{
	(void)snprintf(name, ROOM, "%.*s%zu", (int)draw(9), "operation", (size_t)draw(k->names));
	(void)snprintf(latency, ROOM, "%llu", (unsigned long long)draw(UINT64_C(1) << draw(27)));
}

static void add_row(struct made *m, const struct kind *k, size_t row)
{
	char name[ROOM], latency[ROOM], start[40];
	struct sample sample = { .layer = STR_INIT("") };
	enum sampled what;

	if (k->alone)
		(void)snprintf(name, sizeof(name), "latency");
	else
		make_name(name, draw(row < 1000 ? 4 : k->names));
	make_latency(latency, k->octaves > 0 ? k->octaves : 44, k->odd && draw(20) == 0);
	if (k->brief && draw(50) > 0)
		make_brief(k, name, latency);
	(void)snprintf(start, sizeof(start), "%llu.%03llu",
		       (unsigned long long)(1700000000 + row / 1000 - draw(3)),
		       (unsigned long long)draw(1000));
	sample.name = str_from(name);
	sample.timed = k->interval > 0;
	assert_int_equal(number_decimal(str_trim(str_from(latency)), &sample.latency), NUMBER_OK);
	assert_int_equal(number_decimal(str_from(start), &sample.start), NUMBER_OK);
	what = accumulator_add(m->accumulator, &sample);
	assert_true(what == SAMPLED || what == SAMPLED_IMPOSSIBLE);
	if (k->interval > 0)
		out_printf(m->text, "%s,", start);
	if (k->latency_first)
		out_printf(m->text, "%s,", latency);
	if (k->alone)
		out_text(m->text, latency);
	else
		out_printf(m->text, k->quoted ? "\"%s\"" : "%s", name);
	if (!k->latency_first && !k->alone)
		out_printf(m->text, ",%s", latency);
	out_text(m->text, k->odd && draw(9) == 0 ? "\r\n" : "\n");
	if (k->odd && draw(500) == 0)
		out_text(m->text, k->alone ? " \n# 12\n\n" : " , \n\n");
}

static struct made make(const struct kind *k)
{
	struct accumulator_options options = { .resolution = k->resolution,
					       .unit = k->unit,
					       .interval = k->interval,
					       .start_rate = 1 };
	struct made m = { .text = out_to_memory(), .accumulator = accumulator_new(&options) };
	const char *unit = k->unit == UNIT_UNKNOWN ? "" : unit_name(k->unit);

	if (k->interval > 0)
		out_text(m.text, "start,");
	if (k->alone)
		out_text(m.text, "# latencies\n");
	else if (k->latency_first)
		out_printf(m.text, "latency%s%s,op\n", *unit != '\0' ? "_" : "", unit);
	else
		out_printf(m.text, "op,latency%s%s\n", *unit != '\0' ? "_" : "", unit);
	for (size_t row = 0; row < k->rows; row++)
		add_row(&m, k, row);
	return m;
}

/* --- comparing ------------------------------------------------------------------------- */

static struct out *written(struct profile *p)
{
	struct out *o = out_to_memory();
	struct diag ignored = { 0 };

	assert_non_null(p);
	assert_true(format_by_name(STR("osprof"))->write(p, o, &ignored));
	profile_free(p);
	return o;
}

static struct read_options options_of(const struct kind *k)
{
	return (struct read_options){ .resolution = k->resolution,
				      .build.interval = k->interval,
				      .build.unit = k->alone ? k->unit : UNIT_UNKNOWN };
}

static const struct format *format_of(const struct kind *k)
{
	return format_by_name(k->alone ? STR("numbers") : STR("csv"));
}

static struct out *expected(struct made *m, const struct kind *k, const char *name)
{
	struct read_options options = options_of(k);
	struct diag diag = { 0 };
	struct builder *b;
	struct input in;

	input_borrow(&in, name, "", 0);
	b = builder_new(&in, format_of(k)->name, &options.build, &diag);
	assert_true(accumulator_push(m->accumulator, b));
	return written(builder_finish(b));
}

static void assert_same(const struct kind *k, struct out *got, struct out *want)
{
	if (!str_eq(out_memory(got), out_memory(want)))
		fail_msg("unit %s, resolution %u, %zu rows\ngot %.*s\nexpected %.*s",
			 unit_name(k->unit), k->resolution, k->rows, STR_ARG(out_memory(got)),
			 STR_ARG(out_memory(want)));
	out_free(got);
}

static void write_file(struct str text)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(text.p, 1, text.n, f), text.n);
	assert_int_equal(fclose(f), 0);
}

/* In memory, and from a file of which only the beginning is held. */
static void check(const struct kind *k)
{
	struct made m = make(k);
	struct str text = out_memory(m.text);
	struct read_options options = options_of(k);
	struct out *want = expected(&m, k, path);
	struct diag diag = { 0 };
	struct input in;

	input_borrow(&in, path, text.p, text.n);
	assert_same(k, written(format_read(format_of(k), &in, &options, &diag)), want);
	input_release(&in);
	write_file(text);
	assert_true(input_begin(&in, path, INPUT_HEAD, 1 << 21, NULL,
				&diag)); /* far less than there is */
	assert_int_equal(in.rest != NULL, text.n > INPUT_HEAD);
	assert_same(k, written(format_read(format_of(k), &in, &options, &diag)), want);
	input_release(&in);
	assert_int_equal(diag.seen[SEV_ERROR], 0);
	out_free(want);
	out_free(m.text);
	accumulator_free(m.accumulator);
}

static void reads_what_an_accumulator_counts(void **state)
{
	static const enum unit units[] = { UNIT_NS, UNIT_US,	 UNIT_MS,
					   UNIT_S,  UNIT_CYCLES, UNIT_UNKNOWN };
	static const unsigned resolutions[] = { 1, 2, 3, 8, 9 };

	(void)state;
	for (size_t u = 0; u < COUNT_OF(units); u++) {
		for (size_t r = 0; r < COUNT_OF(resolutions); r++)
			check(&(struct kind){ .unit = units[u],
					      .resolution = resolutions[r],
					      .rows = 5000,
					      .names = 40,
					      .latency_first = r == 2,
					      .odd = r % 2 == 0 });
	}
}

static void reads_large_files_in_parts(void **state)
{
	(void)state;
	check(&(struct kind){ .unit = UNIT_NS, .resolution = 1, .rows = 300000, .names = 900 });
	check(&(struct kind){ .unit = UNIT_NS, .resolution = 1, .rows = 300000, .names = 3000 });
	/* So many that threads tell each other of them, between rows of which some are odd. */
	check(&(struct kind){
		.unit = UNIT_NS, .resolution = 1, .rows = 200000, .names = 30000, .odd = true });
	/* More in a bucket than a byte holds, many times over. */
	check(&(struct kind){ .unit = UNIT_NS, .resolution = 1, .rows = 20000, .names = 2 });
	/* As far apart as fits, nearly, wherever the first latency lies. */
	check(&(struct kind){
		.unit = UNIT_NS, .resolution = 1, .rows = 20000, .names = 500, .octaves = 27 });
	check(&(struct kind){
		.unit = UNIT_US, .resolution = 1, .rows = 150000, .names = 50, .odd = true });
	check(&(struct kind){
		.unit = UNIT_NS, .resolution = 1, .rows = 150000, .names = 50, .quoted = true });
}

static void reads_runs_of_short_rows(void **state)
{
	static const enum unit units[] = { UNIT_NS, UNIT_S, UNIT_UNKNOWN };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(units); i++) {
		check(&(struct kind){ .unit = units[i],
				      .resolution = i == 1 ? 4 : 1,
				      .rows = 200000,
				      .names = i == 2 ? 3 : 60,
				      .brief = true });
	}
	/* More names than are known as few, in the end. */
	check(&(struct kind){
		.unit = UNIT_NS, .resolution = 1, .rows = 100000, .names = 400, .brief = true });
	check(&(struct kind){ .unit = UNIT_US,
			      .resolution = 1,
			      .rows = 100000,
			      .names = 30,
			      .brief = true,
			      .odd = true });
}

static void reads_intervals_in_parts(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		check(&(struct kind){ .unit = UNIT_US,
				      .resolution = 1,
				      .interval = i == 2 ? 40 : 2.5,
				      .rows = 100000,
				      .names = i == 2 ? 8000 : 20,
				      .latency_first = i == 1,
				      .odd = i == 1 });
}

static void reads_numbers_alone(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++)
		check(&(struct kind){ .unit = i % 2 == 0 ? UNIT_NS : UNIT_S,
				      .resolution = 1 + i / 2,
				      .rows = 100000,
				      .names = 1,
				      .alone = true,
				      .odd = i > 0 });
}

/* Quoted records that hold newlines, over the ends of blocks. */
static void newlines_in_quotes_end_no_record(void **state)
{
	struct out *o = out_to_memory();
	struct read_options options = { .resolution = 1 };
	struct diag diag = { 0 };
	struct profile *p;
	struct input in;

	(void)state;
	out_text(o, "op,latency_ns,comment\n");
	for (int i = 0; i < 60000; i++)
		out_text(o,
			 i % 7 == 0 ? "\"o\np\",5,\"\n\n,\"\"\n\"\n" : "plain,9,\"read,1,\n\"\n");
	write_file(out_memory(o));
	assert_true(input_begin(&in, path, INPUT_HEAD, 1 << 21, NULL, &diag));
	assert_non_null(in.rest);
	p = format_read(NULL, &in, &options, &diag);
	assert_non_null(p);
	assert_int_equal(p->n_ops, 2);
	assert_true(str_eq(p->op[0].name, STR("o\np")));
	assert_int_equal(operation_count(&p->op[0]), 8572); /* ceil(60000 / 7) */
	assert_int_equal(operation_count(&p->op[1]), 60000 - 8572);
	profile_free(p);
	input_release(&in);
	out_free(o);
}

/* Of latencies 1, 2, 4 ... so that a total tells which rows an operation got. */
static void names_mean_the_same_in_quotes_if_their_bytes_do(void **state)
{
	enum { ROUNDS = 20000 };
	static const struct {
		struct str name;
		unsigned total;
	} wanted[] = { { STR_INIT("read"), 1 + 2 + 8 + 32 + 64 + 128 },
		       { STR_INIT(" read"), 4 },
		       { STR_INIT("re,ad"), 16 },
		       { STR_INIT("re\"ad"), 256 },
		       { STR_INIT("re\nad"), 512 } };
	struct out *o = out_to_memory();
	struct read_options options = { .resolution = 1 };
	struct diag diag = { 0 };
	struct profile *p;
	struct input in;

	(void)state;
	out_text(o, "op,latency_ns\n");
	for (int i = 0; i < ROUNDS; i++)
		out_text(o, "read,1\n\"read\",2\n\" read\",4\n read,8\n\"re,ad\",16\n"
			    "\"read\",\"32\"\nread,  64\n\"read\" ,128\n\"re\"\"ad\",256\n"
			    "\"re\nad\",512\n");
	write_file(out_memory(o));
	assert_true(input_begin(&in, path, INPUT_HEAD, 1 << 21, NULL, &diag));
	p = format_read(NULL, &in, &options, &diag);
	assert_non_null(p);
	assert_int_equal(p->n_ops, COUNT_OF(wanted));
	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		assert_true(str_eq(p->op[i].name, wanted[i].name));
		assert_true(operation_total(&p->op[i]) == (double)ROUNDS * wanted[i].total);
	}
	profile_free(p);
	input_release(&in);
	out_free(o);
}

/* --- errors ------------------------------------------------------------------------------ */

/* Rows of 10 bytes; row `bad` (from 0) is not one. */
static void expect_error(int rows, int bad, const char *line, const char *message)
{
	struct out *o = out_to_memory();
	struct read_options options = { .resolution = 1 };
	struct diag_kept kept = { NULL, 0, 0 };
	struct diag diag = { .emit = diag_keep, .ctx = &kept };
	char wanted[200];
	struct input in;

	out_text(o, "op,latency\n");
	for (int i = 0; i < rows; i++)
		out_text(o, i == bad			? line
			    : i > bad && i % 40000 == 7 ? "later,bad\n"
							: "read,1234\n");
	write_file(out_memory(o));
	(void)snprintf(wanted, sizeof(wanted), "%s:%d:%s", path, bad + 2, message);
	assert_true(input_begin(&in, path, INPUT_HEAD, 1 << 21, NULL, &diag));
	assert_null(format_read(NULL, &in, &options, &diag));
	assert_int_equal(kept.n, 1);
	assert_memory_equal(kept.msg[0].rendered, wanted, strlen(wanted));
	input_release(&in);
	diag_kept_release(&kept);
	out_free(o);
}

static void the_first_error_of_the_file_is_reported(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		expect_error(300000, 150000 + 40000 * i, "read,12x4\n", "6: error: ");
		expect_error(300000, 240000 + i, "read,1,2\n", "8: error: ");
		expect_error(300000, 240000 + i, "read\n", "1: error: ");
		expect_error(300000, 120000 + i, "open,\n", "6: error: ");
		expect_error(300000, 200000 + i, "rea\"d\",1\n", "4: error: ");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_an_accumulator_counts),
		cmocka_unit_test(reads_large_files_in_parts),
		cmocka_unit_test(reads_runs_of_short_rows),
		cmocka_unit_test(reads_intervals_in_parts),
		cmocka_unit_test(reads_numbers_alone),
		cmocka_unit_test(newlines_in_quotes_end_no_record),
		cmocka_unit_test(names_mean_the_same_in_quotes_if_their_bytes_do),
		cmocka_unit_test(the_first_error_of_the_file_is_reported),
	};
	int fd = mkstemp(path), failed;

	if (fd < 0)
		return 1;
	(void)close(fd);
	failed = cmocka_run_group_tests_name("raw", tests, NULL, NULL);
	(void)unlink(path);
	return failed;
}
