/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/sources/frame.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/out.h"
#include "base/pack.h"
#include "base/scan.h"

static const char *const type_names[] = { "hello", "profile", "end", "ack", "refused" };

uint32_t frame_crc32(struct str bytes)
{
	return (uint32_t)crc32_z(0, (const unsigned char *)bytes.p, bytes.n);
}

bool frame_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    c != '.' && c != '_' && c != '-')
			return false;
	}
	return s.n > 0 && s.n <= FRAME_NAME;
}

/* --- reading ------------------------------------------------------------------------------- */

static bool parse_hex(struct str s, size_t digits, uint64_t *ret)
{
	uint64_t v = 0;

	if (s.n == 0 || s.n > digits)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!is_digit(c) && !(c >= 'a' && c <= 'f'))
			return false;
		v = v << 4 | (uint64_t)(is_digit(c) ? c - '0' : c - 'a' + 10);
	}
	*ret = v;
	return true;
}

static bool parse_time(struct str s, double *ret)
{
	return number_f64(s, ret) == NUMBER_OK && fabs(*ret) < 1e11;
}

enum key { SENDER, BOOT, SEQ, START, END, BYTES, CODING, CRC32, N_KEYS };

static const char *const key_names[] = { "sender", "boot",  "seq",    "start",
					 "end",	   "bytes", "coding", "crc32" };

static bool take_value(struct frame *f, enum key key, struct str value)
{
	uint64_t number = 0;
	bool ok;

	switch (key) {
	case SENDER:
		if (!frame_is_name(value))
			return false;
		memcpy(f->sender, value.p, value.n);
		return true;
	case BOOT:
		return parse_hex(value, 16, &f->boot);
	case SEQ:
		return number_u64(value, &f->seq) == NUMBER_OK;
	case START:
		return parse_time(value, &f->span.start);
	case END:
		return parse_time(value, &f->span.end);
	case BYTES:
		ok = number_u64(value, &number) == NUMBER_OK && number <= FRAME_BYTES;
		f->bytes = (size_t)number;
		return ok;
	case CODING:
		f->zstd = str_eq(value, STR("zstd"));
		f->newer |= !f->zstd;
		return true;
	default:
		ok = parse_hex(value, 8, &number);
		f->crc32 = (uint32_t)number;
		return ok;
	}
}

/* Whether a head has all fields that its type requires. */
static bool has_all(const struct frame *f, unsigned has)
{
	static const unsigned of_sender = 1U << SENDER | 1U << BOOT;
	static const unsigned of_profile = 1U << SENDER | 1U << BOOT | 1U << SEQ | 1U << START |
					   1U << END | 1U << BYTES | 1U << CRC32;
	static const unsigned needed[] = { of_sender, of_profile, of_sender, 1U << SEQ, 1U << SEQ };

	return (has & needed[f->type]) == needed[f->type] &&
	       (f->type == FRAME_PROFILE ? f->span.end > f->span.start : f->bytes == 0);
}

static bool parse_keys(struct frame *f, struct str rest, unsigned *ret_has, const char **ret_why)
{
	*ret_has = 0;
	while (rest.n > 0) {
		struct str word = rest, name, value;
		int key = 0;

		if (!str_cut(rest, ' ', &word, &rest))
			rest.n = 0;
		if (!str_cut(word, '=', &name, &value)) {
			*ret_why = "a word without a value";
			return false;
		}
		while (key < N_KEYS && !str_eq(name, str_from(key_names[key])))
			key++;
		if (key == N_KEYS)
			continue;
		if ((*ret_has >> key & 1) != 0 || !take_value(f, (enum key)key, value)) {
			*ret_why = key == BYTES ? "more than 8 MiB" : "a value that cannot be";
			return false;
		}
		*ret_has |= 1U << key;
	}
	return true;
}

static bool parse_line(struct str line, struct frame *f, const char **ret_why)
{
	struct str word, version, type;
	uint64_t number;
	unsigned has;
	int i = 0;

	*ret_why = "no frame";
	if (!str_cut(line, ' ', &word, &line) || !str_eq(word, STR("osprof-frame")) ||
	    !str_cut(line, ' ', &version, &line) || number_u64(version, &number) != NUMBER_OK ||
	    number == 0 || !str_cut(line, ' ', &type, &line))
		return false;
	if (!parse_keys(f, line, &has, ret_why))
		return false;
	f->newer |= number > 1;
	if (f->newer)
		return true;
	while (i <= FRAME_REFUSED && !str_eq(type, str_from(type_names[i])))
		i++;
	f->type = (enum frame_type)(i <= FRAME_REFUSED ? i : 0);
	*ret_why = i > FRAME_REFUSED ? "no type of frame" : "a value is missing";
	return i <= FRAME_REFUSED && has_all(f, has);
}

enum frame_found frame_find(const char *bytes, size_t n, struct frame *ret, struct str *ret_body,
			    size_t *ret_used, const char **ret_why)
{
	size_t max = n < FRAME_LINE ? n : FRAME_LINE;
	const char *newline = n > 0 ? memchr(bytes, '\n', max) : NULL;
	size_t line = newline != NULL ? (size_t)(newline - bytes) : max;

	*ret = (struct frame){ .seq = 0 };
	*ret_why = "no frame";
	if (newline == NULL) {
		/* Other bytes cannot become a frame. */
		size_t head = max < strlen("osprof-frame ") ? max : strlen("osprof-frame ");

		return max < FRAME_LINE && memcmp("osprof-frame ", n > 0 ? bytes : "", head) == 0
			       ? FRAME_MORE
			       : FRAME_BROKEN;
	}
	if (!parse_line((struct str){ bytes, line }, ret, ret_why))
		return FRAME_BROKEN;
	if (n - line - 1 < ret->bytes)
		return FRAME_MORE;
	*ret_body = (struct str){ newline + 1, ret->bytes };
	*ret_used = line + 1 + ret->bytes;
	*ret_why = ret->newer ? "a frame of a later version of osprof"
			      : "the bytes do not fit their checksum";
	if (ret->newer || (ret->type == FRAME_PROFILE && frame_crc32(*ret_body) != ret->crc32))
		return FRAME_WRONG;
	return FRAME_READY;
}

bool frame_unpack(const struct frame *f, struct str body, struct str *ret, char **ret_room,
		  const char **ret_why)
{
	*ret = body;
	*ret_room = NULL;
	if (!f->zstd)
		return true;
	if (!unpack_zstd(body, FRAME_UNPACKED, ret_room, &ret->n, ret_why))
		return false;
	ret->p = *ret_room;
	return true;
}

/* --- printing ------------------------------------------------------------------------------ */

void frame_print(struct out *o, const struct frame *f)
{
	out_printf(o, "osprof-frame 1 %s", type_names[f->type]);
	if (f->type == FRAME_ACK || f->type == FRAME_REFUSED) {
		out_printf(o, " seq=%llu boot=%llx\n", (unsigned long long)f->seq,
			   (unsigned long long)f->boot);
		return;
	}
	out_printf(o, " sender=%s boot=%llx", f->sender, (unsigned long long)f->boot);
	if (f->type == FRAME_PROFILE)
		out_printf(o, " seq=%llu start=%.3f end=%.3f bytes=%zu%s crc32=%08lx",
			   (unsigned long long)f->seq, f->span.start, f->span.end, f->bytes,
			   f->zstd ? " coding=zstd" : "", (unsigned long)f->crc32);
	out_char(o, '\n');
}
