/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/hdr_payload.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/word.h"
#include "base/xalloc.h"
#include "base/zstream.h"
#include "formats/format.h"
#include "profile/builder/builder.h"

enum {
	COOKIE_WORD = 0xf0, /* bits of the word size */
	MAX_DIGITS = 5,
	MAX_PART_BITS = 17, /* for MAX_DIGITS */
	SHOWN_PART_BITS = 12,
	MAX_LEB = 9, /* maximum bytes of a count */
	FIRST_ROOM = 1 << 16,
};

/* Cookies without the bits of COOKIE_WORD. */
static const uint32_t v0_cookie = 0x1c849308, v0_compressed = 0x1c849309;
static const uint32_t v1_cookie = 0x1c849301, v1_compressed = 0x1c849302;
static const uint32_t v2_cookie = 0x1c849303, v2_compressed = 0x1c849304;
static const uint32_t double_cookie = 0x0c72124e, double_compressed = 0x0c72124f;
enum { DOUBLE_HEAD = 16, COMPRESSED_HEAD = 8, V0_HEAD = 32, HEAD = 40 };
/* Maximum size that a header allows: counts of 64 octaves. */
enum { MAX_EXPANDED = HEAD + (64 << MAX_PART_BITS) * MAX_LEB };

bool hdr_is_payload(struct str s)
{
	return str_has_prefix(s, STR("HIST")) || str_has_prefix(s, STR("DHIST"));
}

struct bytes {
	unsigned char *p;
	size_t n;
};

struct hdr {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	/* Reused for all payloads. */
	z_stream stream;
	unsigned char *decoded, *expanded;
	size_t cap_decoded, cap_expanded;
	signed char digit[UCHAR_MAX + 1]; /* value of each base64 character; -1: invalid */
	/* The current payload. */
	struct str text;   /* base64 */
	struct bytes data; /* header and counts */
	unsigned version, word;
	unsigned part_bits,
		unit_bits; /* 2^part_bits buckets per octave, the first 2^unit_bits wide */
	uint64_t n_counts; /* maximum number of counts */
	struct bucket_scheme scheme;
	/* Sum of the file's buckets that map to one bucket of the scheme, not pushed yet. */
	bool pending;
	int index;
	uint64_t count;
};

struct hdr *hdr_new(struct input *in, struct builder *to, struct diag *diag)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct hdr *h = xcalloc(1, sizeof(*h));

	h->in = in;
	h->to = to;
	h->diag = diag;
	zstream_init(&h->stream, MAX_WBITS);
	memset(h->digit, -1, sizeof(h->digit));
	for (int i = 0; digits[i] != '\0'; i++)
		h->digit[(unsigned char)digits[i]] = (signed char)i;
	return h;
}

void hdr_free(struct hdr *h)
{
	if (h == NULL)
		return;
	(void)inflateEnd(&h->stream);
	free(h->decoded);
	free(h->expanded);
	free(h);
}

static bool fail_payload(const struct hdr *h, const char *why)
{
	bool at_end = h->text.p + h->text.n == h->in->bytes.p + h->in->bytes.n;

	return format_fail(h->in, h->diag, at_end ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED,
			   h->text, "the payload: %s", why);
}

/* --- bytes ---------------------------------------------------------------------- */

/* Decodes groups of four base64 characters to three bytes each, up to the first invalid one;
 * returns the number of characters decoded. */
static size_t decode_groups(const signed char *digit, struct str s, unsigned char *to)
{
	size_t i = 0;

	for (; s.n - i >= 4; i += 4) {
		const unsigned char *p = (const unsigned char *)s.p + i;
		int a = digit[p[0]], b = digit[p[1]], c = digit[p[2]], d = digit[p[3]];

		if ((a | b | c | d) < 0)
			break;
		*to++ = (unsigned char)(a << 2 | b >> 4);
		*to++ = (unsigned char)(b << 4 | c >> 2);
		*to++ = (unsigned char)(c << 6 | d);
	}
	return i;
}

/* Decodes h->text; padding at the end may be missing. */
static bool decode_base64(struct hdr *h)
{
	struct str s = h->text;
	uint32_t bits = 0;
	unsigned n_bits = 0;
	size_t n, i;

	while (s.n > 0 && s.p[s.n - 1] == '=')
		s.n--;
	h->decoded = xgrow(h->decoded, &h->cap_decoded, s.n / 4 * 3 + 3, 1);
	i = decode_groups(h->digit, s, h->decoded);
	for (n = i / 4 * 3; i < s.n; i++) {
		int digit = h->digit[(unsigned char)s.p[i]];

		if (digit < 0)
			return format_fail(h->in, h->diag, DIAG_LINE_UNEXPECTED,
					   (struct str){ s.p + i, 1 }, "not base64");
		bits = bits << 6 | (uint32_t)digit;
		n_bits += 6;
		if (n_bits >= 8) {
			n_bits -= 8;
			h->decoded[n++] = (unsigned char)(bits >> n_bits);
		}
	}
	h->data = (struct bytes){ h->decoded, n };
	return true;
}

static uint64_t big_endian(const unsigned char *p, size_t n)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}

static uint32_t cookie_of(struct bytes b)
{
	return b.n >= 4 ? (uint32_t)big_endian(b.p, 4) & ~(uint32_t)COOKIE_WORD : 0;
}

static void skip_bytes(struct bytes *b, size_t n)
{
	b->p += n;
	b->n -= n;
}

/* Replaces the data, a zlib stream, by their decompressed form; verifies the checksum. */
static bool expand_data(struct hdr *h)
{
	z_stream *z = &h->stream;
	size_t n = 0, room = FIRST_ROOM;
	int what;

	z->next_in = h->data.p;
	z->avail_in = (uInt)h->data.n;
	if (h->data.n > UINT_MAX || inflateReset(z) != Z_OK)
		return fail_payload(h, "the compressed stream is too long");
	do {
		h->expanded = xgrow(h->expanded, &h->cap_expanded, room, 1);
		z->next_out = h->expanded + n;
		z->avail_out = (uInt)(h->cap_expanded - n);
		what = inflate(z, Z_NO_FLUSH);
		n = h->cap_expanded - z->avail_out;
		room = 2 * h->cap_expanded;
	} while (what == Z_OK && z->avail_out == 0 && h->cap_expanded < MAX_EXPANDED);
	if (what == Z_MEM_ERROR)
		xalloc_die();
	h->data = (struct bytes){ h->expanded, n };
	if (what == Z_OK && z->avail_out == 0)
		return fail_payload(h, "more counts than any header allows");
	return what == Z_STREAM_END ||
	       fail_payload(h, "the compressed stream is damaged or cut off");
}

/* --- the header ------------------------------------------------------------------- */

static unsigned bits_of(uint64_t v)
{
	return v > 0 ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/* Computes the layout from the digits and the lowest and highest values. */
static bool set_layout(struct hdr *h, uint32_t digits, uint64_t lowest, uint64_t highest,
		       double ratio)
{
	static const unsigned part_bits[MAX_DIGITS + 1] = { 0, 4, 7, 10, 14, MAX_PART_BITS };
	unsigned octaves = 0, sum, shown;

	if (digits > MAX_DIGITS || lowest < 1 || lowest > INT64_MAX || highest > INT64_MAX ||
	    highest / 2 < lowest)
		return fail_payload(h, "digits, lowest and highest value do not fit each other");
	if (!(ratio > 0 && isfinite(ratio)))
		return fail_payload(h, "a conversion ratio that is none");
	h->part_bits = part_bits[digits];
	h->unit_bits = bits_of(lowest) - 1;
	sum = h->part_bits + 1 + h->unit_bits;
	if (sum > 62)
		return fail_payload(h, "digits and lowest value do not fit each other");
	if (bits_of(highest) > sum)
		octaves = bits_of(highest) - sum;
	h->n_counts = (uint64_t)(octaves + 2) << h->part_bits;
	shown = h->part_bits < SHOWN_PART_BITS ? h->part_bits : SHOWN_PART_BITS;
	h->scheme = bucket_log_linear(1U << shown, ldexp(ratio, (int)h->unit_bits));
	return isfinite(h->scheme.step * 0x1p64) || fail_payload(h, "a conversion ratio too large");
}

static bool read_v0(struct hdr *h)
{
	uint64_t calls;

	if (h->data.n < V0_HEAD)
		return fail_payload(h, "it ends within its header");
	h->version = 0;
	calls = big_endian(h->data.p + 24, 8);
	if (!set_layout(h, (uint32_t)big_endian(h->data.p + 4, 4), big_endian(h->data.p + 8, 8),
			big_endian(h->data.p + 16, 8), 1))
		return false;
	skip_bytes(&h->data, V0_HEAD);
	return build_count(h->to, calls, h->text);
}

static bool read_v1(struct hdr *h, unsigned version, uint64_t *ret_length)
{
	uint64_t bits;
	double ratio;

	if (h->data.n < HEAD)
		return fail_payload(h, "it ends within its header");
	h->version = version;
	*ret_length = big_endian(h->data.p + 4, 4);
	bits = big_endian(h->data.p + 32, 8);
	memcpy(&ratio, &bits, sizeof(ratio));
	return set_layout(h, (uint32_t)big_endian(h->data.p + 12, 4), big_endian(h->data.p + 16, 8),
			  big_endian(h->data.p + 24, 8), ratio);
}

/* Reads the header of uncompressed data; *ret_length is the length of the counts. */
static bool read_header(struct hdr *h, uint64_t *ret_length)
{
	uint32_t cookie = cookie_of(h->data);

	h->word = h->data.n >= 4 ? h->data.p[3] >> 4 & 0xe : 0;
	*ret_length = UINT64_MAX;
	if (cookie == v0_cookie) {
		if (!read_v0(h))
			return false;
	} else if (cookie == v1_cookie || cookie == v2_cookie) {
		if (!read_v1(h, cookie == v1_cookie ? 1 : 2, ret_length))
			return false;
		skip_bytes(&h->data, HEAD);
	} else {
		return fail_payload(h, "no version of an HdrHistogram that is known");
	}
	if (h->version < 2 && h->word != 2 && h->word != 4 && h->word != 8)
		return fail_payload(h, "words of a size that is none");
	return true;
}

/* Returns the maximum number of bytes of the counts. */
static uint64_t longest_counts(const struct hdr *h, uint64_t stated)
{
	uint64_t max = h->n_counts * (h->version < 2 ? h->word : MAX_LEB);

	return stated < max ? stated : max;
}

/* Reads the headers, and decompresses, so that the data are just the counts. */
static bool unpack_counts(struct hdr *h)
{
	uint32_t cookie = cookie_of(h->data);
	uint64_t stated;
	bool compressed;

	if ((cookie == (double_cookie & ~(uint32_t)COOKIE_WORD) ||
	     cookie == (double_compressed & ~(uint32_t)COOKIE_WORD)) &&
	    h->data.n > DOUBLE_HEAD) {
		skip_bytes(&h->data, DOUBLE_HEAD);
		cookie = cookie_of(h->data);
	}
	compressed = cookie == v0_compressed || cookie == v1_compressed || cookie == v2_compressed;
	if (compressed) {
		if (h->data.n < COMPRESSED_HEAD)
			return fail_payload(h, "it ends within its header");
		skip_bytes(&h->data, COMPRESSED_HEAD);
		if (!expand_data(h))
			return false;
	}
	if (!read_header(h, &stated))
		return false;
	if (h->version > 0 && h->data.n < stated)
		return fail_payload(h, "it is cut off");
	if (h->version > 0 && !compressed)
		h->data.n = (size_t)stated;
	return h->data.n <= longest_counts(h, stated) ||
	       fail_payload(h, "more counts than its header allows");
}

/* --- counts ------------------------------------------------------------------------ */

static bool flush_bucket(struct hdr *h)
{
	if (!h->pending)
		return true;
	h->pending = false;
	return build_bucket(h->to, h->index, h->count, h->text);
}

/* Returns the scheme's index of bucket i of the file. */
static int shown_index(const struct hdr *h, uint64_t i)
{
	struct bucket_scheme all = h->scheme;

	if (h->part_bits <= SHOWN_PART_BITS)
		return (int)i;
	all.resolution = 1U << h->part_bits;
	return bucket_find(&h->scheme, bucket_low(&all, (int)i));
}

static bool add_bucket(struct hdr *h, uint64_t i, uint64_t count)
{
	int index;

	if (count == 0)
		return true;
	index = shown_index(h, i);
	if (h->pending && h->index == index) {
		if (!__builtin_add_overflow(h->count, count, &h->count))
			return true;
		return format_fail(h->in, h->diag, DIAG_COUNT_OVERFLOW, h->text,
				   "the sum of a bucket passes 2^64-1");
	}
	if (!flush_bucket(h))
		return false;
	h->pending = true;
	h->index = index;
	h->count = count;
	return true;
}

enum { MANY = 8 * WORD_BYTES };

static bool are_zero(const unsigned char *p)
{
	uint64_t any = 0;

	for (size_t i = 0; i < MANY; i += WORD_BYTES)
		any |= word_load((const char *)p + i);
	return any == 0;
}

/* Skips words of zeros, as most are; returns how many. */
static size_t skip_empty(struct bytes *b, unsigned word)
{
	size_t n = 0;

	while (b->n - n >= MANY && are_zero(b->p + n))
		n += MANY;
	while (b->n - n >= WORD_BYTES && word_load((const char *)b->p + n) == 0)
		n += WORD_BYTES;
	skip_bytes(b, n);
	return n / word;
}

static bool push_words(struct hdr *h)
{
	uint64_t i;

	if (h->data.n % h->word != 0)
		return fail_payload(h, "it ends within a count");
	for (i = skip_empty(&h->data, h->word); h->data.n > 0;
	     i += 1 + skip_empty(&h->data, h->word)) {
		uint64_t count = h->word == WORD_BYTES
					 ? __builtin_bswap64(word_load((const char *)h->data.p))
					 : big_endian(h->data.p, h->word);

		if (h->word == 8 && count > INT64_MAX)
			return fail_payload(h, "a count below zero");
		if (!add_bucket(h, i, count))
			return false;
		skip_bytes(&h->data, h->word);
	}
	return flush_bucket(h);
}

/* Decodes LEB128: seven bits per byte, lowest first; a ninth byte has eight. */
static bool take_leb(struct bytes *b, uint64_t *ret)
{
	uint64_t v = 0;

	if (b->n > 0 && b->p[0] < 0x80) { /* the common case */
		*ret = b->p[0];
		skip_bytes(b, 1);
		return true;
	}
	for (unsigned i = 0; i < MAX_LEB; i++) {
		unsigned char byte;

		if (b->n == 0)
			return false;
		byte = b->p[0];
		skip_bytes(b, 1);
		if (i == MAX_LEB - 1) {
			v |= (uint64_t)byte << 56;
			break;
		}
		v |= (uint64_t)(byte & 0x7f) << (7 * i);
		if ((byte & 0x80) == 0)
			break;
	}
	*ret = v;
	return true;
}

static bool push_leb(struct hdr *h)
{
	uint64_t i = 0, v;

	while (h->data.n > 0) {
		if (!take_leb(&h->data, &v))
			return fail_payload(h, "it ends within a count");
		if (v & 1) { /* ZigZag: -1 is 1, -2 is 3 */
			uint64_t gap = (v >> 1) + 1;

			if (gap > h->n_counts - i)
				return fail_payload(h, "counts beyond its highest value");
			i += gap;
			continue;
		}
		if (i >= h->n_counts)
			return fail_payload(h, "counts beyond its highest value");
		if (!add_bucket(h, i++, v >> 1))
			return false;
	}
	return flush_bucket(h);
}

bool hdr_push(struct hdr *h, struct str payload)
{
	h->text = payload;
	h->pending = false;
	return decode_base64(h) && unpack_counts(h) && build_scheme(h->to, &h->scheme, payload) &&
	       (h->version < 2 ? push_words(h) : push_leb(h));
}
