/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is written for others reads back as it was: each capture of testdata as
 * Prometheus text, and each of its operations as a percentile table.  What a format
 * has no room for is reported in a note, so only what it has is compared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/input/input_file.h"
#include "base/out.h"
#include "formats/format.h"
#include "profile/profile.h"

enum { LIMIT = 1 << 28, PATH_ROOM = 1024 };

static const char *testdata;

static struct profile *read_text(const char *name, struct str text)
{
	struct read_options options = { .numbering = NUMBERING_OSPROF };
	struct diag diag = { .emit = NULL };
	struct profile *p;
	struct input in;

	input_borrow(&in, name, text.p, text.n);
	p = format_read(NULL, &in, &options, &diag);
	input_release(&in);
	return p;
}

static void same_bucket(const char *path, const struct bucket *a, const struct bucket *b)
{
	if (a->edges->low != b->edges->low || a->edges->high != b->edges->high ||
	    a->count != b->count)
		fail_msg("%s: [%.17g, %.17g) %llu became [%.17g, %.17g) %llu", path, a->edges->low,
			 a->edges->high, (unsigned long long)a->count, b->edges->low,
			 b->edges->high, (unsigned long long)b->count);
}

/* Latencies below zero have no place in either format. */
static bool is_negative(const struct histogram *h)
{
	return h->n > 0 && h->bucket[0].edges->low < 0;
}

static void same_histogram(const char *path, const struct histogram *a, const struct histogram *b)
{
	if (is_negative(a))
		return;
	if (a->n != b->n)
		fail_msg("%s: %zu buckets became %zu", path, a->n, b->n);
	for (size_t i = 0; i < a->n; i++)
		same_bucket(path, &a->bucket[i], &b->bucket[i]);
}

/* --- Prometheus ---------------------------------------------------------------------- */

static bool is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if ((unsigned char)s.p[i] < ' ' || (unsigned char)s.p[i] > '~')
			return false;
	}
	return true;
}

static void same_operation(const char *path, const struct operation *a, const struct operation *b)
{
	if (is_plain(a->name) && is_plain(a->layer)) {
		assert_true(str_eq(a->name, b->name));
		assert_true(str_eq(a->layer, b->layer));
	}
	assert_int_equal(a->unit, b->unit);
	if (a->hist.n == 1 && isinf(a->hist.bucket[0].edges->high) &&
	    a->hist.bucket[0].edges->low <= 0)
		return; /* all there is to tell of it is the number of calls */
	same_histogram(path, &a->hist, &b->hist);
	assert_int_equal(operation_count(a), operation_count(b));
	assert_int_equal(operation_total_stated(a), b->stated.has_total);
	if (operation_total_stated(a))
		assert_true(decimal_eq(a->stated.total, b->stated.total));
}

static const struct operation *find(const struct profile *p, const struct operation *wanted)
{
	for (size_t i = 0; i < p->n_ops; i++) {
		if (str_eq(p->op[i].name, wanted->name) && str_eq(p->op[i].layer, wanted->layer))
			return &p->op[i];
	}
	return NULL;
}

static void through_prometheus(const char *path, const struct profile *p)
{
	struct out *o = out_to_memory();
	struct diag diag = { .emit = NULL };
	struct profile *back;

	assert_true(format_by_name(STR("prometheus"))->write(p, o, &diag));
	assert_true(diag.seen[SEV_NOTE] <= 1);
	back = read_text(path, out_memory(o));
	if (back == NULL)
		fail_msg("%s: cannot read back\n%.*s", path, STR_ARG(out_memory(o)));
	assert_string_equal(back->format, "prometheus");
	assert_int_equal(p->n_ops, back->n_ops);
	for (size_t i = 0; i < p->n_ops; i++) {
		const struct operation *b = find(back, &p->op[i]);

		assert_true(b != NULL || !is_plain(p->op[i].name) || !is_plain(p->op[i].layer));
		if (b != NULL)
			same_operation(path, &p->op[i], b);
	}
	profile_free(back);
	out_free(o);
}

/* --- percentile tables --------------------------------------------------------------- */

static void through_table(const char *path, const struct profile *p, size_t i)
{
	struct profile one = *p;
	struct out *o = out_to_memory();
	struct diag diag = { .emit = NULL };
	const struct operation *a = &p->op[i];
	struct profile *back;

	one.op = &p->op[i];
	one.n_ops = 1;
	assert_true(format_by_name(STR("hgrm"))->write(&one, o, &diag));
	assert_int_equal(diag.seen[SEV_ERROR], 0);
	back = read_text(path, out_memory(o));
	if (back == NULL)
		fail_msg("%s: cannot read back\n%.*s", path, STR_ARG(out_memory(o)));
	assert_string_equal(back->format, "hgrm");
	assert_int_equal(back->n_ops, 1);
	if (a->hist.n == 0 || a->hist.bucket[a->hist.n - 1].edges->high < HUGE_VAL)
		same_histogram(path, &a->hist, &back->op[0].hist);
	assert_int_equal(a->hist.count, back->op[0].hist.count);
	assert_int_equal(operation_count(a), operation_count(&back->op[0]));
	if (a->stated.has_max && operation_count(a) > 0)
		assert_true(back->op[0].stated.max == a->stated.max);
	if (operation_total_stated(a) && operation_count(a) > 0) {
		double mean = operation_mean(a),
		       got = decimal_f64(back->op[0].stated.total) / (double)operation_count(a);

		if (!(fabs(mean - got) <= 1e-8 + 1e-12 * fabs(mean)))
			fail_msg("%s: mean %.17g became %.17g", path, mean, got);
	}
	profile_free(back);
	out_free(o);
}

static size_t write_all(const char *path)
{
	struct diag diag = { .emit = NULL };
	struct profile *p;
	struct input in;

	if (!input_open(&in, path, LIMIT, &diag))
		return 0;
	p = read_text(path, in.bytes);
	if (p != NULL) {
		through_prometheus(path, p);
		for (size_t i = 0; i < p->n_ops; i++)
			through_table(path, p, i);
	}
	input_release(&in);
	profile_free(p);
	return p != NULL;
}

static size_t walk(const char *folder)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, NULL, alphasort);
	size_t done = 0;

	for (int i = 0; i < n; i++) {
		char path[PATH_ROOM];
		struct stat st;

		(void)snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.' && stat(path, &st) == 0)
			done += S_ISDIR(st.st_mode) ? walk(path) : write_all(path);
		free(entry[i]);
	}
	free(entry);
	return done;
}

static void everything_reads_back(void **state)
{
	(void)state;
	assert_true(walk(testdata) > 200);
}

/* Bucket by bucket, by hand. */
static void a_table_by_hand(void **state)
{
	static const char text[] = "osprof 1\nunit ns\nop read\ncount 8\ntotal 8000\nmax 3000\n"
				   "9 2\n11 6\n";
	static const char wanted[] = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
				     "         512 0.000000000000          0           1.00\n"
				     "        1024 0.250000000000          2           1.33\n"
				     "        2048 0.250000000000          2           1.33\n"
				     "        4096 1.000000000000          8            inf\n";
	struct out *o = out_to_memory();
	struct diag diag = { .emit = NULL };
	struct profile *p = read_text("text", str_from(text));

	(void)state;
	assert_non_null(p);
	assert_true(format_by_name(STR("hgrm"))->write(p, o, &diag));
	assert_true(str_has_prefix(out_memory(o), str_from(wanted)));
	assert_true(str_contains(out_memory(o), STR("Total count    =            8]")));
	profile_free(p);
	out_free(o);
}

static void a_metric_by_hand(void **state)
{
	static const char text[] =
		"osprof 1\nunit us\nlayer fs\nop \"re\\\"ad\"\ncount 8\ntotal 52.5\n"
		"2 3\n3 5\n";
	static const char wanted[] =
		"# HELP osprof_latency_microseconds Operations by their latency.\n"
		"# TYPE osprof_latency_microseconds histogram\n"
		"osprof_latency_microseconds_bucket{layer=\"fs\",operation=\"re\\\"ad\",le=\"1\"} "
		"0\n"
		"osprof_latency_microseconds_bucket{layer=\"fs\",operation=\"re\\\"ad\",le=\"2\"} "
		"0\n"
		"osprof_latency_microseconds_bucket{layer=\"fs\",operation=\"re\\\"ad\",le=\"4\"} "
		"0\n"
		"osprof_latency_microseconds_bucket{layer=\"fs\",operation=\"re\\\"ad\",le=\"8\"} "
		"3\n"
		"osprof_latency_microseconds_bucket{layer=\"fs\",operation=\"re\\\"ad\",le=\"16\"} "
		"8\n"
		"osprof_latency_microseconds_bucket{layer=\"fs\",operation=\"re\\\"ad\",le=\"+"
		"Inf\"} 8\n"
		"osprof_latency_microseconds_sum{layer=\"fs\",operation=\"re\\\"ad\"} 52.5\n"
		"osprof_latency_microseconds_count{layer=\"fs\",operation=\"re\\\"ad\"} 8\n";
	struct out *o = out_to_memory();
	struct diag diag = { .emit = NULL };
	struct profile *p = read_text("text", str_from(text));

	(void)state;
	assert_non_null(p);
	assert_true(format_by_name(STR("prometheus"))->write(p, o, &diag));
	if (!str_eq(out_memory(o), str_from(wanted)))
		fail_msg("got:\n%.*s", STR_ARG(out_memory(o)));
	profile_free(p);
	out_free(o);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_reads_back),
		cmocka_unit_test(a_table_by_hand),
		cmocka_unit_test(a_metric_by_hand),
	};

	if (argc != 2)
		return 2;
	testdata = argv[1];
	return cmocka_run_group_tests_name("writers", tests, NULL, NULL);
}
