/* SPDX-License-Identifier: MIT */
/* The header of a region: signing it, and checking another process's. */
#include "collect/region.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

const char osprof_magic[8] = "osprof\n";

/* FNV-1a over the constant part, eight bytes at a time. */
uint64_t osprof_seal(const struct region *r)
{
	uint64_t words[offsetof(struct region, seal) / sizeof(uint64_t)],
		seal = 0xcbf29ce484222325u;

	memcpy(words, r, sizeof(words));
	memcpy(words, osprof_magic, sizeof(osprof_magic)); /* it is written last */
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		seal = (seal ^ words[i]) * 0x100000001b3u;
	return seal;
}

int osprof_check(const struct region *r, uint64_t size)
{
	if (size < sizeof(r->magic) || memcmp(r->magic, osprof_magic, sizeof(osprof_magic)) != 0)
		return EINVAL;
	if (r->version != VERSION)
		return EPROTONOSUPPORT;
	if (r->seal != osprof_seal(r))
		return EBADMSG;
	return r->size > size ? ENODATA : r->size < size ? EBADMSG : 0;
}

/* Returns when a process started, in ticks since boot; 0: unknown. Tells apart processes that got
 * the same number. */
static uint64_t beginning_of(uint64_t process)
{
	char path[64], text[1024], *at;
	uint64_t began = 0;
	ssize_t n;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%llu/stat", (unsigned long long)process);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	(void)close(fd);
	text[n > 0 ? n : 0] = '\0';
	at = strrchr(text, ')'); /* the name may hold anything; the third field follows it */
	for (int field = 2; at != NULL && field < 22; field++)
		at = strchr(at + 1, ' ');
	for (at += at != NULL; at != NULL && *at >= '0' && *at <= '9'; at++)
		began = began * 10 + (uint64_t)(*at - '0');
	return began;
}

static uint64_t namespace_of_processes(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? (uint64_t)st.st_ino : 0;
}

void osprof_sign(struct region *r)
{
	uint64_t seal;

	r->owner = (uint64_t)getpid();
	r->owner_began = beginning_of(r->owner);
	r->owner_namespace = namespace_of_processes();
	seal = osprof_seal(r);
	memcpy(&r->seal, &seal, sizeof(r->seal));
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(r->magic, osprof_magic, sizeof(osprof_magic));
}

/* In another PID namespace the owner cannot be checked, and is taken to be running. */
enum osprof_state osprof_state(const struct osprof *open)
{
	const struct region *r = ((const struct capture *)open)->region;

	if (__atomic_load_n(&r->ended, __ATOMIC_ACQUIRE) != 0)
		return OSPROF_ENDED;
	if (r->owner_began == 0 || r->owner_namespace == 0 ||
	    r->owner_namespace != namespace_of_processes())
		return OSPROF_RUNNING;
	return beginning_of(r->owner) == r->owner_began ? OSPROF_RUNNING : OSPROF_ABANDONED;
}
