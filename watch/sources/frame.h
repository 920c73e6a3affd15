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
#ifndef WATCH_SOURCES_FRAME_H
#define WATCH_SOURCES_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"
#include "watch/store/store.h"

struct out;

enum {
	FRAME_LINE = 512,	   /* bytes, with the newline */
	FRAME_NAME = 64,	   /* of a sender: letters, digits, ".", "_", "-" */
	FRAME_BYTES = 8 << 20,	   /* of a profile, as it is sent */
	FRAME_UNPACKED = 64 << 20, /* when it is decompressed */
	FRAME_STARTS = 32	   /* starts of a sender with frames that wait for an answer */
};

enum frame_type { FRAME_HELLO, FRAME_PROFILE, FRAME_END, FRAME_ACK, FRAME_REFUSED };

/* The head line of a frame. */
struct frame {
	enum frame_type type;
	char sender[FRAME_NAME + 1];
	uint64_t boot, seq;
	struct span span;
	size_t bytes;	/* of the body, which follows the line */
	uint32_t crc32; /* of the body */
	bool zstd;	/* the body is compressed */
	bool newer;	/* of a later version: only `bytes` and `seq` are known */
};

enum frame_found {
	FRAME_MORE,  /* the frame is not complete */
	FRAME_READY, /* the frame matches its checksum */
	FRAME_WRONG, /* it does not, or it is of a later version: the next frame can be read */
	FRAME_BROKEN /* not a frame: where the next one begins is unknown */
};

/* Examines the first n bytes of a connection.  FRAME_READY and FRAME_WRONG set *ret_used, the bytes
 * of the frame, and *ret_body, which lies in them.  FRAME_WRONG and FRAME_BROKEN set *ret_why. */
enum frame_found frame_find(const char *bytes, size_t n, struct frame *ret, struct str *ret_body,
			    size_t *ret_used, const char **ret_why);
/* Sets *ret to the profile's text: the body itself, or decompressed into *ret_room, which the
 * caller frees.  False: *ret_why says what is wrong. */
MUST_CHECK bool frame_unpack(const struct frame *f, struct str body, struct str *ret,
			     char **ret_room, const char **ret_why);
/* Prints the head line. */
void frame_print(struct out *o, const struct frame *f);
/* Returns the CRC-32 of gzip (RFC 1952). */
uint32_t frame_crc32(struct str bytes);
/* Whether s is a valid name of a sender. */
bool frame_is_name(struct str s);

#endif
