/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile that another process looks at while it is counted into, and sends messages to. */
#include "tests/collect/capturing.h"

#include "collect/region.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int new_file(void)
{
	int fd = memfd_create("profile", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	return fd;
}

static uint64_t calls_seen(struct osprof *observer, const char *name)
{
	struct profile *profile = read_back(observer);
	uint64_t n = calls_of(profile, name);

	profile_free(profile);
	return n;
}

/* What is counted after the first look is in the second; the owner's own print is the same. */
static void test_seen(void **state)
{
	int fd = new_file();
	struct osprof *p = osprof_new_in(fd, &(struct osprof_options){ .resolution = 3 }), *o;
	int op = osprof_op(p, "ours", "x");

	(void)state;
	for (int i = 0; i < 10; i++)
		osprof_add(p, op, 100);
	o = osprof_observe(fd);
	assert_non_null(o);
	assert_int_equal(calls_seen(o, "x"), 10);
	for (int i = 0; i < 5; i++)
		osprof_add(p, osprof_op(p, "ours", "later"), 1000);
	assert_int_equal(calls_seen(o, "x"), 10); /* a copy */
	assert_int_equal(osprof_observe_again(o), 0);
	assert_int_equal(calls_seen(o, "x"), 10);
	assert_int_equal(calls_seen(o, "later"), 5);
	assert_int_equal(osprof_count(o), 15);
	assert_int_equal(osprof_hz(o), osprof_hz(p));
	assert_int_equal(osprof_state(o), OSPROF_RUNNING);
	osprof_free(p);
	assert_int_equal(osprof_observe_again(o), 0);
	assert_int_equal(osprof_state(o), OSPROF_ENDED);
	assert_int_equal(calls_seen(o, "later"), 5);
	osprof_free(o);
	(void)close(fd);
}

enum { THREADS = 3, LATENCIES = 4 };
static const uint64_t latency[LATENCIES] = { 1, 10, 100, 1000 };

struct counting {
	struct osprof *profile;
	int op;
	int end;
	uint64_t calls;
};

static void *count_on(void *arg)
{
	struct counting *c = arg;
	uint64_t n = 0;

	while (!__atomic_load_n(&c->end, __ATOMIC_RELAXED)) {
		osprof_add(c->profile, c->op, latency[n % LATENCIES]);
		n++;
	}
	(void)__atomic_fetch_add(&c->calls, n, __ATOMIC_RELAXED);
	return NULL;
}

/* What one thread of the counting ones adds comes in a fixed order, so that a consistent copy
 * has its four buckets in step. Buckets must never be reported that others deny, whatever is
 * being added; at the end nothing is missing. */
static void test_while_counting(void **state)
{
	int fd = new_file();
	struct osprof *p = osprof_new_in(fd, NULL), *o;
	struct counting c = { .profile = p, .op = osprof_op(p, "", "x") };
	pthread_t thread[THREADS];
	uint64_t last = 0;

	(void)state;
	osprof_add(p, c.op, 1);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, count_on, &c), 0);
	o = osprof_observe(fd);
	assert_non_null(o);
	for (int i = 0; i < 200; i++) {
		assert_int_equal(osprof_observe_again(o), 0);
		assert_true(osprof_count(o) >= last);
		last = osprof_count(o);
		if (i % 20 == 0)
			(void)calls_seen(o, "x");
	}
	__atomic_store_n(&c.end, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
	assert_int_equal(osprof_observe_again(o), 0);
	assert_int_equal(calls_seen(o, "x"), c.calls + 1);
	osprof_free(o);
	osprof_free(p);
	(void)close(fd);
}

/* The total of a copy is that of its calls: a thread counts in rounds, 1 + 10 + 100 + 1000,
 * and rests in between, where the observer finds it. */
static void test_consistent(void **state)
{
	int fd = new_file(), round_ends[2];
	struct osprof *p = osprof_new_in(fd, NULL), *o = NULL;
	int op = osprof_op(p, "", "x");
	const struct timespec rest = { .tv_nsec = 20000 };
	pid_t child;

	(void)state;
	assert_int_equal(pipe(round_ends), 0);
	child = fork();
	if (child == 0) {
		(void)close(round_ends[0]);
		do {
			for (int i = 0; i < 250 * LATENCIES; i++)
				osprof_add(p, op, latency[i % LATENCIES]);
			(void)nanosleep(&rest, NULL);
		} while (write(round_ends[1], "", 1) == 1);
		_exit(0);
	}
	(void)close(round_ends[1]);
	for (int i = 0; i < 300; i++) {
		const struct cell *c;
		char byte;

		assert_int_equal(read(round_ends[0], &byte, 1), 1);
		if (o == NULL)
			o = osprof_observe(fd);
		assert_non_null(o);
		assert_int_equal(osprof_observe_again(o), 0);
		c = cell_of((struct capture *)o, set_at((struct capture *)o, 0), (unsigned)op);
		assert_int_equal(c->begun, c->ended);
		assert_int_equal(c->total, c->slot[1] * 1 + c->slot[4] * 10 + c->slot[7] * 100 +
						   c->slot[10] * 1000);
	}
	(void)close(round_ends[0]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(osprof_state(o), OSPROF_RUNNING); /* it was not the owner */
	osprof_free(o);
	osprof_free(p);
	(void)close(fd);
}

/* Whoever made it is killed: known by its number and when it began. */
static void test_abandoned(void **state)
{
	int fd = new_file(), status;
	pid_t child = fork();
	struct osprof *o;

	(void)state;
	if (child == 0) {
		struct osprof *p = osprof_new_in(fd, NULL);

		osprof_add(p, osprof_op(p, "", "x"), 5);
		(void)raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	o = osprof_observe(fd);
	assert_non_null(o);
	assert_int_equal(osprof_state(o), OSPROF_ABANDONED);
	assert_int_equal(calls_seen(o, "x"), 1);
	osprof_free(o);
	(void)close(fd);
}

/* A call that was being added when its thread was killed does not hold up the observer, and
 * is reported. What was added of it already, its bucket, is there. */
static void test_cut_off_call(void **state)
{
	int fd = new_file();
	struct osprof *p = osprof_new_in(fd, NULL), *o;
	struct capture *c = (struct capture *)p;
	int op = osprof_op(p, "", "x");
	struct cell *cell;
	char *text = NULL;
	size_t n = 0;
	FILE *f;

	(void)state;
	for (int i = 0; i < 7; i++)
		osprof_add(p, op, 100);
	cell = cell_of(c, set_at(c, 0), (unsigned)op);
	cell->begun++;
	o = osprof_observe(fd);
	assert_non_null(o);
	assert_int_equal(osprof_observe_again(o), 0); /* and is not waited for again */
	f = open_memstream(&text, &n);
	assert_int_equal(osprof_print(o, f), 0);
	(void)fclose(f);
	assert_non_null(strstr(text, "total 700\ncount 7\nlost 1\n6 7\n"));
	free(text);
	osprof_free(o);
	osprof_free(p);
	(void)close(fd);
}

/* Nor do many such calls, of threads that were killed or of an owner that means harm: a reading
 * waits for all of them together as long as for one. */
static void test_cut_off_calls(void **state)
{
	enum { OPS = 300 };
	int fd = new_file();
	struct osprof *p = osprof_new_in(fd, &(struct osprof_options){ .max_ops = OPS }), *o;
	struct capture *c = (struct capture *)p;
	uint64_t began = osprof_nanoseconds();
	char name[16];

	(void)state;
	for (int i = 0; i < OPS; i++) {
		(void)snprintf(name, sizeof(name), "x%d", i);
		osprof_add(p, osprof_op(p, "", name), 100);
		cell_of(c, set_at(c, 0), (unsigned)i)->begun++;
	}
	o = osprof_observe(fd);
	assert_non_null(o);
	assert_int_equal(osprof_count(o), OPS);
	assert_true(osprof_nanoseconds() - began < UINT64_C(10000000000));
	osprof_free(o);
	osprof_free(p);
	(void)close(fd);
}

/* Counters that shrink are reported, and so is another profile in the same file. */
static void test_reset(void **state)
{
	int fd = new_file();
	struct osprof *p = osprof_new_in(fd, NULL), *o, *other;
	struct capture *c = (struct capture *)p;
	int op = osprof_op(p, "", "x");
	struct cell *cell;

	(void)state;
	osprof_add(p, op, 100);
	osprof_add(p, op, 100);
	o = osprof_observe(fd);
	assert_int_equal(osprof_observe_again(o), 0);
	cell = cell_of(c, set_at(c, 0), (unsigned)op);
	memset(cell, 0, c->cell_size);
	osprof_add(p, op, 100);
	assert_int_equal(osprof_observe_again(o), 1);
	assert_int_equal(calls_seen(o, "x"), 1);
	assert_int_equal(osprof_observe_again(o), 0);
	other = osprof_new_in(fd, NULL);
	assert_int_equal(osprof_observe_again(o), -1);
	assert_int_equal(errno, ESTALE);
	osprof_free(o);
	o = osprof_observe(fd);
	assert_non_null(o);
	assert_int_equal(osprof_count(o), 0); /* nothing of the profile before is there */
	osprof_free(o);
	osprof_free(other);
	osprof_free(p);
	(void)close(fd);
}

static int why_refused(int fd)
{
	errno = 0;
	assert_null(osprof_observe(fd));
	return errno;
}

static void flip(int fd, off_t at)
{
	unsigned char byte;

	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte ^= 0x10;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
}

/* Each byte of the part of the header that never changes is under its seal. */
static void test_damaged_header(void **state)
{
	int fd = new_file();
	struct osprof *p = osprof_new_in(fd, NULL);

	(void)state;
	for (size_t at = 0; at < offsetof(struct region, ended); at++) {
		int expected = at < 8 ? EINVAL : at < 12 ? EPROTONOSUPPORT : EBADMSG;

		flip(fd, (off_t)at);
		assert_int_equal(why_refused(fd), expected);
		assert_null(osprof_attach(fd));
		assert_int_equal(errno, expected);
		flip(fd, (off_t)at);
	}
	osprof_free(osprof_observe(fd));
	osprof_free(p);
	(void)close(fd);
}

/* Cut off at any place, also while it is observed, which must not end the reader. It is a copy
 * of the file that is cut off. */
static void test_cut_off_file(void **state)
{
	int from = new_file(), fd = new_file();
	struct osprof *p = osprof_new_in(from, &(struct osprof_options){ .max_ops = 2 }), *o;
	size_t size = ((struct capture *)p)->size;

	(void)state;
	osprof_add(p, osprof_op(p, "", "x"), 1);
	assert_int_equal(write(fd, ((struct capture *)p)->region, size), size);
	o = osprof_observe(fd);
	assert_non_null(o);
	for (size_t to = size - 1; to > 0; to = to * 2 / 3) {
		assert_int_equal(ftruncate(fd, (off_t)to), 0);
		assert_int_equal(osprof_observe_again(o), -1);
		assert_int_equal(errno, to < 8 ? EINVAL : ENODATA);
		assert_int_equal(why_refused(fd), to < 8 ? EINVAL : ENODATA);
	}
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(why_refused(fd), EINVAL);
	osprof_free(o);
	osprof_free(p);
	(void)close(fd);
	(void)close(from);
}

/* --- messages ------------------------------------------------------------------------- */

static void send_text(int fd, const char *text)
{
	assert_int_equal(osprof_send(fd, text, strlen(text)), 0);
}

static void test_message(void **state)
{
	int fd = new_file();
	struct osprof *p = osprof_new_in(fd, NULL), *other;
	struct osprof_message m;

	(void)state;
	assert_int_equal(osprof_message(p, &m), 0);
	send_text(fd, "write: batch 8");
	other = osprof_attach(fd); /* has not seen what came before */
	send_text(fd, "");
	assert_int_equal(osprof_message(p, &m), 1);
	assert_string_equal(m.bytes, "write: batch 8");
	assert_true(m.number == 0 && m.missed == 0 && m.size == 14);
	assert_true(m.sent_at <= osprof_nanoseconds());
	for (int i = 0; i < 2; i++) {
		struct osprof *to = i == 0 ? p : other;

		assert_int_equal(osprof_message(to, &m), 1);
		assert_true(m.number == 1 && m.size == 0 && m.bytes[0] == '\0');
		assert_int_equal(osprof_message(to, &m), 0);
	}
	osprof_free(other);
	osprof_free(p);
	(void)close(fd);
}

/* Of more than there is room for the last 63 are there, and how many are not is reported. */
static void test_missed(void **state)
{
	int fd = new_file();
	struct osprof *p = osprof_new_in(fd, NULL);
	struct osprof_message m;
	char text[16];

	(void)state;
	for (int i = 0; i < 200; i++) {
		(void)snprintf(text, sizeof(text), "%d", i);
		send_text(fd, text);
	}
	for (int i = 200 - 63; i < 200; i++) {
		assert_int_equal(osprof_message(p, &m), 1);
		assert_int_equal(m.number, i);
		assert_int_equal(atoi(m.bytes), i);
		assert_int_equal(m.missed, i == 200 - 63 ? 200 - 63 : 0);
	}
	assert_int_equal(osprof_message(p, &m), 0);
	osprof_free(p);
	(void)close(fd);
}

enum { SENDERS = 3, EACH = 300 };

/* Several processes send at the same time: all is whole, in order, and nothing twice. The
 * text of a message is one letter, so that a torn one would show. */
static void test_many_senders(void **state)
{
	int fd = new_file();
	struct osprof *p = osprof_new_in(fd, NULL);
	pid_t child[SENDERS];
	struct osprof_message m;
	uint64_t captured = 0, next = 0;

	(void)state;
	for (int i = 0; i < SENDERS; i++) {
		child[i] = fork();
		if (child[i] == 0) {
			char text[OSPROF_MAX_MESSAGE], path[64];
			int own, ok = 1;

			(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
			own = open(path, O_RDWR | O_CLOEXEC);
			memset(text, 'a' + i, sizeof(text));
			for (int k = 0; k < EACH; k++)
				ok &= osprof_send(own, text, sizeof(text)) == 0;
			_exit(!ok);
		}
	}
	while (next < SENDERS * EACH) {
		if (!osprof_message(p, &m))
			continue;
		assert_int_equal(m.number, next + m.missed);
		assert_int_equal(m.size, OSPROF_MAX_MESSAGE);
		for (uint32_t i = 1; i < m.size; i++)
			assert_int_equal(m.bytes[i], m.bytes[0]);
		next = m.number + 1;
		captured++;
	}
	for (int i = 0; i < SENDERS; i++) {
		int status;

		assert_int_equal(waitpid(child[i], &status, 0), child[i]);
		assert_int_equal(status, 0);
	}
	assert_true(captured > 0);
	osprof_free(p);
	(void)close(fd);
}

static void test_not_sent(void **state)
{
	static const char text[OSPROF_MAX_MESSAGE + 1];
	int fd = new_file(), empty = new_file();
	struct osprof *p = osprof_new_in(fd, NULL);
	struct osprof_message m;

	(void)state;
	assert_int_equal(osprof_send(fd, text, sizeof(text)), -1);
	assert_int_equal(errno, EMSGSIZE);
	assert_int_equal(osprof_send(empty, text, 1), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE), 0);
	assert_int_equal(osprof_send(fd, text, 1), -1);
	assert_int_equal(errno, EPERM);
	osprof_free(osprof_observe(fd)); /* reading is still allowed */
	assert_int_equal(osprof_message(p, &m), 0);
	osprof_free(p);
	assert_int_equal(osprof_send(fd, text, 1), -1);
	assert_int_equal(errno, EPIPE);
	(void)close(empty);
	(void)close(fd);
}

/* The count of messages is what a hostile writer made it; nothing beyond a slot is read. */
static void test_hostile_messages(void **state)
{
	int fd = new_file();
	struct osprof *p = osprof_new_in(fd, NULL);
	struct region *r = ((struct capture *)p)->region;
	struct osprof_message m;

	(void)state;
	for (int i = 0; i < MESSAGES; i++)
		r->message[i].size = UINT64_MAX;
	r->n_sent = UINT64_MAX;
	assert_int_equal(osprof_message(p, &m), 1);
	assert_int_equal(m.missed, UINT64_MAX - 63);
	assert_true(m.size <= OSPROF_MAX_MESSAGE);
	r->n_sent = 5; /* fewer than before */
	assert_int_equal(osprof_message(p, &m), 0);
	osprof_free(p);
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seen),	     cmocka_unit_test(test_while_counting),
		cmocka_unit_test(test_consistent),   cmocka_unit_test(test_abandoned),
		cmocka_unit_test(test_cut_off_call), cmocka_unit_test(test_cut_off_calls),
		cmocka_unit_test(test_reset),	     cmocka_unit_test(test_damaged_header),
		cmocka_unit_test(test_cut_off_file), cmocka_unit_test(test_message),
		cmocka_unit_test(test_missed),	     cmocka_unit_test(test_many_senders),
		cmocka_unit_test(test_not_sent),     cmocka_unit_test(test_hostile_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
