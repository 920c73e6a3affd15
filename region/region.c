/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "region/region.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/trust.h"
#include "base/xalloc.h"
#include "collect/osprof.h"
#include "formats/format.h"
#include "region/find.h"

bool region_is_source(const char *operand)
{
	return strncmp(operand, "pid:", 4) == 0 || strncmp(operand, "region:", 7) == 0;
}

static const char *reason_text(int error)
{
	switch (error) {
	case EINVAL:
		return "no counters of osprof in it";
	case EPROTONOSUPPORT:
		return "counters of another version of osprof";
	case EBADMSG:
		return "damaged: the header does not fit its seal";
	case ENODATA:
		return "cut off";
	case EFBIG:
		return "more than 1 GiB of counters";
	case ESTALE:
		return "another profile was begun in it";
	case EMSGSIZE:
		return "a message has at most 240 bytes";
	case EPIPE:
		return "the program has ended its profile";
	case EAGAIN:
		return "another sender does not give it free";
	case EPERM:
		return "sealed against writing by its owner";
	default:
		return strerror(error);
	}
}

static bool fail_region(const char *name, int error, struct diag *diag)
{
	diag_plain(diag, DIAG_REGION_BAD, "%s: %s", name, reason_text(error));
	return false;
}

/* A memfd, unlike a file in a folder, cannot be replaced: the kernel lets only users open it who
 * may inspect the process. */
static bool is_trusted(int fd, const char *path, struct diag *diag)
{
	struct stat st;
	char *real;

	if (fstat(fd, &st) == 0 && st.st_nlink == 0) {
		if (geteuid() == 0 || st.st_uid == 0 || st.st_uid == geteuid())
			return true;
		diag_plain(diag, DIAG_UNTRUSTED, "%s: belongs to another user", path);
		return false;
	}
	real = trust_file(path, TRUST_DATA, diag);
	free(real);
	return real != NULL;
}

/* Returns the path of a source, on the heap. */
static char *path_of(const char *name, struct diag *diag)
{
	const char *file = name + strlen("region:");

	if (name[0] == 'p')
		return region_find(name, diag);
	return xstrdup(file);
}

static int open_region(const char *name, const char *path, int flags, struct diag *diag)
{
	int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		diag_plain(diag, DIAG_REGION_BAD, "%s: %s", name, strerror(errno));
		return -1;
	}
	if (is_trusted(fd, path, diag))
		return fd;
	(void)close(fd);
	return -1;
}

static void look_at_state(struct region_source *r)
{
	enum osprof_state state = osprof_state(r->seen);

	r->ended = state == OSPROF_ENDED;
	r->abandoned = state == OSPROF_ABANDONED;
}

bool region_open(struct region_source *ret, const char *name, struct diag *diag)
{
	struct region_source r = { .name = name, .path = path_of(name, diag) };
	int fd = r.path != NULL ? open_region(name, r.path, O_RDONLY, diag) : -1, error;

	if (fd < 0) {
		free(r.path);
		return false;
	}
	r.seen = osprof_observe(fd);
	error = errno;
	(void)close(fd);
	if (r.seen == NULL) {
		free(r.path);
		return fail_region(name, error, diag);
	}
	look_at_state(&r);
	*ret = r;
	return true;
}

void region_close(struct region_source *r)
{
	osprof_free(r->seen);
	free(r->path);
	*r = (struct region_source){ .name = r->name };
}

bool region_read_again(struct region_source *r, struct diag *diag)
{
	int changed = osprof_observe_again(r->seen);

	if (changed < 0)
		return fail_region(r->name, errno, diag);
	r->reset = changed > 0;
	look_at_state(r);
	return true;
}

bool region_text(struct region_source *r, char **ret, size_t *ret_n, struct diag *diag)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	bool ok = f != NULL && osprof_print(r->seen, f) == 0;
	int error = errno;

	if (f != NULL && fclose(f) != 0)
		ok = false;
	if (!ok) {
		free(text);
		return fail_region(r->name, error, diag);
	}
	*ret = text;
	*ret_n = n;
	return true;
}

struct profile *region_profile(struct region_source *r, const struct read_options *options,
			       struct diag *diag)
{
	struct profile *p;
	struct input in;
	char *text;
	size_t n;

	if (!region_text(r, &text, &n, diag))
		return NULL;
	input_borrow(&in, r->name, text, n);
	p = format_read(format_by_name(STR("osprof")), &in, options, diag);
	input_release(&in);
	free(text);
	return p;
}

bool region_send(const char *name, const void *bytes, size_t n, struct diag *diag)
{
	char *path = path_of(name, diag);
	int fd = path != NULL ? open_region(name, path, O_RDWR, diag) : -1;
	bool ok = fd >= 0 && (osprof_send(fd, bytes, n) == 0 || fail_region(name, errno, diag));

	if (fd >= 0)
		(void)close(fd);
	free(path);
	return ok;
}
