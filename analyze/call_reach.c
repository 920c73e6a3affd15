/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/call_reach.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/idle.h"
#include "profile/profile.h"

/* System calls and functions of the C library of the same names, by what they can do; names end at
 * a blank.  A name that stands nowhere may do anything. */
static const struct {
	unsigned kinds;
	const char *names;
} known[] = {
	{ REACH_DISK | REACH_NETWORK | REACH_WAIT | REACH_MEMORY,
	  "read readv write writev sendfile sendfile64 splice copy_file_range close ioctl "
	  "io_submit io_uring_enter fread fwrite fgets fputs fflush" },
	{ REACH_DISK | REACH_WAIT | REACH_MEMORY,
	  "pread pread64 preadv preadv2 pwrite pwrite64 pwritev pwritev2 getdents getdents64 "
	  "readdir execve execveat" },
	{ REACH_DISK | REACH_WAIT,
	  "open openat openat2 creat stat fstat lstat newstat newfstat newlstat newfstatat fstatat "
	  "fstatat64 statx statfs fstatfs access faccessat faccessat2 readlink readlinkat unlink "
	  "unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat "
	  "truncate ftruncate fallocate chmod fchmod fchmodat chown fchown lchown fchownat "
	  "utimensat "
	  "getxattr lgetxattr fgetxattr setxattr listxattr llistxattr fsync fdatasync sync syncfs "
	  "sync_file_range msync lseek flock chdir fchdir mount umount2 fadvise64 readahead" },
	{ REACH_NETWORK | REACH_WAIT | REACH_MEMORY,
	  "recv recvfrom recvmsg recvmmsg send sendto sendmsg sendmmsg connect accept accept4" },
	{ REACH_NETWORK | REACH_WAIT | REACH_TIMER,
	  "poll ppoll select pselect6 epoll_wait epoll_pwait epoll_pwait2" },
	{ REACH_WAIT | REACH_TIMER,
	  "futex futex_wait futex_waitv sem_wait sem_timedwait pthread_mutex_lock "
	  "pthread_cond_wait pthread_cond_timedwait nanosleep clock_nanosleep usleep sleep" },
	{ REACH_PROCESS | REACH_MEMORY | REACH_WAIT, "clone clone3 fork vfork posix_spawn" },
	{ REACH_PROCESS | REACH_WAIT, "wait wait3 wait4 waitid waitpid exit exit_group" },
	{ REACH_MEMORY,
	  "mmap munmap mprotect mremap madvise brk malloc calloc realloc free memcpy" },
	{ REACH_WAIT, "sched_yield" },
	{ 0, "set_robust_list set_tid_address arch_prctl prctl rseq getpid getppid gettid getuid "
	     "geteuid getgid getegid getrandom prlimit64 getrlimit sysinfo uname umask dup dup2 "
	     "dup3 fcntl rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack socket bind listen "
	     "setsockopt getsockopt getsockname getpeername shutdown epoll_create1 epoll_ctl "
	     "eventfd2 timerfd_create timerfd_settime clock_gettime gettimeofday time kill tgkill "
	     "futex_wake pipe pipe2" },
};

static bool list_has(const char *list, struct str name)
{
	struct str rest = str_from(list), one;

	while (str_cut(rest, ' ', &one, &rest)) {
		if (str_eq(one, name))
			return true;
	}
	return str_eq(rest, name);
}

unsigned call_reach_of(const struct operation *op)
{
	struct str bare = idle_bare_name(op->name);

	if (str_eq(op->layer, STR("block")))
		return REACH_DISK | REACH_WAIT;
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		if (list_has(known[i].names, bare))
			return known[i].kinds;
	}
	return REACH_ANYTHING;
}

bool call_reach_parse(struct str name, unsigned *ret)
{
	static const struct str names[] = { STR_INIT("memory"),	 STR_INIT("wait"),
					    STR_INIT("process"), STR_INIT("timer"),
					    STR_INIT("disk"),	 STR_INIT("network") };

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (str_eq(name, names[i])) {
			*ret = 1U << i;
			return true;
		}
	}
	return false;
}
