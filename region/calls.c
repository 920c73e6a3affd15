/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "region/calls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "collect/calls.h"
#include "collect/region.h"
#include "region/region.h"

enum { ROOM = 512 };

/* Whether a file is a memfd of this user or root, sealed so that nobody can shrink it. */
static bool is_sound(int fd)
{
	struct stat st;
	int seals = fcntl(fd, F_GET_SEALS);

	return fstat(fd, &st) == 0 && st.st_nlink == 0 && seals >= 0 &&
	       (seals & F_SEAL_SHRINK) != 0 &&
	       (geteuid() == 0 || st.st_uid == 0 || st.st_uid == geteuid());
}

/* Maps the ring in a file.  If it is of another version, sets *ret_other and returns false. */
static bool try_file(struct ring *ret, const char *path, bool *ret_other)
{
	struct stat st;
	bool ok;
	int fd;

	/* Opening other than regular files may have side effects. */
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_nlink != 0)
		return false;
	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return false;
	errno = 0;
	ok = is_sound(fd) && ring_attach(ret, fd) == 0;
	*ret_other |= !ok && errno == EPROTONOSUPPORT;
	(void)close(fd);
	if (ok && ret->n_ops != N_RECORDED) {
		ring_detach(ret);
		*ret_other = true;
		ok = false;
	}
	return ok;
}

/* Searches the recorder's open files, among which are its counters: "/proc/N/fd/". */
static bool look_beside(struct ring *ret, const char *counters, bool *ret_other)
{
	char folder[ROOM], path[ROOM + NAME_MAX + 1];
	const char *slash = strrchr(counters, '/');
	struct dirent *e;
	bool found = false;
	DIR *d;

	if (strncmp(counters, "/proc/", 6) != 0 || slash == NULL ||
	    (size_t)(slash - counters) >= sizeof(folder))
		return false;
	(void)snprintf(folder, sizeof(folder), "%.*s", (int)(slash - counters), counters);
	d = opendir(folder);
	while (!found && d != NULL && (e = readdir(d)) != NULL) {
		(void)snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		found = try_file(ret, path, ret_other);
	}
	if (d != NULL)
		(void)closedir(d);
	return found;
}

bool region_calls_open(struct ring *ret, struct region_clock *ret_clock,
		       const struct region_source *r, struct diag *diag)
{
	bool other = false;

	if (!look_beside(ret, r->path, &other)) {
		diag_plain(diag, DIAG_REGION_BAD,
			   other ? "%s: per-call records of another version of osprof"
				 : "%s: no per-call records; only programs that osprof record "
				   "runs can leave some",
			   r->name);
		return false;
	}
	*ret_clock = (struct region_clock){ osprof_hz(r->seen),
					    ((const struct capture *)r->seen)->subtracted };
	return true;
}

void region_calls_want(struct ring *r, int op, double seconds)
{
	uint64_t until = osprof_nanoseconds() + (uint64_t)(fmin(seconds, 1e9) * 1e9);

	for (int i = op < 0 ? 0 : op; i < (op < 0 ? N_RECORDED : op + 1); i++)
		ring_want(r, (unsigned)i, until);
}
