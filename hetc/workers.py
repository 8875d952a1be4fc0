"""One function over many items in several processes; the results come in the order of the items.

Loaded only where it is used: a start with one file does not pay for it. Processes are forked, so that nothing but results is
sent, and a system without fork works in one process.
"""
from __future__ import annotations

import pickle
import signal
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess
    from typing import Any, NoReturn, TypeVar

    Item = TypeVar("Item")
    Result = TypeVar("Result")


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
    if number < 2 or "fork" not in get_all_start_methods():
        yield from map(work, items)
        return
    crew = _Crew(work, items)
    try:
        crew.start(min(number, len(items)))
        for index, item in enumerate(items):
            done, result = crew.result(index)
            yield result if done else work(item)
    finally:
        crew.stop()


class _Crew:
    """The processes, and who is at which item."""

    def __init__(self, work: Callable[[Any], Any], items: Sequence[Any]) -> None:
        self.work = work
        self.items = items
        self.next = 0
        self.processes: dict[Connection, ForkProcess] = {}
        self.busy: dict[Connection, int] = {}
        self.results: dict[int, tuple[bool, Any]] = {}

    def start(self, number: int) -> None:
        """Start the processes. Ctrl-C reaches them too, and is the parent's to answer; it waits until they know."""
        context = get_context("fork")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for _ in range(number):
                here, there = context.Pipe()
                ours = [*self.processes, here]
                process = context.Process(target=_serve, args=(self.work, self.items, there, ours, before), daemon=True)
                process.start()
                there.close()
                self.processes[here] = process
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for connection in self.processes:
            self.hand_out(connection)

    def hand_out(self, connection: Connection) -> None:
        """The next item for a process that has none."""
        if self.next < len(self.items):
            self.busy[connection] = self.next
            self.next += 1
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
        self.results[self.busy.pop(connection)] = pickle.loads(answer)
        self.hand_out(connection)

    def died(self, connection: Connection) -> NoReturn:
        process = self.processes[connection]
        process.join(5)
        raise WorkerDied(self.busy[connection], process.exitcode) from None

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
    work: Callable[[Any], Any], items: Sequence[Any], connection: Connection, others: list[Connection], mask: set[int],
) -> None:
    """What a process does: items by their index, until the parent closes its end. `others`: the parent's, inherited by the fork."""
    for other in others:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    while True:
        try:
            index = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer = pickle.dumps((True, work(items[index])))
        except Exception:
            answer = pickle.dumps((False, None))
        try:
            connection.send_bytes(answer)
        except OSError:
            return
