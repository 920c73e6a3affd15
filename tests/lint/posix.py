#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether only base/platform.c calls functions of the C library that are not in POSIX.

usage: posix.py ARCHIVE_OR_PROGRAM...

What object files need is looked at, not sources: macros and headers hide calls. Of a program, the
objects that meson keeps for it. Prints each call that is neither in POSIX nor in LINUX; status 1 if
there is any, 77 if the C library is not glibc.
"""
import collections
import ctypes
import pathlib
import re
import subprocess
import sys

# Linux by nature: tracing the kernel with bpftrace, in whose place another system has another tool.
# The capture library and the recorder that is preloaded (collect/) are not looked at for the same
# reason: they read the kernel's clocks and unwind stacks, next to the instructions of the processor.
LINUX = {"record/tracer"}
PLATFORM = "base/platform"

# Functions and variables of POSIX.1-2024 that are in use; before you add one, look it up there.
POSIX = set("""
    accept4 access aligned_alloc bind calloc clearerr clock_gettime close closedir connect dirfd
    dladdr dlclose dlerror dlopen dlsym dprintf dup2 environ erfc execlp execvp exp exp2 expm1
    faccessat fchmod fclose fcntl fdopen fdopendir ferror fflush fgets fileno floor fmax fmaxf
    fmin fminf fmod fnmatch fopen fork fprintf fputc fputs free freeaddrinfo frexp fstat fstatat
    fsync ftruncate fwrite gai_strerror getaddrinfo getdelim getegid getentropy getenv geteuid
    gethostname getpid getppid getrlimit getsockopt gmtime_r iconv iconv_close iconv_open isatty kill ldexp lgamma link
    linkat listen llrintl llround llroundl log log10 log1p log2 lround lseek lstat malloc memchr
    memcmp memcpy memmem memmove memset mkdir mkdtemp mkostemp mmap munmap nanosleep newlocale
    nextafter nl_langinfo open open_memstream openat opendir optarg opterr optind pipe2 poll
    posix_spawn posix_spawn_file_actions_adddup2 posix_spawn_file_actions_destroy
    posix_spawn_file_actions_init posix_spawnattr_destroy posix_spawnattr_init
    posix_spawnattr_setflags posix_spawnattr_setpgroup posix_spawnattr_setsigdefault
    posix_spawnattr_setsigmask posix_spawnp pow pread pthread_cond_destroy pthread_cond_init
    pthread_cond_signal pthread_cond_timedwait pthread_cond_wait pthread_condattr_destroy
    pthread_condattr_init pthread_condattr_setclock pthread_create pthread_join
    pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock
    pthread_mutexattr_destroy pthread_mutexattr_init pthread_mutexattr_settype pwrite qsort
    qsort_r raise read readdir readlink realloc reallocarray realpath recv regcomp regexec
    regfree remainder rename renameat rmdir round scandir send setenv setlocale setpgid
    setrlimit setsid setsockopt shutdown sigaction sigaddset sigaltstack sigemptyset sigfillset
    signal sigprocmask sigtimedwait snprintf socket socketpair sqrt stat stderr stdin stdout
    stpcpy strcat strchr strcmp strcpy strcspn strdup strerror strftime strlen strncmp strnlen
    strpbrk strrchr strsignal strspn strstr strtod sysconf tcgetattr tcsetattr umask uname
    unlink unlinkat unsetenv uselocale vsnprintf waitid waitpid wcwidth write
""".split())


def objects_of(path):
    """An archive, or the objects of a program."""
    return [path] if path.endswith(".a") else [str(p) for p in pathlib.Path(path + ".p").glob("*.o")]


def plain(symbol):
    """The function as sources call it: without what headers make of it for fortified programs, for
    a version of C, or for large files."""
    symbol = re.sub(r"^__isoc\d+_", "", symbol)
    symbol = re.sub(r"^__(.+)_chk$", r"\1", symbol)
    return re.sub(r"64$", "", symbol)


def calls_of(files, libraries):
    """By unit, "base/out": the functions of the C library that it needs."""
    calls = collections.defaultdict(set)
    listing = subprocess.run(["nm", "-A", "-u", *files], check=True, capture_output=True,
                             text=True).stdout
    for line in listing.splitlines():
        found = re.match(r"(?:.*/)?(?:lib)?([\w-]+)\.[ap][:[/](?:.*/)?([^/]*?)\.c\.o\]?: +[Uw] (\S+)$", line)
        if not found:
            continue
        folder, file, symbol = found.groups()
        name = plain(symbol)
        # What begins with an underscore belongs to the compiler and to headers.
        if not name.startswith("_") and any(hasattr(one, symbol) for one in libraries):
            calls[f"{folder}/{file}"].add(name)
    return calls


def main():
    try:
        libraries = [ctypes.CDLL("libc.so.6"), ctypes.CDLL("libm.so.6")]
    except OSError:
        sys.exit(77)
    calls = calls_of([f for path in sys.argv[1:] for f in objects_of(path)], libraries)
    if not calls.get(PLATFORM, set()) - POSIX:
        sys.exit(f"no call of {PLATFORM} was found: are these the archives?")
    wrong = [(unit, name) for unit, names in sorted(calls.items()) for name in sorted(names - POSIX)
             if unit not in LINUX | {PLATFORM}]
    for unit, name in wrong:
        print(f"{unit}: {name}() is not known to be in POSIX: call it in base/platform.c")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
