"""Luathans."""
from enum import StrEnum

from knowledge.core.actions import pay, price
from knowledge.core.board import By, Cause, Effect, is_neutral_race, units, units_of
from knowledge.core.effects import affects, eliminate, give_back, kill
from knowledge.core.rout import Instead, group_of, instead, rout, sender
from lookup.engine.clause import SILENT, Question, Said, action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece

LUATHAN = "Luathan"
DEVASTATE = "luathans.devastate.1"


class Loss(StrEnum):
    """What the Luathan that Devastate costs counts as."""

    ELIMINATED = "eliminated"
    KILLED = "killed"
    PRICE = "given back"


loss: Question[[str], Loss] = Question("devastate.loss", "what does the {0} that Devastate costs count as?")


@action(DEVASTATE, says="{player} devastates {area}")
def devastate(g: Play, player: str, area: str) -> None:
    """A player with a Luathan in an area may devastate that area."""
    pay(g, DEVASTATE, player)
    lose_one(g, player, area)
    rout_rest(g, player, area)


@price.exception("luathans.devastate.6", "actions.pay.2", of=(DEVASTATE,))
def for_one(g: Play, action: str, player: str) -> Said[int]:
    """Devastate is used as an action and costs 1 Power."""
    return 1


@devastate.forbids("luathans.devastate.18")
def needs_a_luathan(g: Play, player: str, area: str) -> Said[bool]:
    """Devastate cannot be used in an area where no Luathan stands."""
    return SILENT if any(p.kind == LUATHAN for p, _ in g.state.at(area)) else True


@part("luathans.devastate.2")
def lose_one(g: Play, player: str, area: str) -> None:
    """Devastate costs its player one Luathan from the area, even where two stand."""
    mine, cause = [p for p, _ in units_of(g, player, area) if p.kind == LUATHAN], Cause(By.COST, "Devastate", player)
    if not mine:
        return
    one = g.choose(player, "which Luathan Devastate costs", mine)
    match loss(g, LUATHAN):
        case Loss.ELIMINATED:
            eliminate(g, area, one, 1, cause)
        case Loss.KILLED:
            kill(g, area, one, 1, cause)
        case Loss.PRICE:
            give_back(g, area, one, 1)


@loss.default("luathans.devastate.13")
def is_eliminated(g: Play, kind: str) -> Said[Loss]:
    """The Luathan that Devastate costs is eliminated and not killed."""
    return Loss.ELIMINATED


@loss.default("luathans.devastate.14")
def is_killed(g: Play, kind: str) -> Said[Loss]:
    """The Luathan that Devastate costs is killed."""
    return Loss.KILLED


@loss.default("luathans.devastate.15")
def is_a_price(g: Play, kind: str) -> Said[Loss]:
    """The Luathan that Devastate costs goes back to the pool as a price and is neither killed nor eliminated."""
    return Loss.PRICE


@part("luathans.devastate.3")
def rout_rest(g: Play, player: str, area: str) -> None:
    """Every unit left in the area that Devastate strikes routs, a second Luathan included."""
    rout(g, area, units(g, area), Cause(By.ABILITY, "Devastate", player))


@affects.exception("luathans.devastate.8", "setup.neutral.5")
def neutrals_too(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """Units of a neutral Elder Race in the area that Devastate strikes rout like all others."""
    return True if cause.name == "Devastate" and is_neutral_race(g, unit) else SILENT


@sender.exception("luathans.devastate.9", "rout.sender.1", "rout.sender.2")
def devastator_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """The player who devastates picks the areas to which units are routed, those of other players included."""
    return cause.side if cause.name == "Devastate" else SILENT


@sender.exception("luathans.devastate.10", "rout.sender.1", "rout.sender.2")
def owners_send(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """Each player picks where his own units that Devastate routs go, and the player who devastates picks for units without an owner."""
    return unit.owner or cause.side if cause.name == "Devastate" else SILENT


@group_of.exception("luathans.devastate.12", "rout.group.1", "rout.group.2")
def all_at_once(g: Play, unit: Piece, here: str, cause: Cause) -> Said[str]:
    """All units that Devastate routs go to one area together."""
    return "" if cause.name == "Devastate" else SILENT


@instead.exception("luathans.devastate.17", "moon.enslavement.1")
def no_slaves_by_devastate(g: Play, unit: Piece, cause: Cause) -> Said[Instead]:
    """Enslavement takes no unit that Moon routs by Devastate."""
    return Instead.LEAVES if cause.name == "Devastate" else SILENT
