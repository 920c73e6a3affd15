/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes between two that watch: a line of at most 512 bytes, and of a profile its bytes
 * after it, which are osprof(5).
 *
 *	osprof-frame 1 hello sender=web17 boot=9f3c21aa
 *	osprof-frame 1 profile sender=web17 boot=9f3c21aa seq=412 start=1790000000
 *		end=1790000010 bytes=19406 coding=zstd crc32=1c291ca3	(in one line)
 *	osprof-frame 1 end sender=web17 boot=9f3c21aa
 *
 * and back, of all up to this one or of this one:
 *
 *	osprof-frame 1 ack seq=412 boot=9f3c21aa
 *	osprof-frame 1 refused seq=412 boot=9f3c21aa
 *
 * The bytes are as they stand, or compressed (coding=zstd); the checksum is of what is sent.
 * Keys that are not known are left alone.  `boot` is another one each time that a sender
 * starts; `seq` goes up by one.
 */
#ifndef WATCH_FRAME_H
#define WATCH_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"
#include "watch/store.h"

struct out;

enum {
	FRAME_LINE = 512,	   /* bytes, with the newline */
	FRAME_NAME = 64,	   /* of a sender: letters, digits, ".", "_", "-" */
	FRAME_BYTES = 8 << 20,	   /* of a profile, as it is sent */
	FRAME_UNPACKED = 64 << 20, /* when it is decompressed */
	FRAME_STARTS = 32	   /* of a sender, whose frames may wait for an answer at once */
};

/* What a frame holds, as its head states it. */
enum frame_type { FRAME_HELLO, FRAME_PROFILE, FRAME_END, FRAME_ACK, FRAME_REFUSED };

/* The head of a message from one watch to another; its body follows, `bytes` long. */
struct frame {
	enum frame_type type;
	char sender[FRAME_NAME + 1];
	uint64_t boot, seq;
	struct span span;
	size_t bytes;	/* that follow the line */
	uint32_t crc32; /* of them */
	bool zstd;	/* they are compressed */
	bool newer;	/* of a later version: only its bytes and seq are known */
};

/* Whether bytes begin with a frame. */
enum frame_found {
	FRAME_MORE,  /* it is not complete */
	FRAME_READY, /* a frame that fits its checksum */
	FRAME_WRONG, /* its bytes do not fit their checksum, or it is of a later version: the next
		      * one can be read */
	FRAME_BROKEN /* no frame: where the next one begins is not known */
};

/* Looks at the n bytes that came.  But for FRAME_MORE and FRAME_BROKEN *ret_used of them are the
 * frame, and *ret_body, which lies in them, is its profile.  *ret_why says what is wrong, of
 * FRAME_WRONG and FRAME_BROKEN. */
enum frame_found frame_find(const char *bytes, size_t n, struct frame *ret, struct str *ret_body,
			    size_t *ret_used, const char **ret_why);
/* The bytes of a profile as they stand: of `body` or decompressed, then on the heap in *ret_room.
 * False: *ret_why says what is wrong. */
MUST_CHECK bool frame_unpack(const struct frame *f, struct str body, struct str *ret,
			     char **ret_room, const char **ret_why);
/* Prints the line. */
void frame_print(struct out *o, const struct frame *f);
/* The checksum of gzip. */
uint32_t frame_crc32(struct str bytes);
/* Whether a sender can have this name. */
bool frame_is_name(struct str s);

#endif
