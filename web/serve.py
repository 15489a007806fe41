"""Serving the pages: to this machine alone, or to the table."""
from __future__ import annotations

import io
import socket
import sys
from typing import TYPE_CHECKING, TextIO

import segno
from waitress import create_server  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from lookup.answer import Desk

LOOPBACK, EVERY = "127.0.0.1", "0.0.0.0"
NEIGHBOURS = ("192.0.2.1", "10.255.255.255", "192.168.0.255", "192.168.1.255", "192.168.43.255", "172.20.10.15", "172.16.0.255", "169.254.255.255")
"""Addresses to which a way is looked up, never used: one beyond every router, then usual home and telephone networks."""


class CannotServe(Exception):
    """The server cannot start; says is one clear line."""

    def __init__(self, says: str) -> None:
        super().__init__(says)
        self.says = says


def serve(host: str = LOOPBACK, port: int = 8000, lan: bool = False, desk: Desk | None = None, out: TextIO | None = None) -> None:
    """Serves the pages until interrupted.  With lan to every device on the network, whose address and QR code it prints first.

    Raises CannotServe where the address cannot be had, BadBook where the knowledge does not hold together.
    """
    from . import create_app
    out = out or sys.stdout
    if lan:
        host = EVERY
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as e:
        raise CannotServe(f"cannot serve at {host}:{port}: {getattr(e, 'strerror', None) or e}") from None
    with listening:
        server = create_server(create_app(desk), sockets=[listening], threads=4, ident="lawspeaker")
        try:
            announce(host, int(listening.getsockname()[1]), lan, out)
            server.run()
        finally:
            server.close()


def announce(host: str, port: int, lan: bool, out: TextIO) -> None:
    """Prints where the pages can be opened."""
    print(f"Lawspeaker: http://{LOOPBACK if host == EVERY else f'[{host}]' if ':' in host else host}:{port}/", file=out)
    if lan:
        address = lan_address()
        if address is None:
            print("No network was found: phones can open it once this machine is on one, at this machine's address.", file=out)
        else:
            url = f"http://{address}:{port}/"
            print(f"Phones on the same network: {url}\n{code(url, out)}", file=out)
    print("Ctrl-C ends it.", file=out, flush=True)


def code(url: str, out: TextIO) -> str:
    """A QR code in half blocks, or in spaces of two colours where the output has no such letters."""
    drawn = io.StringIO()
    try:
        "\N{UPPER HALF BLOCK}\N{FULL BLOCK}".encode(getattr(out, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        segno.make(url, error="l").terminal(drawn, border=2)
    else:
        segno.make(url, error="l").terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")


def lan_address() -> str | None:
    """This machine's address on its network, or None.  A UDP socket is bound to a way and nothing is sent."""
    for far in NEIGHBOURS:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((far, 9))
            except OSError:
                continue
            address = str(probe.getsockname()[0])
        if not address.startswith("127.") and address != EVERY:
            return address
    return None


__all__ = ["CannotServe", "lan_address", "serve"]
