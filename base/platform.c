/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/platform.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

/* --- memory ----------------------------------------------------------------------------------- */

void platform_tune_heap(int map_from, int return_from)
{
#ifdef __GLIBC__
	(void)mallopt(M_MMAP_THRESHOLD, map_from);
	(void)mallopt(M_TRIM_THRESHOLD, return_from);
#else
	(void)map_from, (void)return_from;
#endif
}

void platform_use_one_heap(void)
{
#ifdef __GLIBC__
	(void)mallopt(M_ARENA_MAX, 1);
#endif
}

void platform_advise_large_pages(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	(void)madvise(p, bytes, MADV_HUGEPAGE);
#else
	(void)p, (void)bytes;
#endif
}

void *platform_remap(void *p, size_t had, size_t bytes)
{
	return mremap(p, had, bytes, MREMAP_MAYMOVE);
}

const char *platform_last_byte(const char *p, char c, size_t n)
{
	return n > 0 ? memrchr(p, c, n) : NULL;
}

/* --- files ------------------------------------------------------------------------------------ */

int platform_memory_file(const char *name)
{
	return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

bool platform_lock_file(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) == 0;
}

bool platform_rename_new(int folder, const char *name, const char *new_name)
{
#ifdef SYS_renameat2
	enum { NO_REPLACE = 1 }; /* RENAME_NOREPLACE, which musl before 1.2.6 does not have */

	return syscall(SYS_renameat2, folder, name, folder, new_name, NO_REPLACE) == 0;
#else
	(void)folder, (void)name, (void)new_name;
	errno = ENOSYS;
	return false;
#endif
}

bool platform_gives_rights(const char *path)
{
	return getxattr(path, "security.capability", NULL, 0) > 0;
}

/* --- processes -------------------------------------------------------------------------------- */

static_assert(sizeof(struct platform_processors) == sizeof(cpu_set_t), "a set of the C library");

size_t platform_count_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

bool platform_use_one_processor(unsigned number, struct platform_processors *ret_before)
{
	cpu_set_t set, one;
	int wanted, at = 0;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return false;
	memcpy(ret_before, &set, sizeof(set));
	wanted = (int)(number % (unsigned)CPU_COUNT(&set));
	while (!CPU_ISSET(at, &set) || wanted-- > 0)
		at++;
	CPU_ZERO(&one);
	CPU_SET(at, &one);
	return sched_setaffinity(0, sizeof(one), &one) == 0;
}

void platform_use_processors(const struct platform_processors *p)
{
	cpu_set_t set;

	memcpy(&set, p, sizeof(set));
	(void)sched_setaffinity(0, sizeof(set), &set);
}

void platform_end_with_parent(void)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* --- the rest --------------------------------------------------------------------------------- */

uint64_t platform_random(void)
{
	const void *bytes = (const void *)getauxval(AT_RANDOM);
	uint64_t random = 0;

	if (bytes != NULL)
		memcpy(&random, bytes, sizeof(random));
	return random;
}

int64_t platform_seconds(struct tm *utc)
{
	return timegm(utc);
}

int platform_natural_order(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] != '\0' && a[n] == b[n])
		n++;
	/* musl before 1.2.5 takes a digit opposite another character for the longer number. */
	if (is_digit(a[n]) != is_digit(b[n]) && (n == 0 || !is_digit(a[n - 1])))
		return (unsigned char)a[n] - (unsigned char)b[n];
	return strverscmp(a, b);
}

int platform_natural_entries(const struct dirent **a, const struct dirent **b)
{
	return platform_natural_order((*a)->d_name, (*b)->d_name);
}

unsigned platform_columns(int fd)
{
	struct winsize size = { 0 }; /* as not every system fills it in */

	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void platform_restart_options(void)
{
	opterr = 0;
	optind =
		0; /* of the GNU and musl C libraries: starts anew, also after another command line */
}

int platform_next_option(int argc, char **argv, const char *letters, const struct option *longs)
{
	int at = optind > 0 ? optind : 1;

	/* An operand like others, which only glibc takes for one. */
	if (letters[0] == '-' && at < argc && strcmp(argv[at], "-") == 0) {
		optarg = argv[at];
		optind = at + 1;
		return 1;
	}
	return getopt_long(argc, argv, letters, longs, NULL);
}
