/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/general/short_pairs.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>
#include <stdlib.h>

#include "base/xalloc.h"

/* Marks functions with vector instructions; call none before is_supported(). */
#define VECTOR                                                                                     \
	__attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,"            \
			      "avx512vbmi2,popcnt")))

enum { LANES = sizeof(__m512i) / sizeof(uint64_t) };

static bool is_supported(void)
{
	return __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
	       __builtin_cpu_supports("avx512vl");
}

/* With one bucket an octave, numbers of the same bit length lie in at most two adjacent steps: a
 * table by bit length gives the first step, and the number from which on the second one holds. */
static void find_steps(struct short_pairs *pairs)
{
	const struct bulk_steps *steps = &pairs->bulk->steps;

	pairs->by_bits = true;
	for (unsigned bits = 0; bits < PAIRS_BITS; bits++) {
		uint64_t min = bits > 0 ? UINT64_C(1) << (bits - 1) : 0;
		uint64_t max = (UINT64_C(1) << bits) - 1;
		size_t first, last;

		first = bulk_step(steps, min * pairs->scale);
		last = bulk_step(steps, max * pairs->scale);
		pairs->by_bits &= last - first <= 1;
		pairs->step_of[bits] = (uint32_t)first;
		pairs->next_from[bits] = UINT32_MAX;
		if (last > first) /* rounded up */
			pairs->next_from[bits] =
				(uint32_t)((steps->edge[first] - 1) / pairs->scale + 1);
	}
}

struct short_pairs *short_pairs_new(char separator, uint64_t scale, struct bulk *b)
{
	struct short_pairs *pairs;

	if (!is_supported())
		return NULL;
	pairs = xcalloc(1, sizeof(*pairs));
	pairs->bulk = b;
	pairs->separator_byte = separator;
	pairs->scale = scale;
	find_steps(pairs);
	return pairs;
}

void short_pairs_free(struct short_pairs *pairs)
{
	free(pairs);
}

/* --- positions ------------------------------------------------------------------------ */

VECTOR static inline uint64_t find_char(const char *p, char c)
{
	return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(p), _mm512_set1_epi8(c));
}

/* Stores the positions of the set bits, at most PAIRS_IN_BLOCK, plus `base`; the rest of the
 * PAIRS_IN_BLOCK entries is undefined. */
VECTOR static inline void put_positions(uint32_t *to, uint64_t bits, uint32_t base)
{
	static const unsigned char numbers[PAIRS_BLOCK] = {
		0,  1,	2,  3,	4,  5,	6,  7,	8,  9,	10, 11, 12, 13, 14, 15,
		16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
		32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
		48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
	};
	__m512i found = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(numbers));

	found = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(found));
	_mm512_storeu_si512(to, _mm512_add_epi32(found, _mm512_set1_epi32((int)base)));
}

/* Finds the separators and ends of the next rows; returns how many rows have both. */
VECTOR static inline size_t find_rows(struct short_pairs *pairs, const char *p, const char *end)
{
	size_t ends = 0, separators = 0;

	for (uint32_t at = 0;
	     ends < PAIRS_ENOUGH && separators < PAIRS_ENOUGH && end - p >= at + PAIRS_BLOCK;
	     at += PAIRS_BLOCK) {
		uint64_t separated = find_char(p + at, pairs->separator_byte),
			 ended = find_char(p + at, '\n');
		size_t more = (size_t)__builtin_popcountll(ended);
		size_t more_separators = (size_t)__builtin_popcountll(separated);

		if (more > PAIRS_IN_BLOCK || more_separators > PAIRS_IN_BLOCK)
			break;
		put_positions(pairs->end + ends, ended, at + 1);
		put_positions(pairs->separator + separators, separated, at);
		ends += more;
		separators += more_separators;
	}
	return ends < separators ? ends : separators;
}

/* --- rows ----------------------------------------------------------------------------- */

VECTOR static inline __m512i each_lane(uint64_t v)
{
	return _mm512_set1_epi64((long long)v);
}

VECTOR static inline __m512i load_positions(const uint32_t *p)
{
	return _mm512_cvtepu32_epi64(_mm256_loadu_si256((const void *)p));
}

/* Loads the 8 bytes at each of these positions. */
VECTOR static inline __m512i load_at(__mmask8 live, __m512i position, const char *p)
{
	return _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), live, position, p, 1);
}

/* Zeroes the bytes from the n-th on. */
VECTOR static inline __m512i first_bytes(__m512i word, __m512i n)
{
	return _mm512_andnot_si512(
		_mm512_sllv_epi64(each_lane(UINT64_MAX), _mm512_slli_epi64(n, 3)), word);
}

/* Parses the first n bytes, 1 to 8, as numbers; *wrong marks those with a byte that is no digit.
 * Like word_first_number(). */
VECTOR static inline __m512i first_numbers(__m512i word, __m512i n, __mmask8 *wrong)
{
	__m512i beyond = _mm512_slli_epi64(_mm512_sub_epi64(each_lane(WORD_BYTES), n), 3);
	__m512i v = _mm512_sllv_epi64(_mm512_xor_si512(word, each_lane(word_each('0'))), beyond);
	__m512i high = _mm512_or_si512(v, _mm512_add_epi8(v, each_lane(word_each(6))));

	*wrong |= _mm512_test_epi64_mask(high, each_lane(word_each(0xf0)));
	v = _mm512_maddubs_epi16(v, _mm512_set1_epi16(10 | 1 << 8));
	v = _mm512_madd_epi16(v, _mm512_set1_epi32(100 | 1 << 16));
	return _mm512_add_epi64(_mm512_mul_epu32(v, each_lane(10000)), _mm512_srli_epi64(v, 32));
}

/* Returns the steps of whole numbers; requires pairs->by_bits. */
VECTOR static inline __m256i steps_of(const struct short_pairs *pairs, __m512i numbers)
{
	__m256i v = _mm512_cvtepi64_epi32(numbers);
	__m512i bits = _mm512_castsi256_si512(
		_mm256_sub_epi32(_mm256_set1_epi32(PAIRS_BITS), _mm256_lzcnt_epi32(v)));
	__m512i step =
		_mm512_permutex2var_epi32(_mm512_loadu_si512(pairs->step_of), bits,
					  _mm512_loadu_si512(pairs->step_of + PAIRS_BITS / 2));
	__m512i next =
		_mm512_permutex2var_epi32(_mm512_loadu_si512(pairs->next_from), bits,
					  _mm512_loadu_si512(pairs->next_from + PAIRS_BITS / 2));
	__m256i first = _mm512_castsi512_si256(step);

	return _mm256_mask_add_epi32(first,
				     _mm256_cmpge_epu32_mask(v, _mm512_castsi512_si256(next)),
				     first, _mm256_set1_epi32(1));
}

/* Reads rows i to i + LANES - 1, of which those in `live` exist and begin at `from`.  Returns those
 * that are not short pairs. */
VECTOR static inline __mmask8 read_rows(struct short_pairs *pairs, size_t i, __mmask8 live,
					const char *p, __m512i from, __m512i end)
{
	const __m512i one = each_lane(1), eight = each_lane(WORD_BYTES);
	__m512i separator = load_positions(pairs->separator + i);
	__m512i n = _mm512_sub_epi64(separator, from); /* huge if it is not in this row */
	__m512i digits = _mm512_sub_epi64(_mm512_sub_epi64(end, separator), each_lane(2));
	__mmask8 wrong = _mm512_cmpge_epu64_mask(n, each_lane(BULK_INLINE)) |
			 _mm512_cmpge_epu64_mask(_mm512_sub_epi64(digits, one), eight);
	__m512i word = load_at(live, from, p), number;
	__mmask8 longer = live & _mm512_cmpgt_epu64_mask(n, eight);

	wrong |= _mm512_cmpeq_epi64_mask(_mm512_and_si512(word, each_lane(UINT8_MAX)),
					 each_lane('"'));
	_mm512_storeu_si512(pairs->n_name + i, n);
	_mm512_storeu_si512(pairs->word[0] + i, first_bytes(word, n));
	word = _mm512_setzero_si512();
	if (longer != 0)
		word = first_bytes(load_at(longer, from, p + WORD_BYTES),
				   _mm512_sub_epi64(n, eight));
	_mm512_storeu_si512(pairs->word[1] + i, word);
	number = first_numbers(load_at(live, separator, p + 1), digits, &wrong);
	_mm512_storeu_si512(pairs->latency + i, _mm512_mul_epu32(number, each_lane(pairs->scale)));
	_mm256_storeu_si256((void *)(pairs->step + i), steps_of(pairs, number));
	return live & wrong;
}

VECTOR void short_pairs_read(struct short_pairs *pairs, const char *p, const char *end)
{
	const size_t n = find_rows(pairs, p, end);
	/* The ends of the previous rows; the last lane is that of row i - 1. */
	__m512i before = _mm512_setzero_si512();

	pairs->n = n;
	for (size_t i = 0; i < n; i += LANES) {
		__mmask8 live = n - i >= LANES ? UINT8_MAX : (__mmask8)((1U << (n - i)) - 1);
		__m512i ends = load_positions(pairs->end + i);
		__m512i from = _mm512_alignr_epi64(ends, before, LANES - 1);
		__mmask8 wrong = read_rows(pairs, i, live, p, from, ends);

		if (wrong != 0) {
			pairs->n = i + (size_t)__builtin_ctz(wrong);
			break;
		}
		before = ends;
	}
	for (size_t i = 0; i < pairs->n && !pairs->by_bits; i++)
		pairs->step[i] = (uint32_t)bulk_step(&pairs->bulk->steps, pairs->latency[i]);
}

/* --- names ---------------------------------------------------------------------------- */

/* Returns a bit for each of rows i to i + LANES - 1 whose name is the latest of its cell.  Equal
 * words prove equal lengths: names contain no NUL byte, and zeros follow a name shorter than
 * BULK_INLINE. */
VECTOR static inline __mmask8 find_latest(struct short_pairs *pairs, size_t i)
{
	const struct bulk *b = pairs->bulk;
	const char *first_word = b->slots + offsetof(struct bulk_slot, first_word);
	__m512i first = _mm512_loadu_si512(pairs->word[0] + i);
	__m512i second = _mm512_loadu_si512(pairs->word[1] + i);
	__m512i cell = _mm512_mullo_epi64(first, each_lane(BULK_CELL_FIRST));
	__m512i number, slot, other = _mm512_setzero_si512();

	if (b->second_words)
		cell = _mm512_add_epi64(cell,
					_mm512_mullo_epi64(second, each_lane(BULK_CELL_SECOND)));
	cell = _mm512_srli_epi64(cell, 64 - BULK_LATEST_BITS);
	number = _mm512_i64gather_epi64(cell, b->latest, sizeof(*b->latest));
	number = _mm512_and_si512(number, each_lane(UINT16_MAX));
	slot = _mm512_mul_epu32(number, each_lane(b->stride));
	_mm512_storeu_si512(pairs->slot + i,
			    _mm512_add_epi64(each_lane((uintptr_t)b->slots), slot));
	if (b->second_words)
		other = _mm512_i64gather_epi64(number, b->second_word, sizeof(*b->second_word));
	return _mm512_cmpeq_epi64_mask(first, _mm512_i64gather_epi64(slot, first_word, 1)) &
	       _mm512_cmpeq_epi64_mask(second, other);
}

VECTOR void short_pairs_find(struct short_pairs *pairs)
{
	uint64_t others = 0; /* a bit for each row that needs the table */

	for (size_t i = 0; i < pairs->n; i += LANES)
		others |= (uint64_t)(__mmask8)~find_latest(pairs, i) << i;
	for (; others != 0; others &= others - 1) {
		size_t i = (size_t)__builtin_ctzll(others);
		struct bulk_item item;

		if (i >= pairs->n)
			return;
		item = short_pairs_item(pairs, i);
		if (!bulk_finds(pairs->bulk, &item)) {
			pairs->n = i;
			return;
		}
		pairs->slot[i] = item.slot;
	}
}

#else

struct short_pairs *short_pairs_new(char separator, uint64_t scale, struct bulk *b)
{
	(void)separator, (void)scale, (void)b;
	return NULL;
}

void short_pairs_free(struct short_pairs *pairs)
{
	(void)pairs;
}

void short_pairs_read(struct short_pairs *pairs, const char *p, const char *end)
{
	(void)p, (void)end;
	pairs->n = 0;
}

void short_pairs_find(struct short_pairs *pairs)
{
	(void)pairs;
}

#endif
