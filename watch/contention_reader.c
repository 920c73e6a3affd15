/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/contention_reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scan.h"
#include "base/xalloc.h"

enum {
	MAX_THREADS = 1024, /* of the process tree; reading one takes 10 us */
	STAT_TIMES = 8,	    /* user nice system idle iowait irq softirq steal */
	MAX_PATH = 256,
};

/* Processor time and run-queue wait of a thread since it began, in ns, and its number of waits. */
struct thread {
	uint64_t id, used, waited, waits;
};

/* The counters of all processors and threads at one time. */
struct reading {
	uint64_t busy, all;    /* of all processors, in ns */
	struct thread *thread; /* ascending */
	size_t n, cap;
};

struct contention_reader {
	const char *proc;
	uint64_t pid;
	struct reading last, now;
	uint64_t *process; /* the process and its descendants */
	size_t n_processes, cap_processes;
	bool known; /* `last` was read */
};

struct contention_reader *contention_reader_new(const char *proc, uint64_t pid)
{
	struct contention_reader *s = xcalloc(1, sizeof(*s));

	s->proc = proc;
	s->pid = pid;
	return s;
}

void contention_reader_free(struct contention_reader *s)
{
	if (s == NULL)
		return;
	free(s->last.thread);
	free(s->now.thread);
	free(s->process);
	free(s);
}

/* The beginning of a file; empty where it cannot be read. */
static struct str read_head(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, buf, size) : -1;

	if (fd >= 0)
		(void)close(fd);
	return (struct str){ buf, n > 0 ? (size_t)n : 0 };
}

/* The next number of a line. */
static bool take_number(struct cursor *c, uint64_t *ret)
{
	scan_blanks(c);
	return scan_u64(c, ret);
}

static bool read_processors(const struct contention_reader *s, struct reading *to)
{
	const uint64_t tick = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);
	char path[MAX_PATH], buf[512];
	uint64_t time[STAT_TIMES] = { 0 };
	struct cursor c;
	struct str word;

	(void)snprintf(path, sizeof(path), "%s/stat", s->proc);
	c = CURSOR_OVER(read_head(path, buf, sizeof(buf)));
	if (!scan_word(&c, &word) || !str_eq(word, STR("cpu")))
		return false;
	to->all = 0;
	for (int i = 0; i < STAT_TIMES; i++) {
		if (!take_number(&c, &time[i]))
			return false;
		to->all += time[i] * tick;
	}
	to->busy = to->all - (time[3] + time[4]) * tick;
	return true;
}

static void read_thread(const struct contention_reader *s, uint64_t pid, uint64_t id,
			struct reading *to)
{
	char path[MAX_PATH], buf[128];
	struct thread t = { .id = id };
	struct cursor c;

	(void)snprintf(path, sizeof(path), "%s/%llu/task/%llu/schedstat", s->proc,
		       (unsigned long long)pid, (unsigned long long)id);
	c = CURSOR_OVER(read_head(path, buf, sizeof(buf)));
	if (!take_number(&c, &t.used) || !take_number(&c, &t.waited) || !take_number(&c, &t.waits))
		return;
	to->thread = xgrow(to->thread, &to->cap, to->n + 1, sizeof(*to->thread));
	to->thread[to->n++] = t;
}

/* Appends the children of a thread to the list of processes. */
static void read_children(struct contention_reader *s, uint64_t pid, uint64_t id)
{
	char path[MAX_PATH], buf[4096];
	struct cursor c;
	uint64_t child;

	(void)snprintf(path, sizeof(path), "%s/%llu/task/%llu/children", s->proc,
		       (unsigned long long)pid, (unsigned long long)id);
	c = CURSOR_OVER(read_head(path, buf, sizeof(buf)));
	while (s->n_processes < MAX_THREADS && take_number(&c, &child) && !cursor_done(&c)) {
		s->process = xgrow(s->process, &s->cap_processes, s->n_processes + 1,
				   sizeof(*s->process));
		s->process[s->n_processes++] = child;
	}
}

static void read_process(struct contention_reader *s, uint64_t pid)
{
	char path[MAX_PATH];
	struct dirent *e;
	DIR *d;

	(void)snprintf(path, sizeof(path), "%s/%llu/task", s->proc, (unsigned long long)pid);
	d = opendir(path);
	while (d != NULL && s->now.n < MAX_THREADS && (e = readdir(d)) != NULL) {
		uint64_t id;

		if (number_u64(str_from(e->d_name), &id) != NUMBER_OK)
			continue;
		read_thread(s, pid, id, &s->now);
		read_children(s, pid, id);
	}
	if (d != NULL)
		(void)closedir(d);
}

static void read_processes(struct contention_reader *s)
{
	s->now.n = s->n_processes = 0;
	read_process(s, s->pid);
	for (size_t i = 0; i < s->n_processes; i++)
		read_process(s, s->process[i]);
}

static int by_id(const void *pa, const void *pb)
{
	const struct thread *a = pa, *b = pb;

	return (a->id > b->id) - (a->id < b->id);
}

/* What was added; a thread that used less than before is another one with the same number. */
static void add_since(const struct reading *last, const struct thread *t, struct thread *sum)
{
	static const struct thread none = { .id = 0 };
	const struct thread *before =
		last->n > 0 ? bsearch(t, last->thread, last->n, sizeof(*t), by_id) : NULL;

	if (before == NULL || before->used > t->used || before->waited > t->waited ||
	    before->waits > t->waits)
		before = &none;
	sum->used += t->used - before->used;
	sum->waited += t->waited - before->waited;
	sum->waits += t->waits - before->waits;
}

/* Of what the program waited for, the part that others used is their doing: where its own threads
 * use most of the processors, they wait for each other. */
static struct contention contention_of(const struct reading *last, const struct reading *now)
{
	struct contention c = { .capacity = now->all - last->all };
	struct thread sum = { .id = 0 };
	uint64_t busy = now->busy > last->busy ? now->busy - last->busy : 0;

	for (size_t i = 0; i < now->n; i++)
		add_since(last, &now->thread[i], &sum);
	c.others = busy > sum.used ? busy - sum.used : 0;
	if (c.others > c.capacity)
		c.others = c.capacity;
	c.waits = sum.waits;
	if (c.others + sum.used > 0)
		c.waited = (uint64_t)((double)sum.waited * (double)c.others /
				      ((double)c.others + (double)sum.used));
	return c;
}

bool contention_reader_read(struct contention_reader *s, struct contention *ret)
{
	struct reading kept = s->last;
	bool known = s->known;

	s->known = read_processors(s, &s->now);
	if (s->known)
		read_processes(s);
	s->known = s->known && s->now.n > 0;
	if (!s->known)
		return false;
	qsort(s->now.thread, s->now.n, sizeof(*s->now.thread), by_id);
	s->last = s->now;
	s->now = kept;
	if (!known || s->last.all <= kept.all)
		return false;
	*ret = contention_of(&kept, &s->last);
	return true;
}
