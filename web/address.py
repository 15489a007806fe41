"""What stands in an address beside the path: a question, and the clauses struck out."""
from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from flask import request


def without() -> tuple[str, ...]:
    """The clauses that the address strikes out, each once."""
    return tuple(dict.fromkeys(id.strip() for id in request.args.getlist("without") if id.strip()))


def with_query(path: str, struck: Sequence[str], **more: str) -> str:
    """An address with a question and clauses struck out."""
    query = urlencode([*more.items(), *(("without", id) for id in struck)])
    return f"{path}?{query}" if query else path


__all__ = ["with_query", "without"]
