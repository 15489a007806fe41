"""How fast odds are worked out: ratios measured in one run.

    python -m tests.bench [PATH OF THE PROTOTYPE]

The prototype (a sketch that plays every unit by name) stands beside the project in ../shared, or where its path says; without it its
ratios are left out, and that is said.
"""
from __future__ import annotations

import random
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import median
from textwrap import dedent
from time import perf_counter

from lookup import scenario
from lookup.book import load
from lookup.engine.clause import Rulebook
from lookup.engine.graph import Budget, Solver
from lookup.engine.play import Choose, Need, Roll, advance

BEST_OF = 5
PLAYS = 10_000
PROTOTYPE = Path(__file__).resolve().parents[2].parent / "shared" / "prototype"
MEMORY = 500
FIVE = """
from run import *
sides = [(Unit(f"{o} {k} {i}", k, o, combat=c), "Artmal") for o in ("Red", "Blue") for k, n, c in (("Hero", 2, 3), ("Minion", 3, 1)) for i in range(n)]
three = lambda s: sum(n.startswith("Blue") and h is Effect.KILL for n, h in s.gone) >= 3
def solved(): return odds(solve(st(("battle", ("Artmal", "Red", "Blue")), *sides), limit=10**7), three)
"""
FOUR = """
from run import *
board = (M, "Artmal"), *((Unit(f"Hero {i}", "Hero", "Red", combat=2), "Artmal") for i in range(4)), (S1, "Fonrit"), (S2, "Jolar")
def solved(): return odds(solve(st(("battle", ("Artmal", "Red", "")), *board)), dead)
"""
TIMED = """
from time import perf_counter
start = perf_counter(); found = solved(); print(perf_counter() - start, found[0], found[1])
"""


@dataclass(frozen=True)
class Row:
    """A figure: what was measured, the ratio or number found, what it should be, and whether it is."""

    what: str
    found: str
    wanted: str
    met: bool | None

    def __str__(self) -> str:
        return f"{'' if self.met is None else 'ok  ' if self.met else 'NOT '}{self.what}: {self.found} (wanted: {self.wanted})"


def battle(book: Rulebook, heroes: int, minions: int, combat: int, claim: str) -> scenario.Scenario:
    """Like sides in an area with two neighbours that border on each other, as in the prototype."""
    return scenario.of_text(book, dedent(f"""
        map: {{Area A: [Area B, Area C], Area B: [Area C]}}
        units:
          Area A:
            - {heroes} heroes (combat {combat}) of Red
            - {minions} minions (combat 1) of Red
            - {heroes} heroes (combat {combat}) of Blue
            - {minions} minions (combat 1) of Blue
        do: [Red battles Blue in Area A]
        claims: [{claim}]
    """), "bench")[0]


def hemmed_in(book: Rulebook) -> scenario.Scenario:
    """Four heroes of combat 2 against the Mother of Monsters, Spawn on every side."""
    return scenario.of_text(book, dedent("""
        map: {Area A: [Area B, Area C], Area B: [Area C]}
        units:
          Area A: [Mother of Monsters, 4 heroes (combat 2) of Sea]
          Area B: [Spawn]
          Area C: [Spawn]
        do: [Sea battles Mother of Monsters in Area A]
        claims: [Mother of Monsters is killed]
    """), "bench")[0]


def solve(book: Rulebook, position: scenario.Scenario) -> tuple[Fraction, Fraction]:
    """The bounds of its first claim, every base standing."""
    solver = Solver(book, [w.holds for w in position.wants], position.keeps, Budget(10**7, 600.0), watches=False)
    return solver.solve(position.state)[0][0]


def timed(run: Callable[[], tuple[Fraction, Fraction]]) -> tuple[float, tuple[Fraction, Fraction]]:
    """The median of some runs in seconds, and what they find."""
    times = []
    for _ in range(BEST_OF):
        start = perf_counter()
        found = run()
        times.append(perf_counter() - start)
    return median(times), found


def prototype(where: Path, code: str) -> tuple[float, tuple[Fraction, Fraction]] | None:
    """The prototype's seconds for a position, timed once, and what it finds; None where there is no prototype."""
    if not (where / "run.py").exists():
        return None
    told = subprocess.run([sys.executable, "-c", code + TIMED], cwd=where, capture_output=True, text=True, check=True).stdout.split()
    return float(told[0]), (Fraction(told[1]), Fraction(told[2]))


def at_random(book: Rulebook, position: scenario.Scenario, plays: int) -> float:
    """The seconds that so many plays with random answers take, by the same rule code."""
    start = perf_counter()
    for _ in range(plays):
        state = position.state
        while state.agenda:
            tape: tuple[object, ...] = ()
            while True:
                try:
                    state = advance(book, state, tape)
                    break
                except Need as need:
                    tape = (*tape, random.choice(need.ask.ways) if isinstance(need.ask, Choose) else thrown(need.ask))
    return perf_counter() - start


def thrown(roll: Roll) -> tuple[object, ...]:
    """Dice as they fall."""
    return tuple(random.choices([face for face, _ in roll.faces], [float(p) for _, p in roll.faces], k=roll.dice))


def rows(where: Path = PROTOTYPE, plays: int = PLAYS) -> list[Row]:
    """Every figure."""
    book, found = load(), []
    five = battle(book, 2, 3, 3, "Blue loses 3 or more units")
    for what, position, code, least, fraction in (
        ("5 against 5 with 9 dice a side", five, FIVE, 30, Fraction(898223, 5038848)),
        ("4 heroes against the hemmed-in Mother of Monsters", hemmed_in(book), FOUR, 10, Fraction(6305, 6561)),
    ):
        seconds, bounds = timed(lambda position=position: solve(book, position))  # type: ignore[misc]
        found.append(Row(f"{what}, odds", str(bounds[0]), str(fraction), bounds == (fraction, fraction)))
        other = prototype(where, code)
        if other is None:
            found.append(Row(f"{what}, times faster than the prototype", f"left out, there is no {where}", f"at least {least}", None))
        else:
            found.append(Row(f"{what}, the prototype finds the same", str(other[1] == bounds), "True", other[1] == bounds))
            found.append(Row(f"{what}, times faster than the prototype", f"{other[0] / seconds:.0f}", f"at least {least}", other[0] / seconds >= least))
    seconds, _ = timed(lambda: solve(book, five))
    by_chance = at_random(book, five, plays // 10) * 10
    found.append(Row("5 against 5, exact in so much of the time of 10,000 random plays", f"1/{by_chance / seconds:.0f}", "less than 1", seconds < by_chance))
    grown = [timed(lambda k=k: solve(book, battle(book, 2 * k, 4 * k, 2, "Blue loses 3 or more units")))[0] for k in (1, 2, 4)]  # type: ignore[misc]
    found.append(Row("16 dice a side, times the time of 8", f"{grown[1] / grown[0]:.1f}", "no figure", None))
    found.append(Row("32 dice a side, times the time of 8", f"{grown[2] / grown[0]:.1f}", "at most 64", grown[2] / grown[0] <= 64))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    found.append(Row("memory in MB", str(used), f"below {MEMORY}", used < MEMORY))
    return found


def main() -> int:
    """Prints the table; 1 where a figure is not met."""
    told = rows(Path(sys.argv[1]) if len(sys.argv) > 1 else PROTOTYPE)
    for row in told:
        print(row)
    return 1 if any(row.met is False for row in told) else 0


if __name__ == "__main__":
    sys.exit(main())
