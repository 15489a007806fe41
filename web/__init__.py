"""The face: pages for a phone at the table, readable without JavaScript."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flask import Flask, Response

if TYPE_CHECKING:
    from lookup.answer import Desk

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; "
                               "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


def create_app(desk: Desk | None = None) -> Flask:
    """The application, answering from a desk; without one it opens that of the knowledge package.  Raises BadBook."""
    from lookup.answer import Desk as AnyDesk

    from . import pages
    app = Flask(__name__)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 3600
    pages.add(app, AnyDesk.open() if desk is None else desk)
    app.after_request(guarded)
    return app


def guarded(response: Response) -> Response:
    """The response with the headers that let nothing foreign in."""
    response.headers.update(HEADERS)
    if response.mimetype == "text/html":
        response.headers.setdefault("Cache-Control", "no-cache")
    return response


__all__ = ["create_app"]
