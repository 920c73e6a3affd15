/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/archive.h"

#include <string.h>

enum {
	BLOCK = 512, /* headers and files fill whole ones */
	PATH_ROOM = 100,
	SIZE_AT = 124,
	SIZE_DIGITS = 11,
	MAGIC_AT = 257,
};

static bool is_zero(const char *block)
{
	return block[0] == '\0' && memcmp(block, block + 1, BLOCK - 1) == 0;
}

/* Octal digits. */
static size_t size_of(const char *header)
{
	size_t size = 0;

	for (size_t i = 0; i < SIZE_DIGITS; i++)
		size = size * 8 + ((size_t)header[SIZE_AT + i] & 7);
	return size;
}

bool archive_next(struct str *rest, struct str *ret_path, struct str *ret_bytes)
{
	size_t size, blocks;

	if (rest->n < BLOCK)
		return false;
	if (is_zero(rest->p)) {
		*rest = str_skip(*rest, rest->n);
		return false;
	}
	size = size_of(rest->p);
	blocks = (size + BLOCK - 1) / BLOCK + 1;
	if (memcmp(rest->p + MAGIC_AT, "ustar", 6) != 0 || blocks > rest->n / BLOCK)
		return false;
	*ret_path = (struct str){ rest->p, strnlen(rest->p, PATH_ROOM) };
	*ret_bytes = (struct str){ rest->p + BLOCK, size };
	*rest = str_skip(*rest, blocks * BLOCK);
	return true;
}
