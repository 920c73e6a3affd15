# SPDX-License-Identifier: GPL-3.0-or-later
"""A discrete-event simulation of programs that make calls. Standard library only.

A task is a generator that yields what it waits for; `Task.call` records what lies between its
start and its end as a call:

    def worker(task):
        for _ in range(100):
            yield from task.call("pread", task.cost("pread", 8e-6))
            yield task.run(30e-6)              # user code, no call
            yield from task.call("nanosleep", task.sleep(1e-3))

    world = World(random.Random(1))
    world.start(worker)
    run = world.finish()                       # a Run: calls, elapsed

Tasks share processors (with loops of other programs beside them, in time slices), locks,
semaphores and servers of a fixed capacity; they sleep, join each other, and wait for input.
"""
import collections
import dataclasses
import heapq
import math

SLICE = 3e-3  # of the scheduler: Linux' base slice on two processors
WAKES = 5e-6  # a wake-up takes
PREEMPTS = 0.85  # of the wake-ups beside busy loops run at once; the others wait for the end of a slice

Call = collections.namedtuple("Call", "task operation start end")


@dataclasses.dataclass
class Run:
    calls: list
    elapsed: float
    clients: int = 1
    speed: float = 1.0
    started: float = None
    fixed_duration: bool = False


class Task:
    def __init__(self, world, number):
        self.world, self.number = world, number
        self.body = None
        self.used = 0.0  # of the present slice
        self.woken, self.preempts = True, False
        self.done = False
        self.joiners = []

    # --- what a task may yield: a function that resumes it when it is over ---

    def run(self, seconds):
        return lambda: self.world.processors.run(self, seconds / self.world.speed)

    def sleep(self, seconds):
        return lambda: self.world.later(seconds, self, woken=True)

    def acquire(self, lock):
        return lambda: lock.acquire(self)

    def release(self, lock):
        return lambda: lock.release(self)

    def join(self, other):
        return lambda: self.world.resume(self) if other.done else other.joiners.append(self)

    def cost(self, operation, median, sigma=0.25, second=0.0, factor=8.0):
        """Processor time of a call: log-normal, a share `second` of it `factor` times as long."""
        return self.run(self.world.draw(operation, median, sigma, second, factor))

    # --- what it may `yield from` ---

    def call(self, operation, *waits):
        start = self.world.now
        for wait in waits:
            yield wait
        self.world.calls.append(Call(self.number, operation, start, self.world.now))

    def locked(self, lock, operation, always, *inside):
        """Takes the lock, waits for `inside`, gives it back. A call of `operation` takes it: where
        always is false, only if somebody else has it, as futex; then its release is a call, too."""
        contended = lock.free == 0
        if always or contended:
            yield from self.call(operation, self.run(60e-9 if always else 2e-6), self.acquire(lock))
        else:
            yield self.acquire(lock)
        yield from inside
        if contended and not always:
            yield from self.call(operation, self.run(2e-6), self.release(lock))
        else:
            yield self.release(lock)


class Lock:
    """A mutex, or with a capacity a semaphore, a disk, a server: the others wait in their order."""

    def __init__(self, world, capacity=1):
        self.world, self.free = world, capacity
        self.waiting = collections.deque()

    def acquire(self, task):
        if self.free:
            self.free -= 1
            self.world.resume(task)
        else:
            self.waiting.append(task)

    def release(self, task):
        if self.waiting:
            self.world.later(WAKES, self.waiting.popleft(), woken=True)
        else:
            self.free += 1
        self.world.resume(task)


class Processors:
    """Run queues of all processors as one. Loops of other programs always want one."""

    def __init__(self, world, n, beside):
        self.world, self.free, self.beside = world, n, beside
        self.queue = collections.deque([None, math.inf] for _ in range(beside))  # None: a loop
        self.dispatch()

    def run(self, task, seconds):
        if task.woken:
            task.used, task.woken = 0.0, False
            task.preempts = self.beside and self.free == 0 and self.world.chance.random() < PREEMPTS
        if task.preempts and task.used + seconds < SLICE:  # instead of a loop, which is not simulated
            task.used += seconds
            self.world.at(self.world.now + seconds, task)
            return
        task.preempts = False
        if task.used < SLICE:
            self.queue.appendleft([task, seconds])
        else:
            task.used = 0.0
            self.queue.append([task, seconds])
        self.dispatch()

    def dispatch(self):
        while self.free and self.queue:
            self.free -= 1
            task, seconds = self.queue.popleft()
            part = min(seconds, SLICE if task is None or task.used >= SLICE else SLICE - task.used)
            self.world.at(self.world.now + part, lambda t=task, s=seconds, p=part: self.ended(t, s, p))

    def ended(self, task, seconds, part):
        self.free += 1
        if task is not None:
            task.used += part
        if task is not None and seconds - part <= 1e-12:
            self.world.resume(task)
        else:
            if task is not None:
                task.used = 0.0
            self.queue.append([task, seconds - part])
        self.dispatch()


class World:
    def __init__(self, chance, processors=2, beside=0, speed=1.0, noise=0.03):
        self.chance, self.speed, self.noise = chance, speed, noise
        self.now, self.heap, self.n, self.alive = 0.0, [], 0, 0
        self.calls, self.shifts, self.tasks = [], {}, 0
        self.machine = chance.gauss(0, 0.02)
        self.processors = Processors(self, processors, beside)

    def at(self, when, what):
        self.n += 1
        heapq.heappush(self.heap, (when, self.n, what))

    def later(self, seconds, task, woken=False):
        task.woken = task.woken or woken
        self.at(self.now + seconds, task)

    def resume(self, task):
        """At once, so that a task keeps its processor from one call to the next."""
        self.step(task)

    def draw(self, operation, median, sigma=0.25, second=0.0, factor=8.0):
        if operation not in self.shifts:
            self.shifts[operation] = 2 ** (self.chance.gauss(0, self.noise) + self.machine)
        x = median * self.shifts[operation] * math.exp(self.chance.gauss(0, sigma))
        return x * factor if second and self.chance.random() < second else x

    def start(self, function, *arguments):
        self.tasks += 1
        task = Task(self, self.tasks)
        task.body = function(task, *arguments)
        self.alive += 1
        self.at(self.now, task)
        return task

    def step(self, task):
        try:
            wait = next(task.body)
        except StopIteration:
            task.done = True
            self.alive -= 1
            for joiner in task.joiners:
                self.later(WAKES, joiner, woken=True)
            return
        wait()

    def finish(self, **known):
        """Until every task has ended."""
        while self.alive:
            self.now, _, what = heapq.heappop(self.heap)
            if isinstance(what, Task):
                self.step(what)
            else:
                what()
        self.calls.sort(key=lambda c: (c.start, c.end))
        return Run(self.calls, self.now, speed=self.speed, **known)
