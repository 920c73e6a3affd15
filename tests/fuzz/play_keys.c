/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays N random games of keys and sizes: usage: play_keys FIRST N. */
#include <stdio.h>

#include "base/scan.h"
#include "tests/fuzz/fuzz.h"

enum { LONGEST = 400 };

static uint64_t state;

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 11;
}

/* Mostly keys that are bound to something. */
static uint8_t next_key(void)
{
	static const char bound[] =
		"jkhlgGqbf[]12345678xr9?:\t\x19/nN&.S><Imaewy!RosdcuLt+-B\r\x1b \x06\x02";
	uint64_t kind = next() % 10;

	if (kind < 7)
		return (uint8_t)bound[next() % (sizeof(bound) - 1)];
	return (uint8_t)next();
}

int main(int argc, char **argv)
{
	uint64_t n, first;

	if (argc != 3 || number_u64(str_from(argv[1]), &first) != NUMBER_OK ||
	    number_u64(str_from(argv[2]), &n) != NUMBER_OK)
		return 2;
	for (uint64_t game = first; game < first + n; game++) {
		uint8_t data[LONGEST];
		size_t size;

		state = (game + 1) * 0x9e3779b97f4a7c15ULL;
		size = 8 + next() % (LONGEST - 8);
		for (size_t i = 0; i < size; i++)
			data[i] = i < 8 ? (uint8_t)next() : next_key();
		(void)fprintf(stderr, "game %llu\r", (unsigned long long)game);
		(void)LLVMFuzzerTestOneInput(data, size);
	}
	(void)printf("%llu games played\n", (unsigned long long)n);
	return 0;
}
