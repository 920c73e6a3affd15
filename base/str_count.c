/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <string.h>

#include "base/attr.h"
#include "base/str.h"

/* Compiled to several registers where they are narrower. */
typedef unsigned char lanes __attribute__((vector_size(32)));

enum { MAX_ROUNDS = UINT8_MAX }; /* after more, a lane could overflow */

static ALWAYS_INLINE size_t sum_of_lanes(const lanes *v)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(*v); i++)
		n += (*v)[i];
	return n;
}

/* Removes the vectors to be counted next from s and returns their number. */
static ALWAYS_INLINE size_t take_rounds(struct str *s)
{
	size_t rounds = s->n / sizeof(lanes);

	rounds = rounds < MAX_ROUNDS ? rounds : MAX_ROUNDS;
	*s = str_skip(*s, rounds * sizeof(lanes));
	return rounds;
}

static ALWAYS_INLINE size_t count_one(struct str s, char c)
{
	const lanes wanted = (lanes){ 0 } + (unsigned char)c;
	size_t n = 0;

	while (s.n >= sizeof(lanes)) {
		const char *p = s.p;
		lanes found = { 0 };

		for (size_t rounds = take_rounds(&s); rounds > 0; rounds--, p += sizeof(lanes)) {
			lanes v;

			memcpy(&v, p, sizeof(v));
			found -= (lanes)(v == wanted);
		}
		n += sum_of_lanes(&found);
	}
	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == c;
	return n;
}

static ALWAYS_INLINE struct str_counts count_three(struct str s, const char c[3])
{
	const lanes first = (lanes){ 0 } + (unsigned char)c[0];
	const lanes second = (lanes){ 0 } + (unsigned char)c[1];
	const lanes third = (lanes){ 0 } + (unsigned char)c[2];
	struct str_counts n = { { 0 } };

	while (s.n >= sizeof(lanes)) {
		const char *p = s.p;
		lanes found[3] = { { 0 } };

		for (size_t rounds = take_rounds(&s); rounds > 0; rounds--, p += sizeof(lanes)) {
			lanes v;

			memcpy(&v, p, sizeof(v));
			found[0] -= (lanes)(v == first);
			found[1] -= (lanes)(v == second);
			found[2] -= (lanes)(v == third);
		}
		for (int k = 0; k < 3; k++)
			n.of[k] += sum_of_lanes(&found[k]);
	}
	for (size_t i = 0; i < s.n; i++) {
		for (int k = 0; k < 3; k++)
			n.of[k] += s.p[i] == c[k];
	}
	return n;
}

#if defined(__x86_64__) && defined(__GNUC__)

/* The same, compiled for AVX2. */

__attribute__((target("avx2"))) static size_t count_one_wide(struct str s, char c)
{
	return count_one(s, c);
}

__attribute__((target("avx2"))) static struct str_counts count_three_wide(struct str s,
									  const char c[3])
{
	return count_three(s, c);
}

#define IS_WIDE __builtin_cpu_supports("avx2")

#else

#define IS_WIDE		 false
#define count_one_wide	 count_one
#define count_three_wide count_three

#endif

size_t str_count(struct str s, char c)
{
	return IS_WIDE ? count_one_wide(s, c) : count_one(s, c);
}

struct str_counts str_count_three(struct str s, const char c[3])
{
	return IS_WIDE ? count_three_wide(s, c) : count_three(s, c);
}
