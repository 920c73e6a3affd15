/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kept intervals: whenever its writer is killed, and whatever fails, a folder has each call once.
 *
 * The calls by which a store changes its folder are counted here.  A child is killed before the
 * first of them, before the second, and so on until it ends by itself; in another round each fails
 * once.  What the folder then holds is compared with what was put into it.
 */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/input/input.h"
#include "formats/format.h"
#include "profile/profile.h"
#include "watch/rename_new.h"
#include "watch/store/store.h"

enum { KILLED = 99, NEVER = 100000, BASE = 1790001000 };

/* --- calls that are killed, or fail --------------------------------------------------------- */

static struct {
	int left; /* calls until it happens; below 0: it has, or never does */
	bool kill;
} fault = { .left = -1 };

static bool faulty(void)
{
	if (fault.left < 0 || fault.left-- > 0)
		return false;
	if (fault.kill)
		_exit(KILLED);
	errno = EIO;
	return true;
}

int fsync(int fd)
{
	return faulty() ? -1 : (int)syscall(SYS_fsync, fd);
}

int renameat(int from, const char *old, int to, const char *new)
{
	return faulty() ? -1 : (int)syscall(SYS_renameat2, from, old, to, new, 0);
}

/* In place of that of the library. */
int rename_new(int at, const char *old, const char *new)
{
	return faulty() ? -1 : (int)syscall(SYS_renameat2, at, old, at, new, RENAME_NOREPLACE);
}

int unlink(const char *path)
{
	return faulty() ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int unlinkat(int folder, const char *path, int flags)
{
	return faulty() ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
}

/* --- what is kept ----------------------------------------------------------------------------- */

/* Of a child and its parent. */
static struct {
	uint64_t put, next; /* calls in the folder, and in the interval that is written now */
} * fed;

static struct diag silent;
static char folder[64];

static struct profile *calls_of(uint64_t n)
{
	struct read_options options = { .resolution = 0 };
	struct out *o = out_to_memory();
	struct profile *p;
	struct input in;

	out_printf(o, "osprof 1\nunit ns\nop read\n10 %llu\n", (unsigned long long)n);
	input_borrow(&in, "test", out_memory(o).p, out_memory(o).n);
	p = format_read(format_by_name(STR("osprof")), &in, &options, &silent);
	assert_non_null(p);
	input_release(&in);
	out_free(o);
	return p;
}

/* n calls between these seconds after BASE. */
static void put(struct store *s, double start, double end, uint64_t n)
{
	struct profile *p = calls_of(n);

	fed->next += n;
	if (store_put(s, p, (struct span){ BASE + start, BASE + end }, &silent)) {
		fed->put += fed->next;
		fed->next = 0;
	}
	profile_free(p);
}

static uint64_t kept_calls(size_t *ret_files)
{
	struct arena *a = arena_new();
	struct kept_interval *k;
	uint64_t calls = 0;
	size_t n;

	assert_true(store_list(folder, a, &k, &n, &silent));
	for (size_t i = 0; i < n; i++) {
		struct profile *p = store_read(k[i].path, &silent);

		assert_non_null(p);
		for (size_t j = 0; j < p->n_ops; j++)
			calls += operation_count(&p->op[j]);
		profile_free(p);
	}
	if (ret_files != NULL)
		*ret_files = n;
	arena_free(a);
	return calls;
}

/* --- what is done to it -------------------------------------------------------------------------
 */

struct scenario {
	const char *name;
	struct tier tier[3];
	size_t n_tiers;
	void (*run)(struct store *s);
	size_t files; /* that are left in the end */
};

static void tidy(struct store *s, double now)
{
	store_tidy(s, BASE + now, &silent);
}

static void grow_old(struct store *s)
{
	for (int i = 0; i < 9; i++)
		put(s, 10 * i, 10 * (i + 1), 100 + (uint64_t)i);
	tidy(s, 200);
}

/* The clock is set back: the name of each is taken, and moves on, the last of them out of its
 * window. */
static void come_twice(struct store *s)
{
	for (int i = 0; i < 6; i++)
		put(s, 10 * i, 10 * (i + 1), 100 + (uint64_t)i);
	for (int i = 3; i < 6; i++)
		put(s, 10 * i, 10 * (i + 1), 1000 + (uint64_t)i);
	tidy(s, 200);
}

/* One begins in a window that is merged already, and ends after it. */
static void come_late(struct store *s)
{
	for (int i = 0; i < 6; i++)
		put(s, 10 * i, 10 * (i + 1), 100 + (uint64_t)i);
	tidy(s, 200);
	put(s, 25, 35, 1000);
	put(s, 21, 29, 2000);
	tidy(s, 200);
	put(s, 28, 38, 4000);
	tidy(s, 200);
}

/* One took longer than an interval, as of a process that was stopped; and one longer than the
 * tier is. */
static void take_long(struct store *s)
{
	put(s, 0, 5, 1);
	put(s, 5, 23, 2);
	put(s, 23, 30, 4);
	put(s, 30, 95, 8);
	put(s, 95, 100, 16);
	tidy(s, 300);
}

/* Set back into intervals that are kept as they are: a part of one of them, and a whole one where
 * there is a part. */
static void lie_within(struct store *s)
{
	put(s, 0, 10, 1);
	put(s, 10, 20, 2);
	put(s, 32, 38, 4);
	put(s, 13, 20, 8);
	put(s, 20, 30, 16);
	put(s, 30, 40, 32);
	tidy(s, 40);
	put(s, 3, 4, 64);
	tidy(s, 500);
}

/* Lengths that no number of binary digits has; three to a window of 2.1 s. */
static void have_fractions(struct store *s)
{
	for (int i = 0; i < 9; i++)
		put(s, 0.9 + 0.7 * i, 0.9 + 0.7 * (i + 1), 100 + (uint64_t)i);
	put(s, 0.9 + 1.8, 0.9 + 2.2, 1000);
	tidy(s, 200);
}

/* What stands beside intervals takes none away. */
static void are_noted(struct store *s)
{
	for (int i = 0; i < 4; i++) {
		put(s, 10 * i, 10 * (i + 1), 1 << i);
		if (!store_note(s, ".note", STR("beside"), &silent))
			continue;
	}
	tidy(s, 500);
}

static const struct scenario scenarios[] = {
	{ "grow_old", { { 10, 60 }, { 30, 100000 } }, 2, grow_old, 3 },
	{ "three_tiers", { { 10, 60 }, { 30, 90 }, { 90, 100000 } }, 3, grow_old, 1 },
	{ "come_twice", { { 10, 60 }, { 30, 100000 } }, 2, come_twice, 2 },
	{ "come_late", { { 10, 60 }, { 30, 100000 } }, 2, come_late, 2 },
	{ "take_long", { { 10, 60 }, { 30, 100000 } }, 2, take_long, 3 },
	{ "lie_within", { { 10, 60 }, { 30, 100000 } }, 2, lie_within, 2 },
	{ "are_noted", { { 10, 60 }, { 30, 100000 } }, 2, are_noted, 2 },
	{ "fractions", { { 0.7, 60 }, { 2.1, 100000 } }, 2, have_fractions, 3 },
};

static struct store *open_store(const struct scenario *c)
{
	struct store_options options = { .folder = folder,
					 .max_bytes = UINT64_MAX,
					 .n_tiers = c->n_tiers };
	struct store *s;

	memcpy(options.tier, c->tier, sizeof(c->tier));
	s = store_open(&options, &silent);
	assert_non_null(s);
	return s;
}

static void empty_folder(void)
{
	DIR *d = opendir(folder);
	struct dirent *e;

	assert_non_null(d);
	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] != '.' || strncmp(e->d_name, ".osprof", 7) == 0)
			(void)unlinkat(dirfd(d), e->d_name, 0);
	}
	(void)closedir(d);
}

/* Whether it ended by itself. */
static bool in_child(const struct scenario *c, int kill_before, bool again)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		struct store *s;

		fault.kill = true;
		fault.left = kill_before;
		s = open_store(c);
		if (again)
			tidy(s, 500);
		else
			c->run(s);
		store_close(s);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) &&
		    (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == KILLED));
	return WEXITSTATUS(status) == 0;
}

/* Who comes next is killed, too, before each of its calls. */
static void check_who_comes_next(const struct scenario *c, uint64_t calls)
{
	for (int n = 0; n < NEVER && !in_child(c, n, true); n++)
		assert_int_equal(kept_calls(NULL), calls);
	assert_int_equal(kept_calls(NULL), calls);
}

static void test_killed(void **state)
{
	const struct scenario *c = *state;
	bool ended = false;
	size_t files = 0;

	for (int n = 0; n < NEVER && !ended; n++) {
		uint64_t calls;

		empty_folder();
		memset(fed, 0, sizeof(*fed));
		ended = in_child(c, n, false);
		calls = kept_calls(&files);
		if (calls != fed->put && calls != fed->put + fed->next)
			fail_msg("killed before call %d: %llu calls, %llu + %llu were put", n,
				 (unsigned long long)calls, (unsigned long long)fed->put,
				 (unsigned long long)fed->next);
		check_who_comes_next(c, calls);
	}
	assert_true(ended);
	assert_int_equal(fed->next, 0);
	assert_int_equal(files, c->files);
}

/* What could not be written is written later; nothing is twice. */
static void test_fails_once(void **state)
{
	const struct scenario *c = *state;
	bool happened;
	int n = 0;

	do {
		struct store *s;

		empty_folder();
		memset(fed, 0, sizeof(*fed));
		s = open_store(c);
		fault.kill = false;
		fault.left = n++;
		c->run(s);
		happened = fault.left < 0;
		fault.left = -1;
		put(s, 400, 410, 1 << 20);
		tidy(s, 500);
		store_close(s);
		assert_int_equal(fed->next, 0);
		assert_int_equal(kept_calls(NULL), fed->put);
	} while (happened);
}

int main(void)
{
	struct CMUnitTest test[2 * COUNT_OF(scenarios)];
	int failed;

	for (size_t i = 0; i < COUNT_OF(scenarios); i++) {
		void *state = (void *)(uintptr_t)&scenarios[i];

		test[2 * i] =
			(struct CMUnitTest){ scenarios[i].name, test_killed, NULL, NULL, state };
		test[2 * i + 1] = (struct CMUnitTest){ scenarios[i].name, test_fails_once, NULL,
						       NULL, state };
	}
	(void)strcpy(folder, "/dev/shm/osprof-store-XXXXXX");
	if (mkdtemp(folder) == NULL) {
		(void)strcpy(folder, "/tmp/osprof-store-XXXXXX");
		assert_non_null(mkdtemp(folder));
	}
	fed = mmap(NULL, sizeof(*fed), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(fed != MAP_FAILED);
	failed = cmocka_run_group_tests(test, NULL, NULL);
	empty_folder();
	(void)rmdir(folder);
	return failed;
}
