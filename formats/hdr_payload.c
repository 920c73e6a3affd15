/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/hdr_payload.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/expand.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "profile/builder.h"

enum {
	COOKIE_WORD = 0xf0, /* bits that tell the size of a word */
	MOST_DIGITS = 5,
	MOST_LEB = 9, /* bytes of a count */
};

/* Cookies without the bits of COOKIE_WORD. */
static const uint32_t v0_cookie = 0x1c849308, v0_compressed = 0x1c849309;
static const uint32_t v1_cookie = 0x1c849301, v1_compressed = 0x1c849302;
static const uint32_t v2_cookie = 0x1c849303, v2_compressed = 0x1c849304;
static const uint32_t double_cookie = 0x0c72124e, double_compressed = 0x0c72124f;
enum { DOUBLE_HEAD = 16, COMPRESSED_HEAD = 8, V0_HEAD = 32, HEAD = 40 };

bool hdr_is_payload(struct str s)
{
	return str_has_prefix(s, STR("HIST")) || str_has_prefix(s, STR("DHIST"));
}

struct bytes {
	unsigned char *p;
	size_t n;
};

struct payload {
	struct input *in;
	struct builder *to;
	struct diag *diag;
	struct str text;      /* base64 */
	struct bytes decoded; /* owned */
	struct bytes expanded;
	bool ended;	   /* the compressed stream, checksum included */
	struct bytes data; /* header and counts: a part of one of them */
	unsigned version, word;
	unsigned part_bits,
		unit_bits; /* 2^part_bits buckets an octave, the first 2^unit_bits wide */
	uint64_t n_counts; /* at most */
	struct bucket_scheme scheme;
	/* Buckets of the file that share one of the scheme, not pushed yet. */
	bool pending;
	int index;
	uint64_t count;
};

static bool fail(const struct payload *p, const char *why)
{
	bool at_end = p->text.p + p->text.n == p->in->bytes.p + p->in->bytes.n;

	return format_fail(p->in, p->diag, at_end ? DIAG_INPUT_TRUNCATED : DIAG_LINE_UNEXPECTED,
			   p->text, "the payload: %s", why);
}

/* --- bytes ---------------------------------------------------------------------- */

static int digit_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Padding at the end may be missing. */
static bool decode_base64(struct payload *p)
{
	struct str s = p->text;
	uint32_t bits = 0;
	unsigned n_bits = 0;

	while (s.n > 0 && s.p[s.n - 1] == '=')
		s.n--;
	p->decoded.p = xcalloc(s.n / 4 * 3 + 3, 1);
	for (size_t i = 0; i < s.n; i++) {
		int digit = digit_of(s.p[i]);

		if (digit < 0)
			return format_fail(p->in, p->diag, DIAG_LINE_UNEXPECTED,
					   (struct str){ s.p + i, 1 }, "not base64");
		bits = bits << 6 | (uint32_t)digit;
		n_bits += 6;
		if (n_bits >= 8) {
			n_bits -= 8;
			p->decoded.p[p->decoded.n++] = (unsigned char)(bits >> n_bits);
		}
	}
	p->data = p->decoded;
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

static void skip(struct bytes *b, size_t n)
{
	b->p += n;
	b->n -= n;
}

/* Expands until there are `want` bytes, or no more. */
static bool expand_to(struct payload *p, struct expander *e, struct str *rest, size_t want)
{
	enum expanded what = EXPANDED_PART;
	struct bytes *to = &p->expanded;

	to->p = xreallocarray(to->p, want, 1);
	while (to->n < want && what == EXPANDED_PART) {
		size_t got;

		what = expander_run(e, rest, (char *)to->p + to->n, want - to->n, &got);
		to->n += got;
		if (what == EXPANDED_PART && got == 0 && rest->n == 0)
			break;
	}
	p->data = *to;
	p->ended = what == EXPANDED_END;
	return what != EXPANDED_BAD || fail(p, expander_why(e));
}

/* --- the header ------------------------------------------------------------------- */

static unsigned bits_of(uint64_t v)
{
	return v > 0 ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/* The layout that digits, lowest and highest value make. */
static bool set_layout(struct payload *p, uint32_t digits, uint64_t lowest, uint64_t highest,
		       double ratio)
{
	static const unsigned part_bits[MOST_DIGITS + 1] = { 0, 4, 7, 10, 14, 17 };
	unsigned octaves = 0, sum, shown;

	if (digits > MOST_DIGITS || lowest < 1 || lowest > INT64_MAX || highest > INT64_MAX ||
	    highest / 2 < lowest)
		return fail(p, "digits, lowest and highest value do not fit each other");
	if (!(ratio > 0 && isfinite(ratio)))
		return fail(p, "a conversion ratio that is none");
	p->part_bits = part_bits[digits];
	p->unit_bits = bits_of(lowest) - 1;
	sum = p->part_bits + 1 + p->unit_bits;
	if (sum > 62)
		return fail(p, "digits and lowest value do not fit each other");
	if (bits_of(highest) > sum)
		octaves = bits_of(highest) - sum;
	p->n_counts = (uint64_t)(octaves + 2) << p->part_bits;
	shown = p->part_bits < 12 ? p->part_bits : 12;
	p->scheme = bucket_log_linear(1U << shown, ldexp(ratio, (int)p->unit_bits));
	return isfinite(p->scheme.step * 0x1p64) || fail(p, "a conversion ratio too large");
}

static bool read_v0(struct payload *p)
{
	uint64_t calls;

	if (p->data.n < V0_HEAD)
		return fail(p, "it ends within its header");
	p->version = 0;
	calls = big_endian(p->data.p + 24, 8);
	if (!set_layout(p, (uint32_t)big_endian(p->data.p + 4, 4), big_endian(p->data.p + 8, 8),
			big_endian(p->data.p + 16, 8), 1))
		return false;
	skip(&p->data, V0_HEAD);
	return build_count(p->to, calls, p->text);
}

static bool read_v1(struct payload *p, unsigned version, uint64_t *ret_length)
{
	uint64_t bits;
	double ratio;

	if (p->data.n < HEAD)
		return fail(p, "it ends within its header");
	p->version = version;
	*ret_length = big_endian(p->data.p + 4, 4);
	bits = big_endian(p->data.p + 32, 8);
	memcpy(&ratio, &bits, sizeof(ratio));
	return set_layout(p, (uint32_t)big_endian(p->data.p + 12, 4), big_endian(p->data.p + 16, 8),
			  big_endian(p->data.p + 24, 8), ratio);
}

/* The header of what is not, or no longer, compressed; *ret_length is that of the counts. */
static bool read_header(struct payload *p, uint64_t *ret_length)
{
	uint32_t cookie = cookie_of(p->data);

	p->word = p->data.n >= 4 ? p->data.p[3] >> 4 & 0xe : 0;
	*ret_length = UINT64_MAX;
	if (cookie == v0_cookie) {
		if (!read_v0(p))
			return false;
	} else if (cookie == v1_cookie || cookie == v2_cookie) {
		if (!read_v1(p, cookie == v1_cookie ? 1 : 2, ret_length))
			return false;
		skip(&p->data, HEAD);
	} else {
		return fail(p, "no version of an HdrHistogram that is known");
	}
	if (p->version < 2 && p->word != 2 && p->word != 4 && p->word != 8)
		return fail(p, "words of a size that is none");
	return true;
}

/* Bytes that the counts can take at most. */
static uint64_t longest_counts(const struct payload *p, uint64_t stated)
{
	uint64_t most = p->n_counts * (p->version < 2 ? p->word : MOST_LEB);

	return stated < most ? stated : most;
}

/* The header is expanded first: it limits the rest. */
static bool expand(struct payload *p)
{
	struct str rest = { (const char *)p->data.p, p->data.n };
	struct expander *e = expander_new(COMPRESSION_ZLIB);
	size_t head = cookie_of(p->data) == v0_compressed ? V0_HEAD : HEAD;
	uint64_t stated = 0, length = 0;
	bool fine;

	rest = str_skip(rest, COMPRESSED_HEAD);
	fine = expand_to(p, e, &rest, head) && read_header(p, &stated);
	if (fine) {
		length = longest_counts(p, stated);
		fine = expand_to(p, e, &rest, head + (size_t)length + 1);
	}
	expander_free(e);
	if (!fine)
		return false;
	skip(&p->data, head);
	if (p->data.n > length)
		return fail(p, "more counts than its header allows");
	return (p->ended && (p->version == 0 || p->data.n == stated)) || fail(p, "it is cut off");
}

static bool unpack(struct payload *p)
{
	uint32_t cookie = cookie_of(p->data);
	uint64_t length;

	if ((cookie == (double_cookie & ~(uint32_t)COOKIE_WORD) ||
	     cookie == (double_compressed & ~(uint32_t)COOKIE_WORD)) &&
	    p->data.n > DOUBLE_HEAD) {
		skip(&p->data, DOUBLE_HEAD);
		cookie = cookie_of(p->data);
	}
	if (cookie == v0_compressed || cookie == v1_compressed || cookie == v2_compressed) {
		if (p->data.n < COMPRESSED_HEAD)
			return fail(p, "it ends within its header");
		return expand(p);
	}
	if (!read_header(p, &length))
		return false;
	if (p->version > 0 && p->data.n < length)
		return fail(p, "it is cut off");
	if (p->version > 0)
		p->data.n = (size_t)length;
	return p->data.n <= longest_counts(p, UINT64_MAX) ||
	       fail(p, "more counts than its header allows");
}

/* --- counts ------------------------------------------------------------------------ */

static bool flush(struct payload *p)
{
	if (!p->pending)
		return true;
	p->pending = false;
	return build_bucket(p->to, p->index, p->count, p->text);
}

/* Bucket number i of the file. */
static bool add_bucket(struct payload *p, uint64_t i, uint64_t count)
{
	struct bucket_scheme all = p->scheme;
	int index = (int)i;

	if (count == 0)
		return true;
	all.resolution = 1U << p->part_bits;
	if (all.resolution != p->scheme.resolution)
		index = bucket_find(&p->scheme, bucket_low(&all, index));
	if (p->pending && p->index == index) {
		if (!__builtin_add_overflow(p->count, count, &p->count))
			return true;
		return format_fail(p->in, p->diag, DIAG_COUNT_OVERFLOW, p->text,
				   "the sum of a bucket passes 2^64-1");
	}
	if (!flush(p))
		return false;
	p->pending = true;
	p->index = index;
	p->count = count;
	return true;
}

static bool push_words(struct payload *p)
{
	if (p->data.n % p->word != 0)
		return fail(p, "it ends within a count");
	for (uint64_t i = 0; p->data.n > 0; i++) {
		uint64_t count = big_endian(p->data.p, p->word);

		if (p->word == 8 && count > INT64_MAX)
			return fail(p, "a count below zero");
		if (!add_bucket(p, i, count))
			return false;
		skip(&p->data, p->word);
	}
	return flush(p);
}

/* Seven bits a byte, the lowest first; a ninth byte has eight. */
static bool take_leb(struct bytes *b, uint64_t *ret)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < MOST_LEB; i++) {
		unsigned char byte;

		if (b->n == 0)
			return false;
		byte = b->p[0];
		skip(b, 1);
		if (i == MOST_LEB - 1) {
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

static bool push_leb(struct payload *p)
{
	uint64_t i = 0, v;

	while (p->data.n > 0) {
		if (!take_leb(&p->data, &v))
			return fail(p, "it ends within a count");
		if (v & 1) { /* -1 is 1, -2 is 3 */
			uint64_t gap = (v >> 1) + 1;

			if (gap > p->n_counts - i)
				return fail(p, "counts beyond its highest value");
			i += gap;
			continue;
		}
		if (i >= p->n_counts)
			return fail(p, "counts beyond its highest value");
		if (!add_bucket(p, i++, v >> 1))
			return false;
	}
	return flush(p);
}

bool hdr_push(struct input *in, struct builder *to, struct diag *diag, struct str payload)
{
	struct payload p = { .in = in, .to = to, .diag = diag, .text = payload };
	bool fine = decode_base64(&p) && unpack(&p) && build_scheme(to, &p.scheme, payload) &&
		    (p.version < 2 ? push_words(&p) : push_leb(&p));

	free(p.decoded.p);
	free(p.expanded.p);
	return fine;
}
