"""The Mother of Monsters."""

from knowledge.core.actions import pay, price
from knowledge.core.battle import combat, fought
from knowledge.core.board import KILL, MOVE, ROUT, By, Cause, Effect, may_build, on_map, side_of, standing
from knowledge.core.effects import affects, killer, move, put
from knowledge.core.rout import Fate, may_go, stuck, ways_out
from knowledge.monsters.chaos_monsters import home
from lookup.engine.clause import SILENT, Question, Said, YesNo, action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece

MOTHER, SPAWN, ARTMAL = "Mother of Monsters", "Spawn", "Artmal Empire"
BIRTH = "mother-of-monsters.birth.1"
STUCK = ("rout.stuck.1", "rout.stuck.2", "rout.stuck.3")

birth_way: YesNo[[str, str]] = YesNo(
    "birth.way", "may Birth move the Mother of Monsters from {0} to {1}?", "Birth may move her to {1}", "Birth cannot move her to {1}",
)
from_hell: Question[[str], tuple[str, ...]] = Question("mother.from-hell", "where does the Mother of Monsters go from {0} when she leaves Hell?")


def spawn_in_play(g: Play) -> int:
    """How many Spawn stand on the map."""
    return g.state.total(lambda p: p.kind == SPAWN, g.state.board.places)


def holds_spawn(g: Play, area: str) -> bool:
    """Whether a Spawn stands in an area."""
    return area in on_map(g, SPAWN)


@home.default("mother-of-monsters.placement.2", of=(MOTHER,))
def in_artmal(g: Play, monster: str) -> Said[str]:
    """The Mother of Monsters is placed in the Artmal Empire when the Chaos Rift opens."""
    return ARTMAL if ARTMAL in g.state.board.places else SILENT


@may_build.forbids("mother-of-monsters.building.1")
def no_building_beside_her(g: Play, player: str, area: str) -> Said[bool]:
    """Nobody can build or upgrade a building in the area where the Mother of Monsters is."""
    return True if holds_mother(g, area) else SILENT


@killer.exception("mother-of-monsters.devastate-reward.2", "effects.credit.1", of=(MOTHER,))
def nobody_killed_her(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """When Devastate kills the Mother of Monsters, nobody gets the reward for her."""
    return SILENT if fought(g) else ""


@combat.exception("mother-of-monsters.combat.3", "battle.combat.1", of=(MOTHER,))
def as_many_as_spawn(g: Play, unit: Piece) -> Said[int]:
    """The Mother of Monsters' combat is the number of Spawn in play while there are any, and 6 while there are none."""
    return spawn_in_play(g) or SILENT


@combat.default("mother-of-monsters.combat.2", of=(SPAWN,))
def each_as_many(g: Play, unit: Piece) -> Said[int]:
    """Each Spawn has a combat equal to the number of Spawn in play: with 2 in play, each has 2."""
    return spawn_in_play(g)


@side_of.exception("mother-of-monsters.one-enemy.1", "battle.side.1", of=(SPAWN,))
def with_her_spawn(g: Play, unit: Piece, area: str) -> Said[str]:
    """The Mother of Monsters and Spawn in her area are one enemy: a battle against them is against all of them."""
    return MOTHER if holds_mother(g, area) and not unit.mark("side") else SILENT


@affects.forbids("mother-of-monsters.titanic.1", of=(MOTHER,))
def only_routs(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """Only routs affect the Mother of Monsters."""
    return True if effect is not ROUT else SILENT


@affects.exception("mother-of-monsters.titanic.6", "mother-of-monsters.titanic.1", of=(MOTHER,))
def her_own_moves_do(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """A Monster's own action can move the Mother of Monsters, though otherwise only routs affect her."""
    return True if effect is MOVE and cause.by is By.MONSTER else SILENT


@may_go.forbids("mother-of-monsters.titanic.2", of=(MOTHER,))
def not_onto_spawn(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A rout cannot send the Mother of Monsters onto Spawn."""
    return True if holds_spawn(g, to) else SILENT


@may_go.forbids("mother-of-monsters.titanic.4", of=(SPAWN,))
def not_onto_mother(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A rout cannot bring Spawn to where the Mother of Monsters is."""
    return True if holds_mother(g, to) else SILENT


@may_go.exception("mother-of-monsters.titanic.5", "rout.area.1", of=(SPAWN,))
def to_other_spawn(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A routed Spawn goes to where another Spawn stands."""
    others = other_spawn(g, here)
    return to in others if others else SILENT


def holds_mother(g: Play, area: str) -> bool:
    """Whether the Mother of Monsters is in an area."""
    return area in on_map(g, MOTHER)


def other_spawn(g: Play, here: str) -> list[str]:
    """The areas other than this one where Spawn stand without the Mother of Monsters."""
    return [a for a in on_map(g, SPAWN) if a != here and not holds_mother(g, a)]


@may_go.permits("mother-of-monsters.rout-ways.2", of=(MOTHER,))
def by_her_own_ways(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """Movement arrows and the free way out of Hell serve the Mother of Monsters when she is routed as they do in Birth."""
    return True if to in (*g.state.board.along(here), *out_of_hell(g, here)) else SILENT


def out_of_hell(g: Play, here: str) -> tuple[str, ...]:
    """The areas to which she may leave Hell from here; none when she is not in Hell."""
    return from_hell(g, here) if g.state.board.kind(here) == "hell" else ()


@from_hell.default("mother-of-monsters.from-hell.1")
def to_the_gates(g: Play, here: str) -> Said[tuple[str, ...]]:
    """The Mother of Monsters who leaves Hell goes to the Gates of Dawn."""
    return tuple(a for a in g.state.board.places if a == "Gates of Dawn")


@from_hell.default("mother-of-monsters.from-hell.2")
def to_the_surface(g: Play, here: str) -> Said[tuple[str, ...]]:
    """The Mother of Monsters who leaves Hell goes to any area of the surface."""
    return tuple(a for a in g.state.board.places if g.state.board.kind(a) in ("land", "sea", "special"))


@action(BIRTH, says="{player} uses Birth")
def birth(g: Play, player: str) -> None:
    """Any player may use Birth."""
    pay(g, BIRTH, player)
    for here, mother in standing(g, MOTHER):
        ways = birth_ways(g, here)
        if ways and move(g, here, mother, g.choose(player, "where Birth moves the Mother of Monsters", ways), 1, Cause(By.MONSTER, "Birth", player)):
            bear(g, here)


def birth_ways(g: Play, here: str) -> list[str]:
    """The areas to which Birth may move her."""
    return [a for a in g.state.board.places if a != here and birth_way(g, here, a)]


@birth_way.default("mother-of-monsters.birth.2")
def beside_her(g: Play, here: str, to: str) -> Said[bool]:
    """Birth moves the Mother of Monsters into an adjacent area without Spawn."""
    return to in g.state.board.beside(here) and not holds_spawn(g, to)


@birth_way.permits("mother-of-monsters.birth.3")
def along_arrows(g: Play, here: str, to: str) -> Said[bool]:
    """In Birth the Mother of Monsters may use movement arrows."""
    return True if to in g.state.board.along(here) and not holds_spawn(g, to) else SILENT


@birth_way.permits("mother-of-monsters.birth.4")
def freely_from_hell(g: Play, here: str, to: str) -> Said[bool]:
    """In Birth the Mother of Monsters leaves Hell freely."""
    return True if to in out_of_hell(g, here) and not holds_spawn(g, to) else SILENT


@birth.forbids("mother-of-monsters.birth.5")
def hemmed_in(g: Play, player: str) -> Said[bool]:
    """Birth cannot be used while each area adjacent to the Mother of Monsters holds Spawn."""
    return True if any(not birth_ways(g, here) for here in on_map(g, MOTHER)) else SILENT


@birth.forbids("mother-of-monsters.birth.9")
def needs_the_mother(g: Play, player: str) -> Said[bool]:
    """Birth cannot be used while the Mother of Monsters is not on the map."""
    return SILENT if on_map(g, MOTHER) else True


@birth.forbids("mother-of-monsters.birth-ways.2")
def hemmed_in_by_borders(g: Play, player: str) -> Said[bool]:
    """Birth is barred while every area that borders on hers holds Spawn, even if an arrow or the way out of Hell leads to a free area."""
    return True if any(all(holds_spawn(g, a) for a in g.state.board.beside(here)) for here in on_map(g, MOTHER)) else SILENT


@part("mother-of-monsters.birth.6")
def bear(g: Play, here: str) -> None:
    """After the move of Birth a new Spawn is placed where the Mother of Monsters was."""
    put(g, here, Piece(SPAWN))


@price.default("mother-of-monsters.birth.7", of=(BIRTH,))
def free_at_first(g: Play, action: str, player: str) -> Said[int]:
    """Birth costs 0 Power while there are 0, 1 or 2 Spawn in play."""
    return 0 if spawn_in_play(g) <= 2 else SILENT


@price.default("mother-of-monsters.birth.8", of=(BIRTH,))
def one_with_three(g: Play, action: str, player: str) -> Said[int]:
    """Birth costs 1 Power while there are 3 or more Spawn in play."""
    return 1 if spawn_in_play(g) >= 3 else SILENT


@stuck.exception("mother-of-monsters.killing.1", *STUCK, of=(MOTHER,))
def killed_by_a_rout(g: Play, unit: Piece, here: str, cause: Cause) -> Said[Fate]:
    """A rout that Spawn leave nowhere to end kills the Mother of Monsters."""
    return Fate.KILLED if spawn_bar(g, unit, here, cause) else SILENT


def spawn_bar(g: Play, unit: Piece, here: str, cause: Cause) -> bool:
    """Whether she would have somewhere to go if there were no Spawn elsewhere."""
    return any(holds_spawn(g, a) for a in g.state.board.places if a != here) and bool(ways_out(without_spawn(g, here), unit, here, cause))


def without_spawn(g: Play, here: str) -> Play:
    """The play as it would be without Spawn elsewhere; what is asked there counts as asked here."""
    apart = Play(g.book, g.state.without(lambda p: p.kind == SPAWN, here))
    apart.readings, apart.spoke, apart.undeclared, apart.overruled = g.readings, g.spoke, g.undeclared, g.overruled
    return apart


@affects.exception("mother-of-monsters.killing.3", "mother-of-monsters.titanic.1", of=(MOTHER,))
def that_death_does(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """A death that comes of a rout with no way out affects the Mother of Monsters, though otherwise only routs do."""
    return True if effect is KILL and cause.by is By.NO_WAY_OUT else SILENT


@stuck.exception("mother-of-monsters.no-way-out.1", *STUCK, of=(MOTHER,))
def stays(g: Play, unit: Piece, here: str, cause: Cause) -> Said[Fate]:
    """The Mother of Monsters stays where she is, alive, when she is routed and it is not Spawn that leave her no way out."""
    return SILENT if spawn_bar(g, unit, here, cause) else Fate.STAYS


@stuck.exception("mother-of-monsters.no-way-out.2", *STUCK, of=(MOTHER,))
def killed_anyhow(g: Play, unit: Piece, here: str, cause: Cause) -> Said[Fate]:
    """The Mother of Monsters is killed whenever she is routed and has no way out, whatever the cause."""
    return SILENT if spawn_bar(g, unit, here, cause) else Fate.KILLED
