# SPDX-License-Identifier: GPL-3.0-or-later
"""Stories about simulated programs, and what is right about each. Standard library only.

A story is a function of a World and of whether it is the side that changed; it starts tasks.
STORIES says in which formats it is printed, and the right answer:

    gate      statuses of rank --exit-code, five runs a side in turns
    single    the same for one run a side; "" where one run cannot show it
    verdicts  of operations (system calls and libc have other names for a lock): allowed ones
    not_failed  operations that must not be among those that fail the gate
    reverse   statuses with the sides exchanged

Sizes, latencies and factors are drawn anew for each comparison: nothing can be tuned to them.
"""
import dataclasses

import printed
import simulate


@dataclasses.dataclass
class Story:
    name: str
    build: object
    formats: tuple
    gate: str = "1"
    single: str = "1"
    verdicts: dict = dataclasses.field(default_factory=dict)
    not_failed: tuple = ()
    reverse: str = "0"
    speed_after: float = 1.0
    clients: int = 1
    fixed_duration: bool = False


# --- parts of programs -------------------------------------------------------

def file_work(task, steps, user=20e-6, preads=1, factor=1.0):
    """Reads of a file, in small steps."""
    for _ in range(steps):
        yield from task.call("lseek", task.cost("lseek", 0.5e-6 * factor))
        for _ in range(preads):
            yield from task.call("pread64", task.cost("pread64", 8e-6 * factor, second=0.1, factor=6))
        yield from task.call("write", task.cost("write", 5e-6 * factor))
        yield task.run(task.world.draw("user", user * factor))


def main(task, operation, *bodies):
    """Starts the others, and joins or waits for them."""
    yield from task.call("openat", task.cost("openat", 10e-6))
    for other in [task.world.start(*body) for body in bodies]:
        yield from task.call(operation, task.join(other))


# --- waiting -----------------------------------------------------------------

def added_sleep(w, changed, p):
    def worker(task):
        for i in range(15):
            yield from file_work(task, 20)
            if changed:
                yield from task.call("clock_nanosleep", task.sleep(p["sleep"]))
    w.start(worker)


def one_long_sleep(w, changed, p):
    def worker(task):
        yield from file_work(task, 200)
        if changed:
            yield from task.call("clock_nanosleep", task.sleep(100 * p["sleep"]))
        yield from file_work(task, 100)
    w.start(worker)


def lock_story(w, changed, p, operation, always, shared_capacity=1):
    """Two threads, each with a lock of its own, or both with one."""
    locks = [simulate.Lock(w, shared_capacity) for _ in range(2)]

    def worker(task, lock):
        for _ in range(400):
            yield from task.locked(lock, operation, always, task.run(w.draw("held", p["held"])))
            yield from task.call("pread64", task.cost("pread64", 8e-6))
            yield task.run(w.draw("user", 5e-6))
    w.start(main, "futex" if operation == "futex" else "pthread_join",
            *((worker, locks[0 if changed else i]) for i in range(2)))


def contended_mutex(w, changed, p):
    lock_story(w, changed, p, "pthread_mutex_lock" if p["libc"] else "futex", p["libc"])


def contended_semaphore(w, changed, p):
    lock_story(w, changed, p, "sem_wait" if p["libc"] else "futex", p["libc"])


def file_lock(w, changed, p):
    """Two processes that lock a file of their own, or the same."""
    locks = [simulate.Lock(w) for _ in range(2)]

    def process(task, lock):
        for _ in range(300):
            yield from task.locked(lock, "flock", True, task.run(w.draw("held", p["held"])))
            yield from task.call("pread64", task.cost("pread64", 8e-6))
    for i in range(2):
        w.start(process, locks[0 if changed else i])


def joined_threads(w, changed, p):
    """The threads read more slowly: so the join takes longer, which is a consequence."""
    def worker(task):
        yield from file_work(task, 250, user=2e-6)

    def slow(task):
        for _ in range(250):
            yield from task.call("lseek", task.cost("lseek", 0.5e-6))
            yield from task.call("pread64", task.cost("pread64", 8e-6 * p["factor"], second=0.1, factor=6))
            yield from task.call("write", task.cost("write", 5e-6))
            yield task.run(w.draw("user", 2e-6))
    w.start(main, "pthread_join" if p["libc"] else "futex", *[(slow if changed else worker,)] * 2)


def child_process(w, changed, p):
    """wait4 for a child whose writes are slower."""
    def child(task):
        for _ in range(400):
            yield from task.call("read", task.cost("read", 3e-6))
            yield from task.call("write", task.cost("write", 12e-6 * (p["factor"] if changed else 1)))
    w.start(main, "wait4", (child,))


def slower_input(w, changed, p):
    """An event loop whose clients send less often: it waits, and nothing is wrong with it."""
    def loop(task):
        for _ in range(300):
            yield from task.call("epoll_wait", task.sleep(w.chance.expovariate(1 / (2 * 200e-6 if changed else 200e-6))))
            yield from task.call("read", task.cost("read", 6e-6))
            yield task.run(w.draw("user", 15e-6))
            yield from task.call("write", task.cost("write", 9e-6))
    w.start(loop)


def longer_select(w, changed, p):
    def worker(task):
        yield from file_work(task, 150)
        yield from task.call("select", task.sleep(0.1))
        yield from file_work(task, 150)
        if changed:
            yield from task.call("select", task.sleep(80 * p["sleep"]))
    w.start(worker)


def idle_pool(w, changed, p):
    """A thread of a pool waits on a condition, with more timeouts than before: nobody waits for it."""
    def worker(task):
        yield from file_work(task, 500)
        task.ended = True

    def pool(task, main):
        while not main.done:
            yield from task.call("futex", task.sleep(0.1e-3 if changed else 1e-3))
    w.start(pool, w.start(worker))


# --- amounts of work ---------------------------------------------------------

def fixed_rate(w, changed, p):
    """Requests come at a fixed rate; each needs twice as many reads."""
    def server(task):
        for i in range(300):
            wait = i * 400e-6 - w.now
            if wait > 0:
                yield from task.call("epoll_wait", task.sleep(wait))
            for _ in range(6 if changed else 3):
                yield from task.call("pread64", task.cost("pread64", 20e-6))
            yield from task.call("sendto", task.cost("sendto", 15e-6))
    w.start(server)


def small_blocks(w, changed, p):
    """The same bytes in a sixth of the block: shorter reads, six times as many."""
    def archiver(task):
        for _ in range(60):
            yield from task.call("openat", task.cost("openat", 10e-6))
            for _ in range(60 if changed else 10):
                yield from task.call("read", task.cost("read", 7e-6 if changed else 10e-6))
            yield from task.call("write", task.cost("write", 20e-6))
            yield from task.call("close", task.cost("close", 1e-6))
    w.start(archiver)


def batched_writes(w, changed, p):
    def writer(task):
        for _ in range(40):
            yield from task.call("read", task.cost("read", 20e-6))
            for _ in range(2 if changed else 32):
                yield from task.call("write", task.cost("write", 14e-6 if changed else 3e-6))
    w.start(writer)


def doubled_calls(w, changed, p):
    w.start(lambda task: file_work(task, 300, preads=2 if changed else 1))


def added_flush(w, changed, p):
    disk = simulate.Lock(w)

    def worker(task):
        for _ in range(20):
            yield from file_work(task, 30)
            if changed:
                yield from task.call("fdatasync", task.acquire(disk), task.sleep(w.draw("disk", 1.5e-3, 0.4)),
                                     task.release(disk))
    w.start(worker)


# --- closed loops ------------------------------------------------------------

def clients(w, p, scripts, seconds):
    """Clients that send one request after the other for some seconds; scripts: (name, share, server time)."""
    server = simulate.Lock(w, 2)

    def client(task):
        while w.now < seconds:
            x = w.chance.random()
            for name, share, cost in scripts:
                if x < share or share is scripts[-1][1]:
                    break
                x -= share
            yield from task.call(name, task.acquire(server), task.sleep(w.draw(name, cost, 0.4)), task.release(server))
    for _ in range(p["clients"]):
        w.start(client)


def slower_script(w, changed, p):
    clients(w, p, (("account", 0.5, 300e-6 * (p["factor"] ** 2 if changed else 1)), ("balance", 0.5, 150e-6)), 0.5)


def slower_server(w, changed, p):
    clients(w, p, (("request", 1.0, 250e-6 * (p["factor"] if changed else 1)),), 0.5)


def one_stall(w, changed, p):
    """Some runs of either side have a stall that all clients wait for: one event."""
    server = simulate.Lock(w, 1)
    stalls = [w.chance.uniform(0.05, 0.4)] if w.chance.random() < 0.5 else []

    def client(task):
        while w.now < 0.5:
            long = 0.06 if stalls and w.now > stalls[0] and not stalls.clear() else 0
            yield from task.call("request", task.acquire(server), task.sleep(w.draw("request", 60e-6, 0.4) + long),
                                 task.release(server))
    for _ in range(p["clients"]):
        w.start(client)


# --- everything, tails, nothing ----------------------------------------------

def all_slower(w, changed, p):
    w.start(lambda task: file_work(task, 400, factor=p["all"] if changed else 1))


def slower_processor(w, changed, p):
    w.start(lambda task: file_work(task, 400))


def slow_tail(w, changed, p):
    def worker(task):
        for _ in range(1500):
            yield from task.call("lseek", task.cost("lseek", 0.5e-6))
            yield from task.call("pread64", task.cost("pread64", 10e-6, second=0.05 if changed else 0, factor=20))
    w.start(worker)


def coarse_edges(w, changed, p):
    def client(task):
        for _ in range(250):
            slow = w.chance.random() < (0.7 if changed else 0.1)
            yield from task.call("page", task.sleep(w.draw("page", 0.25 if slow else 0.05, 0.3)))
    for _ in range(4):
        w.start(client)


def slower_function(w, changed, p):
    def bench(task):
        for _ in range(400):
            yield from task.call("parse", task.run(w.draw("parse", 20e-6 * (p["factor"] if changed else 1))))
            yield from task.call("encode", task.run(w.draw("encode", 9e-6)))
    w.start(bench)


def handful(w, changed, p):
    """Nothing changed; some operations have a handful of calls, and any of those may be preempted."""
    def worker(task):
        yield from file_work(task, 400)
        for name in ("openat", "mmap", "fstat", "getdents64", "close", "munmap"):
            for _ in range(w.chance.randint(2, 6)):
                preempted = 1 + 2500 * w.chance.random() if w.chance.random() < 0.04 else 1
                yield from task.call(name, task.cost(name, 4e-6 * preempted))
    w.start(worker)


def unchanged(w, changed, p):
    def worker(task):
        for _ in range(12):
            yield from file_work(task, 30)
            yield from task.call("fsync", task.sleep(w.draw("disk", 800e-6, 0.5)))
    w.start(main, "futex", (worker,), (worker,))


TRACES = ("strace", "perf-trace", "osprof", "csv")
SLOWER = {"regressed", "new"}
QUIET = {"same", "inconclusive", "changed-shape", "improved"}

STORIES = [
    Story("added-sleep", added_sleep, TRACES, verdicts={"clock_nanosleep": SLOWER}),
    Story("one-long-sleep", one_long_sleep, TRACES, verdicts={"clock_nanosleep": SLOWER}),
    Story("contended-mutex", contended_mutex, TRACES + ("bpftrace", "strace-untimed"),
          verdicts={"pthread_mutex_lock": SLOWER, "futex": SLOWER}),
    Story("contended-semaphore", contended_semaphore, ("osprof", "strace"),
          verdicts={"sem_wait": SLOWER, "futex": SLOWER}),
    Story("file-lock", file_lock, ("strace", "osprof", "bpftrace"), verdicts={"flock": SLOWER}),
    Story("joined-threads", joined_threads, ("osprof", "strace"), single="",
          verdicts={"pread64": SLOWER}, not_failed=("pthread_join", "futex")),
    Story("child-process", child_process, ("strace", "osprof"), single="",
          verdicts={"write": SLOWER}, not_failed=("wait4",)),
    Story("slower-input", slower_input, TRACES, "0", "0", {"read": QUIET, "write": QUIET}, ("epoll_wait",)),
    Story("longer-select", longer_select, TRACES, "0", "0", {"pread64": QUIET}, ("select",)),
    Story("idle-pool", idle_pool, ("osprof", "strace", "perf-trace"), "0", "0", {"pread64": QUIET}, ("futex",)),
    Story("fixed-rate", fixed_rate, TRACES + ("bpftrace",), verdicts={"pread64": SLOWER}, not_failed=("epoll_wait",)),
    Story("small-blocks", small_blocks, TRACES + ("bpftrace",), verdicts={"read": SLOWER}),
    Story("batched-writes", batched_writes, TRACES + ("bpftrace",), "0", "0",
          {"write": {"improved", "changed-shape"}}, reverse="1"),
    Story("doubled-calls", doubled_calls, TRACES + ("bpftrace",), verdicts={"pread64": SLOWER}),
    Story("added-flush", added_flush, TRACES + ("bpftrace",), verdicts={"fdatasync": SLOWER}),
    Story("slower-script", slower_script, ("pgbench", "csv", "osprof"), single="",
          verdicts={"script 0": SLOWER, "account": SLOWER}, clients=6, fixed_duration=True),
    Story("slower-server", slower_server, ("pgbench", "csv", "osprof", "wrk"), single="",
          verdicts={"request": SLOWER, "script 0": SLOWER, "latency": SLOWER}, clients=8, fixed_duration=True),
    Story("one-stall", one_stall, ("pgbench", "csv", "osprof"), "0", "0", clients=10, fixed_duration=True),
    Story("all-slower", all_slower, ("osprof", "strace", "bpftrace"), single=""),
    Story("all-much-slower", lambda w, changed, p: all_slower(w, changed, dict(p, all=2.3 * p["all"])),
          ("osprof", "perf-trace"), single="1"),
    Story("slower-processor", slower_processor, ("osprof",), "0", "0", speed_after=0.45),
    Story("slow-tail", slow_tail, ("osprof", "bpftrace", "csv"), single="", verdicts={"pread64": SLOWER}),
    Story("coarse-edges", coarse_edges, ("prometheus",)),
    Story("slower-function", slower_function, ("go-test",), verdicts={"Parse-2": SLOWER, "Encode-2": QUIET}),
    Story("handful", handful, TRACES + ("bpftrace",), "0", "0"),
    Story("unchanged", unchanged, TRACES + ("bpftrace", "strace-untimed", "prometheus", "go-test"), "0", "0"),
    Story("unchanged-server", lambda w, changed, p: slower_server(w, False, p), ("wrk", "pgbench", "csv"), "0", "0",
          clients=8, fixed_duration=True),
]

# --- making runs -------------------------------------------------------------


def parameters(chance, story, libc):
    """Drawn once a comparison, the same for both sides."""
    return {"sleep": chance.uniform(3e-3, 10e-3), "held": chance.uniform(30e-6, 60e-6),
            "factor": chance.uniform(1.6, 2.5) if story.name != "slower-function" else chance.uniform(1.12, 1.4),
            "all": chance.uniform(1.15, 1.5), "clients": story.clients, "libc": libc}


def run_of(chance, story, p, changed, started, beside=0):
    world = simulate.World(chance, beside=beside, speed=story.speed_after if changed else 1.0)
    story.build(world, changed, p)
    return world.finish(started=started, clients=story.clients, fixed_duration=story.fixed_duration)


def simulated(chance, story, libc, n, beside=0):
    """n runs a side that took turns: (before, after). With libc, calls have the names of libc."""
    p = parameters(chance, story, libc)
    return [[run_of(chance, story, p, changed, printed.START + 60 * (2 * i + changed), beside) for i in range(n)]
            for changed in (False, True)]


def write(runs, kind, folder):
    """Their files, in this format."""
    suffix, text = printed.FORMATS[kind]
    folder.mkdir(parents=True, exist_ok=True)
    texts = [text(runs)] if kind in printed.REPEATED else [text(run) for run in runs]
    paths = [folder / f"{i}.{suffix}" for i in range(len(texts))]
    for path, content in zip(paths, texts):
        path.write_text(content)
    return paths
