/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An encoded HdrHistogram: base64 of a header and counts, mostly compressed.
 *
 *	compressed    cookie, length, zlib stream of what follows
 *	V1, V2        cookie, length, offset, digits, i64 lowest, i64 highest, f64 ratio
 *	V0            cookie, digits, i64 lowest, i64 highest, i64 calls
 *	counts        V0, V1: words of 2, 4 or 8 bytes; V2: ZigZag LEB128, where a
 *	              negative number is that many empty buckets
 *
 * All big endian, 32 bits where not said.  A double histogram stands after a head
 * of its own.  The low four bits of a cookie's byte tell the version.  As written by
 * the HdrHistogram project, Java de84b0a and C 18c7a32.
 */
#ifndef FORMATS_BENCH_HDR_PAYLOAD_H
#define FORMATS_BENCH_HDR_PAYLOAD_H

#include "base/attr.h"
#include "base/str.h"

struct builder;
struct diag;
struct input;

/* Whether this looks like one: the letters that a cookie becomes. */
bool hdr_is_payload(struct str s);

/* What reading payloads keeps from one to the next: memory. */
struct hdr;

struct hdr *hdr_new(struct input *in, struct builder *to, struct diag *diag);
void hdr_free(struct hdr *h); /* NULL is fine */

/* Pushes the histogram, on its scheme.  `payload` is a part of the input; false when
 * an error was reported.  More than 4096 buckets an octave (above three digits) are
 * put together. */
MUST_CHECK bool hdr_push(struct hdr *h, struct str payload);

#endif
