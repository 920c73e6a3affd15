/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands between a file and its text, in pieces of every size; UTF-16 and UTF-32 as iconv(3)
 * writes them. */
#include "base/input/decompress.h"
#include "base/input/encoding.h"
#include "base/utf8.h"
#include "tests/unit/unit.h"

#include <iconv.h>
#include <lzma.h>
#include <string.h>

enum { MAX = 4000, ROUNDS = 200 };

struct made {
	char bytes[MAX];
	size_t n;
};

/* Through a filter, in pieces of a size that is drawn each time.  What the last one was. */
static enum filtered run_through(struct filter *f, struct str rest, struct rng *r, struct made *ret)
{
	enum filtered what;
	size_t n;
	bool ended;

	ret->n = 0;
	do {
		size_t room = 1 + rng_below(r, 9), max = rng_below(r, 8);
		struct str given = { rest.p, max < rest.n ? max : rest.n };

		const size_t left = rest.n - given.n;

		ended = left == 0;
		assert_true(ret->n + room <= MAX);
		what = f->run(f, &given, ended, ret->bytes + ret->n, room, &n);
		assert_true(n <= room);
		ret->n += n;
		ended &= n == 0 && given.n == rest.n;
		rest = (struct str){ given.p, given.n + left };
	} while (what != FILTERED_BAD && !ended);
	return what;
}

static uint32_t draw_code(struct rng *r)
{
	static const uint32_t below[] = { 0x80, 0x800, 0xd800, 0x110000 };
	uint32_t code;

	do
		code = (uint32_t)rng_below(r, below[rng_below(r, (unsigned)COUNT_OF(below))]);
	while (code == 0 || (code >= 0xd800 && code < 0xe000) || code == 0xfeff);
	return code;
}

static struct made utf8_of(struct rng *r, size_t n_codes)
{
	struct made m = { .n = 0 };

	for (size_t i = 0; i < n_codes; i++) {
		char code[UTF8_MAX];
		size_t n = utf8_encode(draw_code(r), code);

		memcpy(m.bytes + m.n, code, n);
		m.n += n;
	}
	return m;
}

/* As iconv says it is, after a mark. */
static struct made encoded(struct made utf8, const char *encoding, struct str mark)
{
	struct made m = { .n = mark.n };
	iconv_t cd = iconv_open(encoding, "UTF-8");
	char *from = utf8.bytes, *to = m.bytes + mark.n;
	size_t left = utf8.n, room = sizeof(m.bytes) - mark.n;

	assert_true(cd != (iconv_t)-1);
	memcpy(m.bytes, mark.p, mark.n);
	assert_int_equal(iconv(cd, &from, &left, &to, &room), 0);
	assert_int_equal(iconv_close(cd), 0);
	m.n = sizeof(m.bytes) - room;
	return m;
}

static void encodings_are_detected_by_their_marks(void **state)
{
	static const struct {
		const char *name;
		struct str mark;
	} known[] = {
		{ "UTF-16LE", STR_INIT("\xff\xfe") },
		{ "UTF-16BE", STR_INIT("\xfe\xff") },
		{ "UTF-32LE", STR_INIT("\xff\xfe\0\0") },
		{ "UTF-32BE", STR_INIT("\0\0\xfe\xff") },
	};
	struct rng r = rng_start(3);

	(void)state;
	for (size_t round = 0; round < ROUNDS; round++) {
		struct made utf8 = utf8_of(&r, rng_below(&r, 300)), got;
		struct made text = encoded(utf8, known[round % 4].name, known[round % 4].mark);
		struct filter *f = decoder_for((struct str){ text.bytes, text.n });

		assert_non_null(f);
		assert_int_equal(run_through(f, (struct str){ text.bytes, text.n }, &r, &got),
				 FILTERED_END);
		assert_int_equal(got.n, utf8.n);
		assert_memory_equal(got.bytes, utf8.bytes, utf8.n);
		f->free(f);
	}
}

static enum filtered decoded(struct str text, struct made *ret)
{
	struct rng r = rng_start(5);
	struct filter *f = decoder_for(text);
	enum filtered what = run_through(f, text, &r, ret);

	f->free(f);
	return what;
}

static void what_is_no_character_is_refused(void **state)
{
	struct made got;

	(void)state;
	assert_int_equal(decoded(STR("\xff\xfe"
				     "a\0b"),
				 &got),
			 FILTERED_PART);
	assert_int_equal(got.n, 1);
	assert_int_equal(decoded(STR("\xff\xfe"
				     "a\0\x00\xd8"),
				 &got),
			 FILTERED_PART); /* high, then the end */
	assert_int_equal(decoded(STR("\xff\xfe\x00\xd8"
				     "a\0"),
				 &got),
			 FILTERED_BAD);
	assert_int_equal(decoded(STR("\xff\xfe\x00\xdc"), &got), FILTERED_BAD);
	assert_int_equal(decoded(STR("\xff\xfe\x00\xd8\x00\xd8"), &got), FILTERED_BAD);
	assert_int_equal(decoded(STR("\xfe\xff\xd8\x3d\xde\x00"), &got), FILTERED_END);
	assert_memory_equal(got.bytes, "\xf0\x9f\x98\x80", 4); /* U+1F600 */
	/* UTF-32: a half of a pair, beyond the last character, and cut. */
	assert_int_equal(decoded(STR("\0\0\xfe\xff\0\0\xd8\0"), &got), FILTERED_BAD);
	assert_int_equal(decoded(STR("\0\0\xfe\xff\0\x11\0\0"), &got), FILTERED_BAD);
	assert_int_equal(decoded(STR("\0\0\xfe\xff\0\0"), &got), FILTERED_PART);
}

static void other_bytes_are_left_alone(void **state)
{
	(void)state;
	assert_null(decoder_for(STR("")));
	assert_null(decoder_for(STR("\xff")));
	assert_null(decoder_for(STR("a\0b\0")));
	assert_int_equal(input_mark(STR("\xef\xbb\xbf")), 3);
	assert_int_equal(input_mark(STR("\xef\xbb")), 0);
	assert_null(decompressor_for(STR("\xfd"
					 "7zXZ")));
	assert_null(decompressor_for(STR("")));
}

/* Streams after one another, the end of each anywhere in a piece. */
static void xz_streams_read_as_one(void **state)
{
	struct rng r = rng_start(7);
	struct made packed = { .n = 0 }, got;

	(void)state;
	for (int k = 0; k < 3; k++)
		assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL,
							 (const uint8_t *)"profile\n", 8,
							 (uint8_t *)packed.bytes, &packed.n, MAX),
				 LZMA_OK);
	for (size_t round = 0; round < ROUNDS; round++) {
		struct filter *f = decompressor_for((struct str){ packed.bytes, packed.n });

		assert_int_equal(run_through(f, (struct str){ packed.bytes, packed.n }, &r, &got),
				 FILTERED_END);
		assert_int_equal(got.n, 24);
		assert_memory_equal(got.bytes, "profile\nprofile\nprofile\n", 24);
		f->free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(encodings_are_detected_by_their_marks),
		cmocka_unit_test(what_is_no_character_is_refused),
		cmocka_unit_test(other_bytes_are_left_alone),
		cmocka_unit_test(xz_streams_read_as_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
