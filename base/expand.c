/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/expand.h"

#include <limits.h>
#include <stdlib.h>
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

#include "base/xalloc.h"

struct expander {
	enum compression compression;
	z_stream z;
	ZSTD_DStream *zstd;
	bool between; /* a member has ended, and no byte of another was seen */
	const char *why;
};

enum compression compression_of(struct str head)
{
	if (str_has_prefix(head, STR("\x1f\x8b\x08")))
		return COMPRESSION_GZIP;
	if (str_has_prefix(head, STR("\x28\xb5\x2f\xfd")))
		return COMPRESSION_ZSTD;
	return COMPRESSION_NONE;
}

struct expander *expander_new(enum compression c)
{
	struct expander *e = xcalloc(1, sizeof(*e));

	e->compression = c;
	if (c == COMPRESSION_ZSTD)
		e->zstd = ZSTD_createDStream();
	else if (inflateInit2(&e->z, MAX_WBITS + 16) != Z_OK)
		xalloc_die();
	if (c == COMPRESSION_ZSTD && e->zstd == NULL)
		xalloc_die();
	return e;
}

void expander_free(struct expander *e)
{
	if (e == NULL)
		return;
	if (e->compression == COMPRESSION_ZSTD)
		(void)ZSTD_freeDStream(e->zstd);
	else
		(void)inflateEnd(&e->z);
	free(e);
}

static enum expanded bad(struct expander *e, const char *why)
{
	e->why = why;
	return EXPANDED_BAD;
}

static enum expanded run_zstd(struct expander *e, struct str *from, char *to, size_t room,
			      size_t *ret_n)
{
	ZSTD_inBuffer in = { from->p, from->n, 0 };
	ZSTD_outBuffer out = { to, room, 0 };
	size_t left = ZSTD_decompressStream(e->zstd, &out, &in);

	*from = str_skip(*from, in.pos);
	*ret_n = out.pos;
	if (ZSTD_isError(left))
		return bad(e, ZSTD_getErrorName(left));
	return left == 0 ? EXPANDED_END : EXPANDED_PART;
}

static uInt at_most(size_t n)
{
	return n > UINT_MAX ? UINT_MAX : (uInt)n;
}

static enum expanded run_zlib(struct expander *e, struct str *from, char *to, size_t room,
			      size_t *ret_n)
{
	uInt given = at_most(from->n), space = at_most(room);
	int what;

	e->z.next_in = (const Bytef *)from->p;
	e->z.avail_in = given;
	e->z.next_out = (Bytef *)to;
	e->z.avail_out = space;
	what = inflate(&e->z, Z_NO_FLUSH);
	*from = str_skip(*from, given - e->z.avail_in);
	*ret_n = space - e->z.avail_out;
	if (what == Z_STREAM_END)
		return inflateReset(&e->z) == Z_OK ? EXPANDED_END : bad(e, "cannot begin again");
	if (what == Z_OK || what == Z_BUF_ERROR)
		return EXPANDED_PART;
	if (what == Z_MEM_ERROR)
		xalloc_die();
	return bad(e, e->z.msg != NULL ? e->z.msg : "damaged");
}

enum expanded expander_run(struct expander *e, struct str *from, char *to, size_t room,
			   size_t *ret_n)
{
	enum expanded what;

	*ret_n = 0;
	if (e->between && from->n == 0)
		return EXPANDED_END;
	what = e->compression == COMPRESSION_ZSTD ? run_zstd(e, from, to, room, ret_n)
						  : run_zlib(e, from, to, room, ret_n);
	e->between = what == EXPANDED_END;
	return what;
}

const char *expander_why(const struct expander *e)
{
	return e->why;
}
