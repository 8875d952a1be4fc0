"""One function over many items in several processes; the results come in the order of the items.

Loaded only where it is used: a start with one file does not pay for it. Processes are forked, so that nothing but results is
sent, and a system without fork works in one process.
"""
from __future__ import annotations

import os
import pickle
import signal
from mmap import mmap
from multiprocessing import get_context
from multiprocessing.connection import wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess
    from typing import Any, NoReturn, TypeVar

    Item = TypeVar("Item")
    Result = TypeVar("Result")


#: How many items a process gets at once: sending each by itself takes a quarter as long as checking a small file. Towards the
#: end they are fewer, so that none works long when the others are done.
MOST_AT_ONCE = 16

#: The bytes in which a process says which item it is at.
_PLACE = 8


class WorkerDied(Exception):
    """A process ended in the middle of the item at `index`, killed by a signal or out of memory."""

    def __init__(self, index: int, status: int | None) -> None:
        super().__init__(index, status)
        self.index = index
        self.status = status


def in_order(work: Callable[[Item], Result], items: Sequence[Item], number: int) -> Iterator[Result]:
    """`work` of each item, by `number` processes. What raises there, or cannot be sent, is done again here.

    Raises WorkerDied. However it ends, no process is left behind.
    """
    number = min(number, len(items))
    if number < 2 or not hasattr(os, "fork"):
        yield from map(work, items)
        return
    crew = _Crew(work, items)
    try:
        crew.start(number)
        for index, item in enumerate(items):
            done, result = crew.result(index)
            yield result if done else work(item)
    finally:
        crew.stop()


class _Crew:
    """The processes, and which items each of them has."""

    def __init__(self, work: Callable[[Any], Any], items: Sequence[Any]) -> None:
        self.work = work
        self.items = items
        self.next = 0
        self.processes: dict[Connection, ForkProcess] = {}
        self.busy: dict[Connection, range] = {}
        self.results: dict[int, tuple[bool, Any]] = {}

    def start(self, number: int) -> None:
        """Start the processes. Ctrl-C reaches them too, and is the parent's to answer; it waits until they know."""
        context = get_context("fork")
        self.places = mmap(-1, _PLACE * number)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for index in range(number):
                here, there = context.Pipe()
                ours = [*self.processes, here]
                place = memoryview(self.places)[_PLACE * index:_PLACE * (index + 1)]
                process = context.Process(target=_serve, args=(self.work, self.items, there, ours, before, place), daemon=True)
                process.start()
                there.close()
                self.processes[here] = process
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for connection in self.processes:
            self.hand_out(connection)

    def hand_out(self, connection: Connection) -> None:
        """The next items for a process that has none."""
        count = min(max((len(self.items) - self.next) // (4 * len(self.processes)), 1), MOST_AT_ONCE)
        if self.next < len(self.items):
            self.busy[connection] = range(self.next, min(self.next + count, len(self.items)))
            self.next += count
            try:
                connection.send(self.busy[connection])
            except OSError:
                self.died(connection)

    def result(self, index: int) -> tuple[bool, Any]:
        while index not in self.results:
            for connection in wait(list(self.busy)):
                self.receive(connection)  # type: ignore[arg-type]
        return self.results.pop(index)

    def receive(self, connection: Connection) -> None:
        try:
            answer = connection.recv_bytes()
        except (EOFError, OSError):
            self.died(connection)
        self.results.update(zip(self.busy.pop(connection), pickle.loads(answer)))
        self.hand_out(connection)

    def died(self, connection: Connection) -> NoReturn:
        process = self.processes[connection]
        process.join(5)
        at = _PLACE * list(self.processes).index(connection)
        index = int.from_bytes(self.places[at:at + _PLACE], "little")
        raise WorkerDied(max(index, self.busy[connection].start), process.exitcode) from None

    def stop(self) -> None:
        for connection, process in self.processes.items():
            connection.close()  # one that waits for an item ends
            if connection in self.busy:
                process.terminate()
        for process in self.processes.values():
            process.join(5)
            if process.is_alive():
                process.kill()


def _serve(
    work: Callable[[Any], Any], items: Sequence[Any], connection: Connection, others: list[Connection], mask: set[int], place: memoryview,
) -> None:
    """What a process does: items by their index, until the parent closes its end. `others`: the parent's, inherited by the fork.

    In `place` it says which item it is at.
    """
    for other in others:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    while True:
        try:
            numbers: range = connection.recv()
        except (EOFError, OSError):
            return
        try:
            connection.send_bytes(_answer(work, items, numbers, place))
        except OSError:
            return


def _answer(work: Callable[[Any], Any], items: Sequence[Any], numbers: range, place: memoryview) -> bytes:
    """What comes of some items, each with whether it could be done here."""
    results: list[tuple[bool, Any]] = []
    for number in numbers:
        place[:] = number.to_bytes(_PLACE, "little")
        try:
            results.append((True, work(items[number])))
        except Exception:
            results.append((False, None))
    try:
        return pickle.dumps(results)
    except Exception:  # one that cannot be sent
        return pickle.dumps([(False, None)] * len(numbers))
