/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What osprof is measured against: `operation,latency` lines of a mapped file counted by
 * operation and floor(log2(latency)), the plain way, on so many threads.
 *
 *	raw_loop FILE THREADS
 *
 * It trusts its input, has room for a fixed number of operations and prints one number.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { PLACES = 1 << 18, NAME = 16, BUCKETS = 64, MAX_THREADS = 64 };

struct place {
	char name[NAME];
	uint64_t count[BUCKETS];
};

struct part {
	const char *from, *end;
	struct place *place;
	pthread_t thread;
};

static struct place *find(struct place *place, const char *name, size_t n, uint32_t hash)
{
	for (;; hash++) {
		struct place *p = &place[hash % PLACES];

		if (p->name[0] == '\0' && n < NAME)
			memcpy(p->name, name, n);
		if (memcmp(p->name, name, n) == 0 && p->name[n] == '\0')
			return p;
	}
}

static void *count(void *arg)
{
	const struct part *part = arg;

	for (const char *p = part->from; p < part->end; p++) {
		const char *name = p;
		uint32_t hash = 2166136261;
		uint64_t v = 0;
		size_t n;

		for (; *p != ','; p++)
			hash = (hash ^ (unsigned char)*p) * 16777619;
		n = (size_t)(p++ - name);
		for (; *p != '\n'; p++)
			v = v * 10 + (uint64_t)(*p - '0');
		find(part->place, name, n, hash)->count[63 - __builtin_clzll(v | 1)]++;
	}
	return NULL;
}

/* The first byte of the line after p. */
static const char *next_line(const char *p)
{
	return (const char *)rawmemchr(p, '\n') + 1;
}

int main(int argc, char **argv)
{
	int n_threads = argc > 2 ? atoi(argv[2]) : 0, fd = argc > 2 ? open(argv[1], O_RDONLY) : -1;
	struct part part[MAX_THREADS];
	const char *bytes, *end, *from;
	uint64_t sum = 0;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || n_threads < 1 || n_threads > MAX_THREADS)
		errx(2, "usage: raw_loop FILE THREADS");
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (bytes == MAP_FAILED)
		err(1, "%s", argv[1]);
	end = bytes + st.st_size;
	from = next_line(bytes);
	for (int i = 0; i < n_threads; i++) {
		const char *to = i + 1 < n_threads ? bytes + st.st_size / n_threads * (i + 1) : end;

		to = to < end ? next_line(to) : end;
		part[i] = (struct part){ from, to, calloc(PLACES, sizeof(*part->place)), 0 };
		from = to;
		if (part[i].place == NULL || pthread_create(&part[i].thread, NULL, count, &part[i]))
			errx(1, "no room");
	}
	for (int i = 0; i < n_threads; i++) {
		(void)pthread_join(part[i].thread, NULL);
		for (size_t k = 0; k < PLACES; k++) {
			for (int bucket = 0; bucket < BUCKETS; bucket++)
				sum += part[i].place[k].count[bucket];
		}
	}
	(void)printf("%llu\n", (unsigned long long)sum);
	return 0;
}
