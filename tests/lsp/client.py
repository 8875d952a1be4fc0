"""A language client of a few lines: JSON-RPC over the pipes of a real `hetc lsp`."""
from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

#: How long an answer may take on a busy machine, in seconds.
PATIENCE = 60


class Client:
    """Starts a server in `folder` and speaks to it; what it says by itself is kept in `said`."""

    def __init__(self, folder: Path, command: list[str] | None = None, capabilities: dict[str, Any] | None = None) -> None:
        command = command or [sys.executable, "-m", "hetc", "lsp"]
        self.folder = folder
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=_environment())
        self.messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.errors: list[bytes] = []
        self.said: list[dict[str, Any]] = []
        self.published: dict[str, list[dict[str, Any]]] = {}
        self.number = 0
        self.versions: dict[str, int] = {}
        self.readers = [threading.Thread(target=target) for target in (self._read, self._read_errors)]
        for reader in self.readers:
            reader.start()
        self.capabilities = capabilities or {}
        self.initialized: dict[str, Any] = {}

    def __enter__(self) -> Client:
        try:
            self.initialized = self.ask("initialize", {
                "processId": None, "rootUri": self.folder.as_uri(), "capabilities": self.capabilities})
            self.tell("initialized", {})
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()

    def _read(self) -> None:
        """Every byte of standard output belongs to a message, or this ends."""
        output = self.process.stdout
        assert output is not None
        while header := output.readline():
            assert header.startswith(b"Content-"), header
            length = 0
            while header.strip():
                if header.lower().startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
                header = output.readline()
            self.messages.put(json.loads(output.read(length)))
        self.messages.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors.extend(self.process.stderr)

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """The result of a request."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        answer = self.until(lambda message: message.get("id") == self.number and "method" not in message)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def until(self, wanted: Any) -> dict[str, Any]:
        """The next message that is wanted; the server's own questions are answered with nothing."""
        while True:
            message = self.messages.get(timeout=PATIENCE)
            assert message is not None, b"".join(self.errors).decode(errors="replace")
            if "method" in message:
                self.said.append(message)
                if message["method"] == "textDocument/publishDiagnostics":
                    self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
                if "id" in message:
                    self.send({"id": message["id"], "result": None})
            if wanted(message):
                return message

    # Files.

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, language: str = "het") -> list[dict[str, Any]]:
        """Open a file; what is found in it."""
        self.versions[name] = 1
        self.tell("textDocument/didOpen", {"textDocument": {"uri": self.uri(name), "languageId": language, "version": 1, "text": text}})
        return self.found(name)

    def change(self, name: str, text: str) -> list[dict[str, Any]]:
        self.type(name, text)
        return self.found(name)

    def type(self, name: str, text: str) -> None:
        """Change a file and ask nothing."""
        self.versions[name] += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": self.uri(name), "version": self.versions[name]},
                                             "contentChanges": [{"text": text}]})

    def close(self, name: str) -> list[dict[str, Any]]:
        self.tell("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})
        return self.found(name)

    def found(self, name: str) -> list[dict[str, Any]]:
        """What was last published of a file: before a question is answered, all that was told is checked."""
        self.ask("textDocument/documentSymbol", {"textDocument": {"uri": self.uri(name)}})
        return self.published[self.uri(name)]

    def awaited(self, name: str) -> dict[str, Any]:
        """What is published of a file by itself."""
        return self.until(lambda message: message.get("method") == "textDocument/publishDiagnostics"
                          and message["params"]["uri"] == self.uri(name))["params"]

    def at(self, method: str, name: str, line: int, character: int, **more: Any) -> Any:
        """The answer to a question about a position."""
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": self.uri(name)},
                                                   "position": {"line": line, "character": character}, **more})

    def stop(self) -> int:
        """Say goodbye in order; the exit status. The pipes stay open, so that the message alone must end the process."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(PATIENCE)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}
