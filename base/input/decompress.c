/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/input/decompress.h"

#include <limits.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/xalloc.h"
#include "base/zstream.h"

enum { XZ_MEMORY = 256 << 20 }; /* xz -9 wants 65 MiB */

struct decompressor {
	struct filter filter; /* first, so that a pointer to it can be cast */
	bool between;	      /* a member has ended and no byte of another was seen */
	union {
		z_stream gzip;
		ZSTD_DStream *zstd;
		lzma_stream xz;
	};
};

static enum filtered data_bad(struct decompressor *e, const char *why)
{
	e->filter.why = why;
	return FILTERED_BAD;
}

/* Returns the state after a piece of a member. */
static enum filtered state_after_piece(struct decompressor *e, bool member_ended)
{
	e->between = member_ended;
	return member_ended ? FILTERED_END : FILTERED_PART;
}

static enum filtered run_zstd(struct filter *f, struct str *from, bool ended, char *to, size_t room,
			      size_t *ret_n)
{
	struct decompressor *e = (struct decompressor *)f;
	ZSTD_inBuffer in = { from->p, from->n, 0 };
	ZSTD_outBuffer out = { to, room, 0 };
	size_t left;

	(void)ended;
	*ret_n = 0;
	if (e->between && from->n == 0)
		return FILTERED_END;
	left = ZSTD_decompressStream(e->zstd, &out, &in);
	*from = str_skip(*from, in.pos);
	*ret_n = out.pos;
	return ZSTD_isError(left) ? data_bad(e, ZSTD_getErrorName(left))
				  : state_after_piece(e, left == 0);
}

static void free_zstd(struct filter *f)
{
	struct decompressor *e = (struct decompressor *)f;

	(void)ZSTD_freeDStream(e->zstd);
	free(e);
}

static uInt at_max(size_t n)
{
	return n > UINT_MAX ? UINT_MAX : (uInt)n;
}

static enum filtered run_gzip(struct filter *f, struct str *from, bool ended, char *to, size_t room,
			      size_t *ret_n)
{
	struct decompressor *e = (struct decompressor *)f;
	uInt given = at_max(from->n), space = at_max(room);
	int what;

	(void)ended;
	*ret_n = 0;
	if (e->between && from->n == 0)
		return FILTERED_END;
	e->gzip.next_in = (const Bytef *)from->p;
	e->gzip.avail_in = given;
	e->gzip.next_out = (Bytef *)to;
	e->gzip.avail_out = space;
	what = inflate(&e->gzip, Z_NO_FLUSH);
	*from = str_skip(*from, given - e->gzip.avail_in);
	*ret_n = space - e->gzip.avail_out;
	if (what == Z_STREAM_END && inflateReset(&e->gzip) != Z_OK)
		return data_bad(e, "cannot begin again");
	if (what == Z_STREAM_END || what == Z_OK || what == Z_BUF_ERROR)
		return state_after_piece(e, what == Z_STREAM_END);
	if (what == Z_MEM_ERROR)
		xalloc_die();
	return data_bad(e, e->gzip.msg != NULL ? e->gzip.msg : "damaged");
}

static void free_gzip(struct filter *f)
{
	struct decompressor *e = (struct decompressor *)f;

	(void)inflateEnd(&e->gzip);
	free(e);
}

static const char *why_xz(lzma_ret what)
{
	switch (what) {
	case LZMA_MEMLIMIT_ERROR:
		return "more than 256 MiB of memory are needed";
	case LZMA_OPTIONS_ERROR:
		return "options that are not known";
	default:
		return "damaged";
	}
}

static enum filtered run_xz(struct filter *f, struct str *from, bool ended, char *to, size_t room,
			    size_t *ret_n)
{
	struct decompressor *e = (struct decompressor *)f;
	lzma_ret what;

	e->xz.next_in = (const uint8_t *)from->p;
	e->xz.avail_in = from->n;
	e->xz.next_out = (uint8_t *)to;
	e->xz.avail_out = room;
	/* With LZMA_CONCATENATED, only the end of the file ends the last stream. */
	what = lzma_code(&e->xz, ended ? LZMA_FINISH : LZMA_RUN);
	*from = str_skip(*from, from->n - e->xz.avail_in);
	*ret_n = room - e->xz.avail_out;
	if (what == LZMA_STREAM_END || what == LZMA_OK || what == LZMA_BUF_ERROR)
		return state_after_piece(e, what == LZMA_STREAM_END);
	if (what == LZMA_MEM_ERROR)
		xalloc_die();
	return data_bad(e, why_xz(what));
}

static void free_xz(struct filter *f)
{
	struct decompressor *e = (struct decompressor *)f;

	lzma_end(&e->xz);
	free(e);
}

static struct decompressor *decompressor_new(struct filter filter)
{
	struct decompressor *e = xcalloc(1, sizeof(*e));

	e->filter = filter;
	e->filter.of = "compressed stream";
	e->filter.bad = DIAG_COMPRESSED_BAD;
	return e;
}

/* --- memory of zlib and liblzma, which fail when they get none ------------------------------- */

static void *xz_alloc(void *ctx, size_t count, size_t size)
{
	(void)ctx;
	return calloc(count, size);
}

static void xz_free(void *ctx, void *p)
{
	(void)ctx;
	free(p);
}

static const lzma_allocator xz_allocator = { .alloc = xz_alloc, .free = xz_free };

static struct filter *new_gzip(void)
{
	struct decompressor *e =
		decompressor_new((struct filter){ .run = run_gzip, .free = free_gzip });

	zstream_init(&e->gzip, MAX_WBITS + 16); /* with the head of gzip */
	return &e->filter;
}

static struct filter *new_zstd(void)
{
	struct decompressor *e =
		decompressor_new((struct filter){ .run = run_zstd, .free = free_zstd });

	e->zstd = ZSTD_createDStream();
	if (e->zstd == NULL)
		xalloc_die();
	return &e->filter;
}

static struct filter *new_xz(void)
{
	struct decompressor *e =
		decompressor_new((struct filter){ .run = run_xz, .free = free_xz });

	e->xz = (lzma_stream)LZMA_STREAM_INIT;
	e->xz.allocator = &xz_allocator;
	if (lzma_stream_decoder(&e->xz, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
		xalloc_die();
	return &e->filter;
}

struct filter *decompressor_for(struct str head)
{
	if (str_has_prefix(head, STR("\x1f\x8b\x08")))
		return new_gzip();
	if (str_has_prefix(head, STR("\x28\xb5\x2f\xfd")))
		return new_zstd();
	if (str_has_prefix(head, STR("\xfd"
				     "7zXZ\0")))
		return new_xz();
	return NULL;
}
