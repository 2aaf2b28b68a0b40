"""The language server: what editors ask, answered from the language's own tables (pygls)."""

from __future__ import annotations

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from dsl import Diagnostic, ThreatError, check, format_text
from threatplan import __version__
from threatplan.language import completion, hover
from threatplan.language.pending import Pending

KINDS = {
    "field": lsp.CompletionItemKind.Property,
    "value": lsp.CompletionItemKind.Value,
    "keyword": lsp.CompletionItemKind.Keyword,
}
SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


class Server(LanguageServer):
    """The server, with the checks that are due and how long a hover may take."""

    seconds = hover.SECONDS

    def __init__(self) -> None:
        super().__init__("threatplan", __version__)
        self.pending = Pending(lambda uri: _publish(self, uri))


server = Server()


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    """Check a document that was opened."""
    ls.pending.now(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    """Check a document as it is typed: only the newest text, once there is a pause."""
    ls.pending.changed(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    """Forget what was said about a document."""
    ls.pending.forget(params.text_document.uri)
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hovered(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """A field's documentation; on a scenario's name its verdict."""
    document = ls.workspace.get_text_document(params.text_document.uri)
    about = hover.hover(document.source, *_place(ls, document, params.position), ls.seconds)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, about)) if about else None


@server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[" ", "="]))
def completed(ls: LanguageServer, params: lsp.CompletionParams) -> lsp.CompletionList:
    """The words that fit."""
    document = ls.workspace.get_text_document(params.text_document.uri)
    offers = completion.complete(document.source, *_place(ls, document, params.position))
    items = [_item(one) for one in offers]
    return lsp.CompletionList(is_incomplete=False, items=items)


@server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
def formatted(ls: LanguageServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """The canonical form; nothing while the text cannot be read."""
    document = ls.workspace.get_text_document(params.text_document.uri)
    try:
        after = format_text(document.source)
    except ThreatError:
        return []
    if after == document.source:
        return []
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(document.lines) + 1, 0))
    return [lsp.TextEdit(whole, after)]


def _item(offer: completion.Offer) -> lsp.CompletionItem:
    kind = KINDS[offer.kind]
    return lsp.CompletionItem(offer.label, kind=kind, detail=offer.detail, insert_text=offer.text)


def _publish(ls: LanguageServer, uri: str) -> None:
    document = ls.workspace.get_text_document(uri)
    try:
        found = check(document.source, document.filename or "<editor>").warnings
    except ThreatError as error:
        found = error.diagnostics
    shown = [_diagnostic(ls, document, one) for one in found]
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, shown, version=document.version))


def _diagnostic(ls: LanguageServer, document: TextDocument, one: Diagnostic) -> lsp.Diagnostic:
    span = one.span
    start = lsp.Position(span.line - 1, span.column - 1) if span else lsp.Position(0, 0)
    end = lsp.Position(span.end_line - 1, span.end_column - 1) if span else lsp.Position(0, 1)
    place = ls.workspace.position_codec.range_to_client_units(document.lines, lsp.Range(start, end))
    message = f"{one.message}\n{one.hint}" if one.hint else one.message
    return lsp.Diagnostic(place, message, SEVERITIES[one.severity], one.code, source="threatplan")


def _place(ls: LanguageServer, document: TextDocument, position: lsp.Position) -> tuple[int, int]:
    """The line, and the column counted in characters, of an editor's position."""
    place = ls.workspace.position_codec.position_from_client_units(document.lines, position)
    return place.line, place.character
