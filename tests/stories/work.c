/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs whose system calls the stories are about; see capture.sh for who is run how.
 *
 *	work many N [COST]             N rounds of many different calls; each call is made
 *	                               COST filter instructions more expensive
 *	work pread SIZE N [PERCENT BIG] N reads of SIZE bytes, of BIG bytes in PERCENT of them
 *	work read SIZE N               N reads of SIZE bytes of /dev/zero
 *	work write SIZE TOTAL          TOTAL bytes in writes of SIZE
 *	work journal N [sync]          N records, each flushed if so
 *	work idle SIZE N MS            N reads beside a thread that waits for MS
 *	work locks N SLOW MS           N locks, SLOW of which somebody else holds for MS
 *	work open N DEPTH              N files opened DEPTH folders down, and others at the top
 *	work mixed-pread N SIZE [COST]  the dear ones of these calls, with reads of SIZE
 *	work spin N                    N million steps of the processor alone
 *	work mixed MS SIZE             reads of SIZE and other calls, for MS milliseconds
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FILE_SIZE (4 << 20)

static char buffer[1 << 20];
static volatile long sink; /* so that no call is optimised away */

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void rest(long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };
	nanosleep(&t, NULL);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A file that the page cache holds; the first run makes it. */
static int cached_file(const char *name)
{
	int fd = open(name, O_RDWR);
	if (fd >= 0)
		return fd;
	fd = open(name, O_RDWR | O_CREAT, 0600);
	if (fd < 0)
		die(name);
	memset(buffer, 'x', sizeof(buffer));
	for (int i = 0; i < FILE_SIZE / (int)sizeof(buffer); i++)
		if (write(fd, buffer, sizeof(buffer)) < 0)
			die(name);
	fsync(fd);
	return fd;
}

/* The filter looks at an argument, or the kernel would remember its answer. */
static void filter_calls(int cost)
{
	struct sock_filter f[BPF_MAXINSNS];
	int n = 0;
	f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
					      offsetof(struct seccomp_data, args[0]));
	for (; n < cost && n < BPF_MAXINSNS - 1; n++)
		f[n] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_MUL | BPF_K, 2654435761U);
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog p = { (unsigned short)n, f };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p) != 0)
		die("seccomp");
}

struct many {
	int zero, null, file, pair[2], dir;
	struct iovec parts[64];
};

static void open_many(struct many *m)
{
	m->zero = open("/dev/zero", O_RDONLY);
	m->null = open("/dev/null", O_WRONLY);
	m->file = cached_file("many.data");
	m->dir = open("/usr/include", O_RDONLY | O_DIRECTORY);
	if (m->zero < 0 || m->null < 0 || m->dir < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, m->pair) != 0)
		die("many");
	for (int i = 0; i < 64; i++)
		m->parts[i] = (struct iovec){ buffer + i * 64, 64 };
}

static void cheap_calls(struct many *m)
{
	struct utsname name;
	sink += getppid() + getuid() + umask(022);
	sink += uname(&name) + fcntl(m->zero, F_GETFL);
	sink += lseek(m->file, 0, SEEK_SET) + read(m->zero, buffer, 64);
	sink += write(m->null, buffer, 64);
	int fd = dup(m->null);
	sink += ioctl(m->pair[0], FIONREAD, &(int){ 0 });
	close(fd);
}

static void dear_calls(struct many *m, int round, size_t size)
{
	struct stat st;
	struct pollfd p[16];
	sink += readv(m->zero, m->parts, 64) + getrandom(buffer, 256, 0);
	sink += pread(m->file, buffer, size, round % 24 * 131072L);
	sink += pwrite(m->file, buffer, 4096, round % 1000 * 4096L);
	sink += fstatat(AT_FDCWD, "/usr/include/linux/netfilter/ipset/ip_set.h", &st, 0);
	int fd = openat(AT_FDCWD, "/usr/include/linux/tcp.h", O_RDONLY);
	close(fd);
	for (int i = 0; i < 16; i++)
		p[i] = (struct pollfd){ .fd = m->pair[0], .events = POLLIN };
	sink += poll(p, 16, 0);
	sink += send(m->pair[0], buffer, 1024, 0) + recv(m->pair[1], buffer, 1024, 0);
	char *area =
		mmap(NULL, 16 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 16; i++)
		area[i * 4096] = 1;
	munmap(area, 16 * 4096);
	if (round % 10 == 0) {
		lseek(m->dir, 0, SEEK_SET);
		sink += syscall(SYS_getdents64, m->dir, buffer, 32768);
		rest(50);
	}
	if (round % 20 == 0)
		fdatasync(m->file);
}

static void many(int n, size_t size, int cost)
{
	struct many m;
	open_many(&m);
	if (cost > 0)
		filter_calls(cost);
	for (int i = 0; i < n; i++) {
		cheap_calls(&m);
		dear_calls(&m, i, size);
	}
}

static void preads(size_t size, int n, int percent, size_t big)
{
	int fd = cached_file("pread.data");
	for (int i = 0; i < n; i++) {
		size_t bytes = i * 37 % 100 < percent ? big : size;
		sink += pread(fd, buffer, bytes, (off_t)(i % 24) * 131072);
	}
}

static void reads(size_t size, int n)
{
	int fd = open("/dev/zero", O_RDONLY);
	for (int i = 0; i < n; i++)
		sink += read(fd, buffer, size);
}

static void writes(size_t size, size_t total)
{
	int fd = open("write.data", O_WRONLY | O_CREAT, 0600);
	memset(buffer, 'x', sizeof(buffer));
	for (size_t done = 0; done < total; done += size) {
		if (done % (8 << 20) == 0)
			lseek(fd, 0, SEEK_SET);
		sink += write(fd, buffer, size);
	}
}

static void journal(int n, bool sync)
{
	int fd = cached_file("journal.data");
	for (int i = 0; i < n; i++) {
		sink += pwrite(fd, buffer, 512, i % 1000 * 512L);
		if (sync)
			fdatasync(fd);
	}
}

static void *wait_idly(void *arg)
{
	int ms = *(int *)arg, fd = epoll_create1(0);
	struct epoll_event e;
	for (int i = 0; i < 10; i++)
		sink += epoll_wait(fd, &e, 1, ms / 10);
	return NULL;
}

static void idle(size_t size, int n, int ms)
{
	pthread_t t;
	pthread_create(&t, NULL, wait_idly, &ms);
	reads(size, n);
	pthread_join(t, NULL);
}

/* Holds the lock for a while each time that it is asked to. */
static void hold(int ask, int reported, int ms)
{
	int fd = open("locks.data", O_RDWR | O_CREAT, 0600);
	char c;
	while (read(ask, &c, 1) == 1) {
		flock(fd, LOCK_EX);
		if (write(reported, &c, 1) != 1)
			break;
		rest(ms * 1000L);
		flock(fd, LOCK_UN);
	}
	_exit(0);
}

static void locks(int n, int slow, int ms)
{
	int ask[2], reported[2];
	if (pipe(ask) != 0 || pipe(reported) != 0)
		die("pipe");
	if (fork() == 0) {
		close(ask[1]);
		hold(ask[0], reported[1], ms);
	}
	close(ask[0]);
	int fd = open("locks.data", O_RDWR | O_CREAT, 0600);
	char c = 0;
	for (int i = 0; i < n; i++) {
		if (slow > 0 && i % (n / slow) == 1 && i / (n / slow) < slow)
			sink += write(ask[1], &c, 1) + read(reported[0], &c, 1);
		flock(fd, LOCK_EX);
		flock(fd, LOCK_UN);
	}
	close(ask[1]);
	wait(NULL);
}

static void opens(int n, int depth)
{
	char path[4096] = "open.data";
	mkdir(path, 0700);
	for (int i = 0; i < depth; i++) {
		strcat(path, "/d");
		mkdir(path, 0700);
	}
	strcat(path, "/file");
	if (access(path, R_OK) != 0)
		close(open(path, O_WRONLY | O_CREAT, 0600));
	for (int i = 0; i < n; i++) {
		int fd = open(i % 8 == 0 ? "/proc/self/stat" : path, O_RDONLY);
		close(fd);
	}
}

static void mixed(int ms, size_t size)
{
	struct many m;
	open_many(&m);
	double end = now() + ms * 1e-3;
	for (int i = 0; now() < end; i++) {
		dear_calls(&m, i, 16384);
		for (int k = 0; k < 4; k++)
			sink += read(m.zero, buffer, size);
	}
}

static void spin(long millions)
{
	unsigned long x = 1;
	for (long i = 0; i < millions * 1000000; i++)
		x = x * 6364136223846793005UL + 1442695040888963407UL;
	sink = (long)x;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long a[5] = { 0 };
	memset(buffer, 'x', sizeof(buffer));
	for (int i = 2; i < argc && i < 7; i++)
		a[i - 2] = atoi(argv[i]);
	if (strcmp(what, "many") == 0)
		many((int)a[0], 16384, (int)a[1]);
	else if (strcmp(what, "mixed-pread") == 0)
		many((int)a[0], (size_t)a[1], (int)a[2]);
	else if (strcmp(what, "pread") == 0)
		preads((size_t)a[0], (int)a[1], (int)a[2], (size_t)a[3]);
	else if (strcmp(what, "read") == 0)
		reads((size_t)a[0], (int)a[1]);
	else if (strcmp(what, "write") == 0)
		writes((size_t)a[0], (size_t)a[1]);
	else if (strcmp(what, "journal") == 0)
		journal((int)a[0], argc > 3);
	else if (strcmp(what, "idle") == 0)
		idle((size_t)a[0], (int)a[1], (int)a[2]);
	else if (strcmp(what, "locks") == 0)
		locks((int)a[0], (int)a[1], (int)a[2]);
	else if (strcmp(what, "open") == 0)
		opens((int)a[0], (int)a[1]);
	else if (strcmp(what, "mixed") == 0)
		mixed((int)a[0], (size_t)a[1]);
	else if (strcmp(what, "spin") == 0)
		spin(a[0]);
	else
		return 2;
	return 0;
}
