"""The language server: what editors ask, answered from the language's own tables (pygls)."""

from __future__ import annotations

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from dsl import Diagnostic, ThreatError, format_text
from dsl.reading.spans import Span
from threatplan import __version__
from threatplan.language import completion, fixes, hover, lenses
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


@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]))
def mended(ls: LanguageServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Quick fixes: what a hint says was meant, where it was tried and helps."""
    document = ls.workspace.get_text_document(params.text_document.uri)
    lines = range(params.range.start.line + 1, params.range.end.line + 2)
    return [_action(ls, document, one) for one in fixes.fixes(document.source) if one.span.line in lines]


@server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=True))
def lensed(ls: LanguageServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    """A place above each scenario; the verdict is planned when the place is shown."""
    uri = params.text_document.uri
    found = lenses.lenses(ls.workspace.get_text_document(uri).source)
    return [lsp.CodeLens(_line(one.line), data={"uri": uri, "scenario": one.name}) for one in found]


@server.feature(lsp.CODE_LENS_RESOLVE)
def resolved(ls: Server, lens: lsp.CodeLens) -> lsp.CodeLens:
    """The verdict."""
    held = lens.data if isinstance(lens.data, dict) else {}
    text = ls.workspace.get_text_document(str(held.get("uri", ""))).source
    title = lenses.said(text, str(held.get("scenario", "")), ls.seconds)
    return lsp.CodeLens(lens.range, lsp.Command(title, ""), lens.data)


def _action(ls: LanguageServer, document: TextDocument, fix: fixes.Fix) -> lsp.CodeAction:
    edit = lsp.TextEdit(_range(ls, document, fix.span), fix.word)
    return lsp.CodeAction(
        fix.title, lsp.CodeActionKind.QuickFix, is_preferred=True, edit=lsp.WorkspaceEdit({document.uri: [edit]})
    )


def _line(line: int) -> lsp.Range:
    return lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0))


def _range(ls: LanguageServer, document: TextDocument, span: Span | None) -> lsp.Range:
    """A span as an editor counts it; the start of the document where there is none."""
    start = lsp.Position(span.line - 1, span.column - 1) if span else lsp.Position(0, 0)
    end = lsp.Position(span.end_line - 1, span.end_column - 1) if span else lsp.Position(0, 1)
    return ls.workspace.position_codec.range_to_client_units(document.lines, lsp.Range(start, end))


def _item(offer: completion.Offer) -> lsp.CompletionItem:
    kind = KINDS[offer.kind]
    return lsp.CompletionItem(offer.label, kind=kind, detail=offer.detail, insert_text=offer.text)


def _publish(ls: LanguageServer, uri: str) -> None:
    document = ls.workspace.get_text_document(uri)
    found = fixes.diagnostics(document.source, document.filename or "<editor>")
    shown = [_diagnostic(ls, document, one) for one in found]
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, shown, version=document.version))


def _diagnostic(ls: LanguageServer, document: TextDocument, one: Diagnostic) -> lsp.Diagnostic:
    place = _range(ls, document, one.span)
    message = f"{one.message}\n{one.hint}" if one.hint else one.message
    return lsp.Diagnostic(place, message, SEVERITIES[one.severity], one.code, source="threatplan")


def _place(ls: LanguageServer, document: TextDocument, position: lsp.Position) -> tuple[int, int]:
    """The line, and the column counted in characters, of an editor's position."""
    place = ls.workspace.position_codec.position_from_client_units(document.lines, position)
    return place.line, place.character
