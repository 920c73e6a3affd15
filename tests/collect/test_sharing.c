/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile that several processes count into, however they end. */
#include "tests/collect/capturing.h"

#include "collect/region.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void wait_for(pid_t child)
{
	int status;

	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
}

static void count(struct osprof *p, int op, int n)
{
	for (int i = 0; i < n; i++)
		osprof_add(p, op, 100);
}

/* Parent and children count at the same time into sets of their own. */
static void test_forked(void **state)
{
	enum { CHILDREN = 20, CALLS = 20000 };
	struct osprof *p = osprof_new(NULL);
	int op = osprof_op(p, "", "x");
	struct profile *profile;
	pid_t child[CHILDREN];

	(void)state;
	count(p, op, 1); /* the parent has its set already */
	for (int i = 0; i < CHILDREN; i++) {
		/* Without libc's help, too; not every architecture has SYS_fork. */
		child[i] = i % 2 ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
		if (child[i] == 0) {
			count(p, op, CALLS);
			osprof_leave(p);
			_exit(0);
		}
	}
	count(p, op, CALLS);
	for (int i = 0; i < CHILDREN; i++)
		wait_for(child[i]);
	profile = read_back(p);
	assert_int_equal(calls_of(profile, "x"), 1 + (CHILDREN + 1) * CALLS);
	profile_free(profile);
	osprof_free(p);
}

/* A child that is killed loses nothing that it counted: it says how far it came. More
 * are killed than there are sets. */
static void test_killed(void **state)
{
	struct osprof *p = osprof_new(&(struct osprof_options){ .max_threads = 4 });
	int op = osprof_op(p, "", "x"), late = osprof_op(p, "", "late");
	struct profile *profile;

	(void)state;
	for (int i = 0; i < 10; i++) {
		pid_t child = fork();

		if (child == 0) {
			count(p, op, 1000);
			(void)raise(SIGKILL);
		}
		wait_for(child);
	}
	count(p, late, 1);
	profile = read_back(p);
	assert_int_equal(calls_of(profile, "x"), 10000);
	assert_int_equal(calls_of(profile, "late"), 1);
	profile_free(profile);
	osprof_free(p);
}

/* One that is killed between two additions of a call: what it counted before is there, and
 * that something is missing is said. What it leaves is made here. */
static void test_cut_off(void **state)
{
	struct osprof *p = osprof_new(NULL);
	struct capture *c = (struct capture *)p;
	int op = osprof_op(p, "", "x");
	char *text = NULL;
	size_t n = 0;
	FILE *f;

	(void)state;
	count(p, op, 1000);
	cell_of(c, set_at(c, 0), (unsigned)op)->begun++;
	f = open_memstream(&text, &n);
	assert_int_equal(osprof_print(p, f), 0);
	assert_int_equal(osprof_print(p, f), 0); /* and is not waited for again */
	(void)fclose(f);
	assert_non_null(strstr(text, "count 1000\nlost 1\n6 1000\n"));
	free(text);
	osprof_free(p);
}

/* Another process attaches by the file alone, and the words are shared. */
static void test_attached(void **state)
{
	int fd = memfd_create("profile", MFD_CLOEXEC);
	struct osprof *p = osprof_new_in(fd, &(struct osprof_options){ .resolution = 3 });
	struct profile *profile;
	pid_t child = fork();

	(void)state;
	if (child == 0) {
		struct osprof *other = osprof_attach(fd);

		if (other == NULL)
			_exit(1);
		count(other, osprof_op(other, "theirs", "x"), 5);
		osprof_words(other)[3] = 7;
		_exit(0);
	}
	count(p, osprof_op(p, "ours", "x"), 5);
	wait_for(child);
	profile = read_back(p);
	assert_int_equal(profile->n_ops, 2);
	assert_int_equal(osprof_count(p), 10);
	assert_int_equal(osprof_words(p)[3], 7);
	profile_free(profile);
	osprof_free(p);
	(void)close(fd);
}

static void test_not_a_profile(void **state)
{
	static const char text[4096] = "osprof\n but not really";
	int fd = memfd_create("text", MFD_CLOEXEC);

	(void)state;
	assert_null(osprof_attach(fd));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(write(fd, text, sizeof(text)), sizeof(text));
	assert_null(osprof_attach(fd));
	(void)close(fd);
	assert_null(osprof_attach(-1));
}

/* The first bytes are those of a profile, whose sizes are then another's. */
static void test_damaged(void **state)
{
	int fd = memfd_create("profile", MFD_CLOEXEC);
	struct osprof *p = osprof_new_in(fd, NULL);

	(void)state;
	assert_non_null(p);
	assert_int_equal(ftruncate(fd, 8192), 0);
	assert_null(osprof_attach(fd));
	osprof_free(p);
	(void)close(fd);
}

static volatile sig_atomic_t interrupted;
static struct osprof *signalled;

static void on_signal(int number)
{
	(void)number;
	interrupted++;
	osprof_add(signalled, 0, 1000);
}

/* A handler that counts while its thread counts, thousands of times. */
static void test_signal_handler(void **state)
{
	enum { SIGNALS = 5000 };
	pid_t self = getpid(), child;
	struct profile *profile;
	uint64_t n = 0;
	int status;

	(void)state;
	signalled = osprof_new(NULL);
	(void)osprof_op(signalled, "", "x");
	assert_true(signal(SIGUSR1, on_signal) != SIG_ERR);
	child = fork();
	if (child == 0) {
		for (int i = 0; i < SIGNALS; i++)
			(void)kill(self, SIGUSR1);
		_exit(0);
	}
	while (waitpid(child, &status, WNOHANG) != child) {
		for (int i = 0; i < 1000; i++, n++)
			osprof_add(signalled, 0, 1000);
	}
	assert_true(signal(SIGUSR1, SIG_IGN) != SIG_ERR);
	profile = read_back(signalled);
	assert_int_equal(calls_of(profile, "x"), n + (uint64_t)interrupted);
	assert_true(interrupted > 0);
	profile_free(profile);
	osprof_free(signalled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forked),	       cmocka_unit_test(test_killed),
		cmocka_unit_test(test_cut_off),	       cmocka_unit_test(test_attached),
		cmocka_unit_test(test_not_a_profile),  cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_signal_handler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
