/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on eight bytes at once, for loops over many bytes. */
#ifndef BASE_WORD_H
#define BASE_WORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WORD_BYTES = sizeof(uint64_t) };

/* Loads a word with the first byte in the lowest bits, on every machine. */
static inline uint64_t word_load(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* Returns the index of the first byte that is not zero; there must be one. */
static inline unsigned word_first(uint64_t word)
{
	return (unsigned)__builtin_ctzll(word) / 8;
}

/* Returns a bit in the first byte that is zero, and perhaps in later bytes; 0: no byte is zero. */
static inline uint64_t word_zeros(uint64_t word)
{
	return (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
}

/* Returns ones in the first n bytes, zeros in the others. */
static inline uint64_t word_ones(size_t n)
{
	static const uint64_t ones[WORD_BYTES + 1] = {
		0,
		UINT64_C(0xff),
		UINT64_C(0xffff),
		UINT64_C(0xffffff),
		UINT64_C(0xffffffff),
		UINT64_C(0xffffffffff),
		UINT64_C(0xffffffffffff),
		UINT64_C(0xffffffffffffff),
		UINT64_MAX,
	};

	return ones[n];
}

/* Returns the byte c eight times. */
static inline uint64_t word_each(unsigned char c)
{
	return UINT64_C(0x0101010101010101) * c;
}

/* Returns a bit in each byte that is not a digit; the bytes of *ret become the digits' values. */
static inline uint64_t word_no_digits(uint64_t word, uint64_t *ret)
{
	uint64_t v = word ^ word_each('0');

	*ret = v;
	return (v | (v + word_each(6))) & word_each(0xf0);
}

/* Returns the number of eight digits, given by their values. */
static inline uint64_t word_value(uint64_t v)
{
	v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
	return (v * 10000 + (v >> 32)) & UINT64_C(0xffffffff);
}

/* Returns how many bytes, from the first on, are digits, and sets *ret to their number; without
 * any, *ret is left alone. */
static inline unsigned word_digits(uint64_t word, uint64_t *ret)
{
	uint64_t v, others = word_no_digits(word, &v);
	unsigned n = others != 0 ? word_first(others) : WORD_BYTES;

	if (n == 0)
		return 0;
	*ret = word_value(v << 8 * (WORD_BYTES - n)); /* prepends zeros */
	return n;
}

/* Converts the first n bytes, 1 to 8; false if one of them is not a digit. */
static inline bool word_first_number(uint64_t word, unsigned n, uint64_t *ret)
{
	const unsigned beyond = 8 * (WORD_BYTES - n);
	uint64_t v, others = word_no_digits(word, &v);

	*ret = word_value(v << beyond);
	return others << beyond == 0;
}

#endif
