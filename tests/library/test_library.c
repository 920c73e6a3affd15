/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libosprof-compare as a host sees it: arguments that are not valid, results, threads, and every
 * place where memory can run out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library/compare.h"

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
	__has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OWN_HEAP 1
#else
#define HAS_OWN_HEAP 0
#endif

static const char *runs;

/* --- memory that runs out ------------------------------------------------------------------------- */

#if !HAS_OWN_HEAP
/* The heap of the whole process: the library's references go here, too. */
static _Thread_local size_t allowed = SIZE_MAX; /* allocations until all fail */
static _Atomic long live;

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t alignment, size_t n);
void __libc_free(void *p);

static bool is_allowed(void)
{
	if (allowed == SIZE_MAX)
		return true;
	if (allowed == 0)
		return false;
	allowed--;
	return true;
}

static void *counted(void *p)
{
	live += p != NULL;
	return p;
}

void *malloc(size_t n)
{
	return is_allowed() ? counted(__libc_malloc(n)) : NULL;
}

void *calloc(size_t n, size_t size)
{
	return is_allowed() ? counted(__libc_calloc(n, size)) : NULL;
}

void *aligned_alloc(size_t alignment, size_t n)
{
	return is_allowed() ? counted(__libc_memalign(alignment, n)) : NULL;
}

void *realloc(void *p, size_t n)
{
	bool is_new = p == NULL;
	void *q;

	if (!is_allowed())
		return NULL;
	q = __libc_realloc(p, n);
	live += is_new && q != NULL;
	return q;
}

void *reallocarray(void *p, size_t n, size_t size)
{
	return size > 0 && n > SIZE_MAX / size ? NULL : realloc(p, n * size);
}

void free(void *p)
{
	live -= p != NULL;
	__libc_free(p);
}
#endif

/* --- names of a host ------------------------------------------------------------------------------- */

/* The library has functions of these names, and so have jansson, cJSON, dlmalloc and a host: each
 * calls its own. Where the linker mixed them up, every comparison below ends here. */
#define OF_THE_HOST(name)                                                                          \
	void name(void);                                                                           \
	void name(void)                                                                            \
	{                                                                                          \
		abort();                                                                           \
	}
OF_THE_HOST(arena_new)
OF_THE_HOST(json_object)
OF_THE_HOST(json_string)
OF_THE_HOST(out_char)
OF_THE_HOST(build_bucket)
OF_THE_HOST(rank_json)
OF_THE_HOST(xcalloc)
OF_THE_HOST(xalloc_die)

static int count_bytes(void *arg, const void *bytes, size_t n)
{
	(void)bytes;
	*(size_t *)arg += n;
	return 0;
}

static void count_message(void *arg, const struct osc_message *message)
{
	*(size_t *)arg += strlen(message->text);
}

static int add_runs(osc_context *context, const char *before, const char *after)
{
	char path[2][300];
	int status;

	(void)snprintf(path[0], sizeof(path[0]), "%s/%s", runs, before);
	(void)snprintf(path[1], sizeof(path[1]), "%s/%s", runs, after);
	status = osc_add_path(context, OSC_BEFORE, path[0]);
	return status == OSC_OK ? osc_add_path(context, OSC_AFTER, path[1]) : status;
}

/* Compares and reports; returns the first status that is not OSC_OK. */
static int compare_all(const char *before, const char *after, size_t *ret_bytes)
{
	static const char *const formats[] = { "json", "html", "text" };
	osc_context *context;
	osc_comparison *comparison = NULL;
	struct osc_operation operation = { .size = sizeof(operation) };
	int status = osc_new(&context);

	if (status != OSC_OK)
		return status;
	status = osc_on_message(context, count_message, ret_bytes);
	if (status == OSC_OK)
		status = osc_set(context, "unit", "ns");
	if (status == OSC_OK)
		status = add_runs(context, before, after);
	if (status == OSC_OK)
		status = osc_compare(context, &comparison);
	for (size_t i = 0; status == OSC_OK && i < 3; i++)
		status = osc_comparison_render(comparison, formats[i], count_bytes, ret_bytes);
	if (status == OSC_OK)
		status = osc_comparison_operation(comparison, 0, &operation);
	osc_comparison_free(comparison);
	osc_free(context);
	return status;
}

static void no_memory_is_a_status_anywhere(void **state)
{
#if HAS_OWN_HEAP
	(void)state;
	skip();
#else
	locale_t locale = uselocale((locale_t)0);
	int status = OSC_NO_MEMORY, fd = dup(0);
	size_t n;
	long before;

	(void)state;
	for (n = 0; status != OSC_OK; n++) {
		size_t bytes = 0;

		before = live;
		allowed = n;
		status = compare_all("randread-1/1.json", "randread-2/1.json", &bytes);
		allowed = SIZE_MAX;
		if (status != OSC_OK)
			assert_int_equal(status, OSC_NO_MEMORY);
		if (n > 0)
			assert_int_equal(live, before);
		assert_true(uselocale((locale_t)0) == locale);
	}
	assert_true(n > 100); /* so many places */
	close(fd);
	assert_int_equal(dup(0), fd); /* no descriptor was left open */
	close(fd);
#endif
}

/* --- arguments ------------------------------------------------------------------------------------ */

static void what_is_not_valid_is_a_status(void **state)
{
	struct osc_operation operation = { .size = sizeof(operation) };
	struct osc_gate gate = { .size = 4 };
	osc_comparison *comparison = NULL;
	osc_context *context;
	size_t bytes = 0;

	(void)state;
	assert_int_equal(osc_new(NULL), OSC_INVALID);
	assert_int_equal(osc_new(&context), OSC_OK);
	assert_int_equal(osc_set(NULL, "unit", "ns"), OSC_INVALID);
	assert_int_equal(osc_set(context, NULL, "ns"), OSC_INVALID);
	assert_int_equal(osc_set(context, "units", "ns"), OSC_OPTION);
	assert_int_equal(osc_set(context, "unit", "hours"), OSC_OPTION);
	assert_int_equal(osc_set(context, "unit", NULL), OSC_OPTION);
	assert_int_equal(osc_set(context, "all", "yes"), OSC_OPTION);
	assert_int_equal(osc_set(context, "output", "x"), OSC_OPTION);
	assert_int_equal(osc_set(context, "min-effect", "0.05"), OSC_OK);
	assert_int_equal(osc_compare(context, &comparison), OSC_INPUT);
	assert_int_equal(osc_add_path(context, 2, "x"), OSC_INVALID);
	assert_int_equal(osc_add_path(context, OSC_BEFORE, NULL), OSC_INVALID);
	assert_int_equal(osc_add_path(context, OSC_BEFORE, "-"), OSC_INVALID);
	assert_int_equal(osc_add_memory(context, OSC_BEFORE, "x", NULL, 3), OSC_INVALID);
	assert_int_equal(osc_compare(NULL, &comparison), OSC_INVALID);
	assert_int_equal(osc_compare(context, NULL), OSC_INVALID);
	assert_int_equal(add_runs(context, "randread-1", "nothing"), OSC_OK);
	assert_int_equal(osc_compare(context, &comparison), OSC_INPUT);
	assert_null(comparison);
	assert_int_equal(osc_clear(context), OSC_OK);
	assert_int_equal(add_runs(context, "randread-1", "randread-2"), OSC_OK);
	assert_int_equal(osc_set(context, "unit", "ns"), OSC_OK);
	assert_int_equal(osc_compare(context, &comparison), OSC_OK);
	osc_free(context);
	assert_int_equal(osc_comparison_gate(comparison, NULL), OSC_INVALID);
	assert_int_equal(osc_comparison_gate(comparison, &gate), OSC_INVALID);
	assert_int_equal(osc_comparison_operation(comparison, 6, &operation), OSC_INVALID);
	operation.size--;
	assert_int_equal(osc_comparison_operation(comparison, 0, &operation), OSC_INVALID);
	assert_int_equal(osc_comparison_render(comparison, "yaml", count_bytes, &bytes),
			 OSC_OPTION);
	assert_int_equal(osc_comparison_render(comparison, "json", NULL, &bytes), OSC_INVALID);
	osc_comparison_free(comparison);
	osc_comparison_free(NULL);
	osc_free(NULL);
}

/* --- results -------------------------------------------------------------------------------------- */

/* lseek and read of testdata/runs: each of 30,000 calls before, 60,000 after (README.md). */
static void an_operation_has_its_histogram_and_its_facts(void **state)
{
	struct osc_operation operation = { .size = sizeof(operation) };
	struct osc_bucket bucket = { .size = sizeof(bucket) };
	struct osc_fact fact = { .size = sizeof(fact) };
	struct osc_gate gate = { .size = sizeof(gate) };
	osc_comparison *comparison;
	osc_context *context;
	uint64_t calls = 0;

	(void)state;
	assert_int_equal(osc_new(&context), OSC_OK);
	assert_int_equal(osc_set(context, "unit", "ns"), OSC_OK);
	assert_int_equal(osc_set(context, "op", "lseek"), OSC_OK);
	assert_int_equal(add_runs(context, "randread-1/1.json", "randread-2/1.json"), OSC_OK);
	assert_int_equal(osc_compare(context, &comparison), OSC_OK);
	osc_free(context);
	assert_int_equal(osc_comparison_operation(comparison, 0, &operation), OSC_OK);
	assert_string_equal(operation.name, "lseek");
	assert_int_equal(operation.name_bytes, 5);
	assert_int_equal(operation.verdict, OSC_REGRESSED);
	assert_string_equal(osc_verdict_name(operation.verdict), "regressed");
	assert_int_equal(operation.calls_before, 30000);
	assert_int_equal(operation.calls_after, 60000);
	for (size_t i = 0; i < operation.n_buckets_after; i++) {
		assert_int_equal(osc_comparison_bucket(comparison, 0, OSC_AFTER, i, &bucket),
				 OSC_OK);
		assert_true(bucket.low < bucket.high);
		calls += bucket.calls;
	}
	assert_int_equal(calls, 60000);
	assert_true(operation.n_facts > 0);
	assert_int_equal(osc_comparison_fact(comparison, 0, 0, &fact), OSC_OK);
	assert_non_null(strstr(fact.json, fact.kind));
	assert_int_equal(osc_comparison_gate(comparison, &gate), OSC_OK);
	assert_int_equal(gate.status, OSC_GATE_FAILED);
	assert_int_equal(gate.n_failed, 1);
	osc_comparison_free(comparison);
}

static int keep_bytes(void *arg, const void *bytes, size_t n)
{
	FILE *f = arg;

	return fwrite(bytes, 1, n, f) == n ? 0 : 1;
}

static void a_written_profile_reads_back_from_memory(void **state)
{
	struct osc_latencies latencies = { .size = sizeof(latencies) };
	osc_context *context;
	osc_profile *p, *again;
	char path[300], *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/randread-1/1.json", runs);
	assert_int_equal(osc_new(&context), OSC_OK);
	assert_int_equal(osc_set(context, "unit", "ns"), OSC_OK);
	assert_int_equal(osc_add_path(context, OSC_BEFORE, path), OSC_OK);
	assert_int_equal(osc_read(context, &p), OSC_OK);
	assert_int_equal(osc_profile_write(p, "osprof", keep_bytes, f), OSC_OK);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(osc_clear(context), OSC_OK);
	assert_int_equal(osc_add_memory(context, OSC_BEFORE, path, text, n), OSC_OK);
	assert_int_equal(osc_read(context, &again), OSC_OK);
	assert_int_equal(osc_profile_n_operations(p), osc_profile_n_operations(again));
	assert_int_equal(osc_profile_operation(again, 0, &latencies), OSC_OK);
	assert_string_equal(osc_profile_unit(again), "ns");
	assert_true(latencies.calls > 0 && isfinite(latencies.mean));
	osc_profile_free(p);
	osc_profile_free(again);
	osc_free(context);
	free(text);
}

static int stop_at_once(void *arg, const void *bytes, size_t n)
{
	(void)arg;
	(void)bytes;
	return n > 0;
}

static void a_callback_may_stop_an_output(void **state)
{
	osc_context *context;
	osc_comparison *comparison;

	(void)state;
	assert_int_equal(osc_new(&context), OSC_OK);
	assert_int_equal(add_runs(context, "randread-1", "randread-2"), OSC_OK);
	assert_int_equal(osc_compare(context, &comparison), OSC_OK);
	assert_int_equal(osc_comparison_render(comparison, "json", stop_at_once, NULL),
			 OSC_STOPPED);
	osc_comparison_free(comparison);
	osc_free(context);
}

/* --- threads -------------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 5 };

static void *compare_often(void *arg)
{
	size_t *bytes = arg;

	for (int i = 0; i < ROUNDS; i++) {
		if (compare_all("randread-1", "randread-2", bytes) != OSC_OK)
			*bytes = 0;
	}
	return NULL;
}

static void contexts_are_independent(void **state)
{
	size_t bytes[THREADS] = { 0 };
	pthread_t thread[THREADS];

	(void)state;
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, compare_often, &bytes[i]), 0);
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	for (size_t i = 0; i < THREADS; i++)
		assert_true(bytes[i] > 0 && bytes[i] == bytes[0]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_valid_is_a_status),
		cmocka_unit_test(an_operation_has_its_histogram_and_its_facts),
		cmocka_unit_test(a_written_profile_reads_back_from_memory),
		cmocka_unit_test(a_callback_may_stop_an_output),
		cmocka_unit_test(contexts_are_independent),
		cmocka_unit_test(no_memory_is_a_status_anywhere),
	};

	if (argc != 2)
		return 2;
	runs = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
