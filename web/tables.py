"""The pages that show what stands where: the readings with what each changes, the coverage of the rules, and what is not played."""
from __future__ import annotations

from collections import Counter

from flask import Flask, render_template
from werkzeug.exceptions import NotFound

from lookup.answer import Desk
from lookup.coverage import Coverage, Row


class Tables:
    """The tables of one desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.coverage = desk, Coverage(desk.book)

    def add(self, app: Flask) -> None:
        """Puts them into an application."""
        app.add_url_rule("/readings", "readings", self.readings)
        app.add_url_rule("/readings/<name>", "reading", self.reading)
        app.add_url_rule("/coverage", "coverage", self.covered)

    def readings(self) -> str:
        """Every reading: what is asked of the sources, and how it is taken."""
        book = self.desk.book
        named = sorted(book.readings, key=lambda name: (book.page_of(book.readings[name][0]).title, name))
        groups: dict[str, list[tuple[str, str, int]]] = {}
        for name in named:
            ids = book.readings[name]
            groups.setdefault(book.page_of(ids[0]).title, []).append((name, book.clauses[book.choice(name)].text if book.based(name) else "", len(ids)))
        return render_template("readings.html", groups=groups, count=len(named), title="Open readings")

    def reading(self, name: str) -> str:
        """One reading: each side with its argument, and the claims of shipped positions that it changes."""
        if name not in self.desk.book.readings:
            raise NotFound
        return render_template("reading.html", r=self.coverage.reading(name), title="A reading")

    def covered(self) -> str:
        """Every clause with its passages, its place in code or its mark, and how many positions meet it."""
        groups: dict[str, list[Row]] = {}
        rows = self.coverage.rows()
        for row in rows:
            groups.setdefault(self.desk.book.page_of(row.id).title, []).append(row)
        marks, tiers = Counter(row.mark or "coded" for row in rows), Counter(row.tier for row in rows)
        return render_template("coverage.html", groups=groups, marks=marks, tiers=tiers, title="Coverage")


__all__ = ["Tables"]
