/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An encoded HdrHistogram: a header and counts in base64, usually compressed.
 *
 *	compressed    cookie, length, zlib stream of the following
 *	V1, V2        cookie, length, offset, digits, i64 lowest, i64 highest, f64 ratio
 *	V0            cookie, digits, i64 lowest, i64 highest, i64 calls
 *	counts        V0, V1: words of 2, 4 or 8 bytes; V2: ZigZag LEB128, where a
 *	              negative number is that many empty buckets
 *
 * All numbers are big-endian, 32 bits unless stated otherwise.  A double histogram has an
 * additional header.  The low four bits of a cookie's byte are the version.  As written by the
 * HdrHistogram project, Java de84b0a and C 18c7a32.
 */
#ifndef FORMATS_HDR_PAYLOAD_H
#define FORMATS_HDR_PAYLOAD_H

#include "base/attr.h"
#include "base/str.h"

struct builder;
struct diag;
struct input;

/* Whether s looks like a payload: it begins with an encoded cookie. */
bool hdr_is_payload(struct str s);

struct hdr;

/* A decoder of HdrHistogram payloads; hdr_free() frees it. */
struct hdr *hdr_new(struct input *in, struct builder *to, struct diag *diag);
void hdr_free(struct hdr *h); /* NULL is fine */

/* Decodes a payload, a part of the input, and pushes the histogram; false when an error was
 * reported.  If there are more than 4096 buckets per octave (above three digits), they are
 * merged. */
MUST_CHECK bool hdr_push(struct hdr *h, struct str payload);

#endif
