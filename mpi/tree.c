/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/tree.h"

#include <mpi.h>

#include <limits.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "formats/format.h"
#include "profile/merge.h"
#include "profile/profile.h"

enum { TAG = 24, PIECE = 1 << 28 }; /* a message has at most INT_MAX bytes */

bool tree_all(bool here)
{
	int mine = here, all = 0;

	(void)MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
	return all != 0;
}

/* An empty text means that there is no sum. */
static void send_text(struct str text, int to)
{
	unsigned long long n = text.n;

	(void)MPI_Send(&n, 1, MPI_UNSIGNED_LONG_LONG, to, TAG, MPI_COMM_WORLD);
	for (size_t at = 0; at < text.n; at += PIECE) {
		size_t piece = text.n - at < PIECE ? text.n - at : PIECE;

		(void)MPI_Send(text.p + at, (int)piece, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
	}
}

static void send_profile(const struct profile *p, int to)
{
	struct out *text = out_to_memory();
	struct diag ignored = { 0 };

	if (p != NULL)
		(void)format_by_name(STR("osprof"))->write(p, text, &ignored);
	send_text(out_memory(text), to);
	out_free(text);
}

static struct profile *receive_profile(int from, struct diag *diag)
{
	struct read_options options = { .resolution = 0 };
	struct diag unknown = { 0 }; /* the sender has reported all notes */
	unsigned long long n = 0;
	struct profile *p = NULL;
	struct input in;
	char *text;

	(void)MPI_Recv(&n, 1, MPI_UNSIGNED_LONG_LONG, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (n == 0)
		return NULL;
	text = xcalloc((size_t)n, 1);
	for (size_t at = 0; at < n; at += PIECE) {
		size_t piece = n - at < PIECE ? (size_t)n - at : PIECE;

		(void)MPI_Recv(text + at, (int)piece, MPI_BYTE, from, TAG, MPI_COMM_WORLD,
			       MPI_STATUS_IGNORE);
	}
	input_borrow(&in, "a sum", text, (size_t)n);
	p = format_read(format_by_name(STR("osprof")), &in, &options, &unknown);
	if (p == NULL)
		diag_plain(diag, DIAG_INPUT_TRUNCATED, "the sum of process %d", from);
	input_release(&in);
	free(text);
	return p;
}

/* Merges and frees both; NULL when they cannot be merged, or one is NULL. */
static struct profile *add_profiles(struct profile *a, struct profile *b, struct diag *diag)
{
	const struct profile *both[] = { a, b };
	struct profile *sum = a != NULL && b != NULL ? profile_merge(both, 2, diag) : NULL;

	profile_free(a);
	profile_free(b);
	return sum;
}

bool tree_sum(struct profile *own, struct profile **ret_sum, struct diag *diag)
{
	int rank, size;

	*ret_sum = NULL;
	(void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	(void)MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int step = 1; step < size; step *= 2) {
		if ((rank & step) != 0) {
			send_profile(own, rank - step);
			profile_free(own);
			return tree_all(true);
		}
		if (rank + step < size)
			own = add_profiles(own, receive_profile(rank + step, diag), diag);
	}
	if (!tree_all(rank != 0 || own != NULL)) {
		profile_free(own);
		return false;
	}
	*ret_sum = own;
	return true;
}
