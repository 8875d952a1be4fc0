"""The door to pygls: the protocol's messages to what the other modules of this package answer, and back."""
from __future__ import annotations

import asyncio
import os
import sys
from functools import lru_cache
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from hetc import __version__, fix
from hetc import fmt as formatter
from hetc.diagnostic import ERROR, INFO, WARNING, Report
from hetc.discover import OVERLAY, REQUEST
from hetc.inputs import STDIN
from hetc.lsp import complete, symbols
from hetc.lsp.desk import Desk
from hetc.lsp.hover import hover
from hetc.lsp.positions import UTF16, Lines
from hetc.pipeline import Options
from hetc.source import Source, Span
from hetc.system import key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hetc.diagnostic import Diagnostic, Edit
    from hetc.lsp.desk import Looked

#: How long the keyboard has to rest before the open files are checked, in seconds.
PAUSE = 0.15

SEVERITIES = {ERROR: lsp.DiagnosticSeverity.Error, WARNING: lsp.DiagnosticSeverity.Warning, INFO: lsp.DiagnosticSeverity.Information}
KINDS = {complete.KEY: lsp.CompletionItemKind.Property, complete.VALUE: lsp.CompletionItemKind.EnumMember,
         complete.TASK: lsp.CompletionItemKind.Reference, complete.MODEL: lsp.CompletionItemKind.Constant,
         complete.FILE: lsp.CompletionItemKind.File}
SYMBOLS = {symbols.GROUP: lsp.SymbolKind.Struct, symbols.TASK: lsp.SymbolKind.Key}

#: Files whose changes on the disk bear on what is open.
WATCHED = "**/*.{het,yaml,yml,toml}"
FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.hetc"


class Server(LanguageServer):
    """The files of one editor, and what it was told of them."""

    def __init__(self, options: Options) -> None:
        # Texts come whole: which lines an edit is about, editor and library count differently.
        super().__init__("hetc", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.desk = Desk(options)
        self.versions: dict[str, int | None] = {}
        #: What was last published of each file, and for which version of it.
        self.published: dict[str, tuple[list[lsp.Diagnostic], int | None]] = {}
        self.waiting: asyncio.TimerHandle | None = None

    # Texts and places.

    def take(self, uri: str, text: str, version: int | None) -> None:
        """Take a file's new text."""
        self.desk.put(uri, name_of(uri), text)
        self.versions[uri] = version
        self.later()

    def later(self) -> None:
        """Check when the keyboard rests."""
        if self.waiting is not None:
            self.waiting.cancel()
        self.waiting = asyncio.get_running_loop().call_later(PAUSE, self.check)

    def now(self, uri: str) -> Looked | None:
        """What came of the latest text of an open file."""
        if self.waiting is not None:
            self.check()
        return self.desk.looked.get(uri)

    def lines(self, source: Source) -> Lines:
        return lines_of(source, str(self.workspace.position_encoding or UTF16))

    def offset(self, source: Source, at: lsp.Position) -> int:
        return self.lines(source).offset(at.line, at.character)

    def range(self, lines: Lines, start: int, end: int) -> lsp.Range:
        return lsp.Range(lsp.Position(*lines.position(start)), lsp.Position(*lines.position(end)))

    def location(self, span: Span) -> lsp.Location:
        return lsp.Location(self.uri(span.source.name), self.range(self.lines(span.source), span.start, span.end))

    def uri(self, name: str, own: str = "") -> str:
        """The address of a file, in the spelling of the editor where it has it open; `own` is that of a file without a name."""
        if name == STDIN:
            return own
        opened = next((uri for uri, source in self.desk.open.items() if key(source.name) == key(name)), None)
        return opened or str(from_fs_path(os.path.abspath(name)))

    # What is found.

    def check(self) -> None:
        """Check all open files and tell what is new of them."""
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None
        self.desk.check()
        self.tell({uri: self.findings(uri) for uri in self.desk.looked})

    def findings(self, uri: str) -> dict[str, list[lsp.Diagnostic]]:
        """What came of an open file, by the addresses of the files that it is about."""
        looked = self.desk.looked[uri]
        result: dict[str, list[lsp.Diagnostic]] = {uri: []}
        if looked.complaint is not None:
            start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
            result[uri].append(lsp.Diagnostic(start, looked.complaint, severity=lsp.DiagnosticSeverity.Error, source="hetc"))
        for name, found in self.desk.found(uri).items():
            lines = self.lines(found[0].span.source)
            result[self.uri(name, uri)] = [self.diagnostic(each, lines, uri) for each in found]
        return result

    def diagnostic(self, each: Diagnostic, lines: Lines, uri: str) -> lsp.Diagnostic:
        help = f"\nhelp: {each.help}" if each.help else ""
        related = [lsp.DiagnosticRelatedInformation(
            lsp.Location(self.uri(label.span.source.name, uri), self.location(label.span).range), label.message) for label in each.related]
        return lsp.Diagnostic(
            self.range(lines, each.span.start, each.span.end), f"{each.message} [{each.code.name}]{help}",
            severity=SEVERITIES[each.level], code=each.code.code, source="hetc", related_information=related or None)

    def tell(self, said: dict[str, dict[str, list[lsp.Diagnostic]]]) -> None:
        """Publish what is new of each file, and that nothing is said any more of those that were spoken of."""
        for uri in sorted({*self.published, *(uri for about in said.values() for uri in about)}):
            found = [each for about in said.values() for each in about.get(uri, ())]
            unique = {(each.range.start.line, each.range.start.character, each.code, each.message): each for each in found}
            news = list(unique.values()), self.versions.get(uri)
            if self.published.get(uri) != news:
                self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, *news))
            self.published[uri] = news
            if not unique and uri not in self.versions:
                del self.published[uri]

    # Edits.

    def edits(self, edits: Iterable[Edit]) -> dict[str, list[lsp.TextEdit]]:
        changes: dict[str, list[lsp.TextEdit]] = {}
        for edit in edits:
            place = self.location(edit.span)
            changes.setdefault(place.uri, []).append(lsp.TextEdit(place.range, edit.text))
        return changes

    def whole(self, source: Source, text: str) -> list[lsp.TextEdit]:
        """The edit that puts a text in place of a file's."""
        return [] if text == source.text else [lsp.TextEdit(self.range(self.lines(source), 0, len(source.text)), text)]


@lru_cache(maxsize=32)
def lines_of(source: Source, encoding: str) -> Lines:
    """The lines of a text; many findings are about one."""
    return Lines(source.text, encoding)


def name_of(uri: str) -> str:
    """The path of a file; that of standard input for what has none."""
    return (to_fs_path(uri) or STDIN) if uri.startswith("file:") else STDIN


def serve(options: Options) -> int:
    """Answer an editor until it says goodbye; 0 if it did so in order. Standard output carries the protocol and nothing else."""
    output, sys.stdout = sys.stdout, sys.stderr
    server = Server(options)
    _texts(server)
    _questions(server)
    _actions(server)
    server.start_io(sys.stdin.buffer, output.buffer)
    return 0 if server.protocol._shutdown else 1


def _texts(server: Server) -> None:
    """What the editor tells of its files."""
    @server.feature(lsp.INITIALIZED)
    async def initialized(_: lsp.InitializedParams) -> None:
        asked = server.client_capabilities.workspace
        if asked and asked.did_change_watched_files and asked.did_change_watched_files.dynamic_registration:
            watch = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(WATCHED)])
            await server.client_register_capability_async(lsp.RegistrationParams(
                [lsp.Registration("hetc-watch", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, watch)]))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.take(params.text_document.uri, params.text_document.text, params.text_document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        for change in params.content_changes:
            server.take(params.text_document.uri, change.text, params.text_document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.desk.drop(params.text_document.uri)
        server.versions.pop(params.text_document.uri, None)
        server.check()

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: lsp.DidSaveTextDocumentParams) -> None:
        server.desk.forget()
        server.later()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def moved(_: lsp.DidChangeWatchedFilesParams) -> None:
        server.desk.forget()
        server.later()


def _questions(server: Server) -> None:
    """What the editor asks about a place or a file."""
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        looked = server.now(params.text_document.uri)
        found = hover(server.desk, looked, server.offset(looked.source, params.position)) if looked is not None else None
        if looked is None or found is None:
            return None
        return lsp.Hover(_markup(server, found.text), server.range(server.lines(looked.source), found.start, found.end))

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=list('<,=:["')))
    def completed(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        looked = server.now(params.text_document.uri)
        if looked is None:
            return []
        lines = server.lines(looked.source)
        found = complete.offers(server.desk, looked, lines.offset(params.position.line, params.position.character))
        return [lsp.CompletionItem(
            each.label, kind=KINDS[each.kind], documentation=_markup(server, each.doc) if each.doc else None,
            sort_text=f"{number:04}", filter_text=each.text, text_edit=lsp.TextEdit(server.range(lines, *each.word), each.text),
        ) for number, each in enumerate(found)]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outlined(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        looked = server.now(params.text_document.uri)
        if looked is None:
            return []
        lines = server.lines(looked.source)
        found = [(each, server.range(lines, each.span.start, each.span.end)) for each in symbols.outline(looked)]
        return [lsp.DocumentSymbol(each.name or "?", SYMBOLS[each.kind], at, at, each.detail) for each, at in found]

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def defined(params: lsp.DefinitionParams) -> lsp.Location | None:
        looked = server.now(params.text_document.uri)
        if looked is None:
            return None
        span = symbols.definition(server.desk, looked, server.offset(looked.source, params.position))
        return server.location(span) if span is not None else None


def _actions(server: Server) -> None:
    """What the editor asks to have done."""
    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, FIX_ALL]))
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        looked = server.now(uri)
        wanted = params.context.only or [lsp.CodeActionKind.QuickFix]
        result: list[lsp.CodeAction] = []
        if looked is not None and _wants(wanted, lsp.CodeActionKind.QuickFix.value):
            result.extend(_fixes(server, looked, uri, params.range))
        if looked is not None and _wants(wanted, FIX_ALL):
            edits = server.whole(looked.source, fix.fixed(looked.source, looked.report.sorted()).text)
            if edits:
                result.append(lsp.CodeAction("Make all fixes of hetc", FIX_ALL, edit=lsp.WorkspaceEdit({uri: edits})))
        return result

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        looked = server.now(params.text_document.uri)
        if looked is None or looked.kind not in (REQUEST, OVERLAY):
            return []
        text = formatter.formatted(looked.source, Report())
        return server.whole(looked.source, text) if text is not None else []


def _fixes(server: Server, looked: Looked, uri: str, asked: lsp.Range) -> Iterable[lsp.CodeAction]:
    """The fixes of what is found in a range."""
    lines = server.lines(looked.source)
    first, last = (lines.offset(at.line, at.character) for at in (asked.start, asked.end))
    for each in looked.report.sorted():
        span = each.span
        if each.fix is None or span.source.name != looked.source.name or span.end < first or last < span.start:
            continue
        title = each.fix.message[:1].upper() + each.fix.message[1:]
        yield lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, diagnostics=[server.diagnostic(each, lines, uri)], is_preferred=True,
                             edit=lsp.WorkspaceEdit(server.edits(each.fix.edits)))


def _wants(wanted: Iterable[lsp.CodeActionKind | str], kind: str) -> bool:
    """Whether an editor asks for a kind of action; asking for `source` is asking for `source.fixAll` too."""
    asked = [str(getattr(each, "value", each)) for each in wanted]
    return any(kind == each or kind.startswith(f"{each}.") or not each for each in asked)


def _markup(server: Server, text: str) -> lsp.MarkupContent:
    """Markdown for an editor that shows it, else the same text as it is, which reads well too."""
    asked = server.client_capabilities.text_document
    forms = asked.hover.content_format if asked and asked.hover and asked.hover.content_format else [lsp.MarkupKind.Markdown]
    kind = lsp.MarkupKind.Markdown if lsp.MarkupKind.Markdown in forms else lsp.MarkupKind.PlainText
    return lsp.MarkupContent(kind, text)
