/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes that another watch sent: frames lie within them, are the same in whatever pieces they
 * come, and but for profiles print to what reads as the same frame, and their profiles are taken or
 * refused.
 *
 * The first byte says how long pieces are; 0: all at once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/input/input.h"
#include "base/out.h"
#include "formats/format.h"
#include "profile/profile.h"
#include "tests/fuzz/fuzz.h"
#include "watch/sources/frame.h"

static void read_body(struct str body)
{
	struct diag diag = { .emit = NULL };
	const struct read_options options = { .build = { .snapshots = SNAPSHOTS_AUTO } };
	struct input in;

	input_borrow(&in, "frame", body.p, body.n);
	profile_free(format_read_bare(format_by_name(STR("osprof")), &in, &options, &diag));
	input_release(&in);
}

static void read_unpacked(const struct frame *f, struct str body)
{
	const char *why = NULL;
	struct str bytes;
	char *room;

	if (frame_unpack(f, body, &bytes, &room, &why)) {
		fuzz_require(bytes.n <= FRAME_UNPACKED);
		read_body(bytes);
		free(room);
	} else {
		fuzz_require(why != NULL);
	}
}

static void print_again(const struct frame *f)
{
	struct out *o = out_to_memory();
	struct frame again;
	struct str body;
	const char *why;
	size_t used;

	frame_print(o, f);
	fuzz_require(out_memory(o).n <= FRAME_LINE);
	if (f->type != FRAME_PROFILE) {
		bool answer = f->type == FRAME_ACK || f->type == FRAME_REFUSED;

		fuzz_require(frame_find(out_memory(o).p, out_memory(o).n, &again, &body, &used,
					&why) == FRAME_READY);
		fuzz_require(again.type == f->type);
		fuzz_require(answer ? again.seq == f->seq
				    : again.boot == f->boot &&
					      strcmp(again.sender, f->sender) == 0);
	}
	out_free(o);
}

/* How many frames, and how many bytes they have. */
static size_t take_all(const char *bytes, size_t n, size_t piece, size_t *ret_used)
{
	size_t have = piece > 0 && piece < n ? piece : n, frames = 0;

	*ret_used = 0;
	for (;;) {
		struct str body = STR("");
		struct frame f;
		const char *why = NULL;
		size_t used = 0;
		enum frame_found found =
			frame_find(bytes + *ret_used, have - *ret_used, &f, &body, &used, &why);

		if (found == FRAME_MORE && have < n) {
			have = n - have < piece ? n : have + piece;
			continue;
		}
		if (found == FRAME_MORE || found == FRAME_BROKEN)
			return frames;
		fuzz_require(used > 0 && used <= have - *ret_used && body.n <= FRAME_BYTES);
		fuzz_require(body.n == 0 || (body.p > bytes && body.p + body.n <= bytes + have));
		if (found == FRAME_READY) {
			print_again(&f);
			read_unpacked(&f, body);
		} else {
			fuzz_require(why != NULL);
		}
		*ret_used += used;
		frames++;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t whole, parts, used, used_in_parts;
	char *bytes;

	if (size == 0)
		return 0;
	bytes = malloc(size > 1 ? size - 1 : 1);
	fuzz_require(bytes != NULL);
	memcpy(bytes, data + 1, size - 1);
	whole = take_all(bytes, size - 1, 0, &used);
	parts = take_all(bytes, size - 1, data[0], &used_in_parts);
	fuzz_require(whole == parts && used == used_in_parts);
	free(bytes);
	return 0;
}
