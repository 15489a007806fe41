"""Earth: the marriages of its Queens, its heroquests, and Pacifism."""
from typing import Any

from knowledge.core.battle import STILL, all_over, before_rolling, pre_battle
from knowledge.core.board import OUT_OF_TURN, class_of, classes_of, everybody, is_building, is_player, known_class
from knowledge.core.buildings import ZIGGURAT, stands
from knowledge.core.effects import PEN, RUNES, gain, take_over
from knowledge.core.gifts import active, aimed
from knowledge.core.map import is_surface
from knowledge.core.phases import TOLD, council_phase, in_pool, summoned
from knowledge.core.quests import finish, fulfilled, is_done
from lookup.engine.clause import SILENT, Question, Said, YesNo, action, every_action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece

EARTH, QUEEN, TITAN, PACIFISM = "Earth", "Earth Queen", "Titan", "Pacifism"
MARRIED, AT_STAKE, USED = "married", "at stake in this battle", "Pacifism used"
UNITS_PART, BATTLE_PART, GODS_PART, ZIGGURAT_PART = "Three Units Each", "Battle Survived", "Two Players with Greater Gods", "Ziggurat of Earth"
FIRST_TITAN, SECOND_TITAN = "First Titan", "Second Titan"
TITAN_RUNES = "earth.heroquests.9"


def weds(g: Play, player: str, piece: Piece, area: str) -> bool:
    """Whether Earth has summoned a Queen in the colour of another empire."""
    return player == EARTH and piece.kind == QUEEN and piece.mark("colour") not in (None, EARTH)


@summoned.at("earth.marriage.1", when=weds)
def marries(g: Play, player: str, piece: Piece, area: str) -> None:
    """An Earth Queen that Earth summons marries the empire of her colour."""
    husband = piece.mark("colour") or ""
    g.state = g.state.flagged(MARRIED, husband)
    g.did("married", f"The {QUEEN} marries {husband}", piece, 1, area)
    controls(g, piece, area, husband)


@part("earth.marriage.4")
def controls(g: Play, queen: Piece, area: str, husband: str) -> None:
    """The empire that an Earth Queen has married controls her."""
    take_over(g, area, queen, 1, husband, area)


def wives(g: Play) -> list[str]:
    """The husbands of the married Queens that are in play, each as often as he has one."""
    there = [p for a, p, n in g.state.pieces for _ in range(n) if p.kind == QUEEN and (a in g.state.board.places or a == PEN)]
    return [p.mark("colour") or "" for p in there if p.owner == p.mark("colour") or (MARRIED, p.mark("colour")) in g.state.flags]


def earth_has_wed(g: Play, player: str) -> bool:
    """Whether it is the Council Phase of Earth and a Queen is married."""
    return player == EARTH and bool(wives(g))


@council_phase.at("earth.marriage.2", when=earth_has_wed)
def one_for_each(g: Play, player: str) -> None:
    """In the Council Phase Earth gains 1 Power for each married Earth Queen in play."""
    gain(g, EARTH, len(wives(g)))


def is_husband(g: Play, player: str) -> bool:
    """Whether it is the Council Phase of an empire married to a Queen in play."""
    return player in wives(g)


@council_phase.at("earth.marriage.3", when=is_husband)
def one_for_him(g: Play, player: str) -> None:
    """In the Council Phase each empire married to an Earth Queen in play gains 1 Power."""
    gain(g, player, 1)


may_summon: YesNo[[Piece, str]] = YesNo("earth.summons", "may {1} summon {0}?", "{1} may summon {0}", "{1} cannot summon {0}", presumed=True)


@every_action.forbids("earth.marriage.7")
def no_queen_for_him(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """Nobody summons an Earth Queen whom he may not."""
    if action != TOLD or args[1].kind != QUEEN:
        return SILENT
    player = str(args[0])
    return SILENT if all(may_summon(g, p, player) for p in in_pool(g, player, args[1])) else True


@may_summon.forbids("earth.marriage.6")
def not_yet_married(g: Play, queen: Piece, player: str) -> Said[bool]:
    """Only Earth summons an Earth Queen who is not married."""
    return True if player != EARTH else SILENT


@may_summon.permits("earth.marriage.5", "earth.marriage.6")
def her_husband_may(g: Play, queen: Piece, player: str) -> Said[bool]:
    """The empire that an Earth Queen has married can summon her again."""
    return True if queen.owner == player == queen.mark("colour") else SILENT


@fulfilled.permits("earth.heroquests.2", of=(UNITS_PART,))
def three_each(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Earth: every player has 3 or more units on the map."""
    def many(p: str) -> int:
        return g.state.total(lambda piece: piece.owner == p and not is_building(piece), g.state.board.places)
    return True if all(many(p) >= 3 for p in everybody(g)) else SILENT


def titans(g: Play) -> int:
    """How many Titans of Earth are in play."""
    return g.state.total(lambda p: (p.kind, p.owner) == (TITAN, EARTH), (*g.state.board.places, PEN))


def has_a_stake(g: Play, area: str, one: str, other: str) -> bool:
    """Whether Earth fights a battle with its Ziggurat or a Titan in it."""
    mine = [p for p, _ in g.state.at(area) if p.owner == EARTH and p.kind in (ZIGGURAT, TITAN)]
    return EARTH in (one, other) and bool(mine) and not is_done(g, EARTH, BATTLE_PART)


@pre_battle.at("earth.heroquests.10", when=has_a_stake)
def stakes(g: Play, area: str, one: str, other: str) -> None:
    """Of a battle in which Earth has its Ziggurat or a Titan from the beginning, that one is a survivor which is not lost in it; a Titan may be routed."""
    here = sum(n for p, n in g.state.at(area) if (p.kind, p.owner) == (TITAN, EARTH))
    if here:
        g.state = g.state.flagged(AT_STAKE, TITAN, str(titans(g) - here))
    if any((p.kind, p.owner) == (ZIGGURAT, EARTH) for p, _ in g.state.at(area)):
        g.state = g.state.flagged(AT_STAKE, ZIGGURAT, area)


def had_a_stake(g: Play, area: str, one: str, other: str) -> bool:
    """Whether Earth had its Ziggurat or a Titan in the battle that is over."""
    return any(f[0] == AT_STAKE for f in g.state.flags)


@all_over.at("earth.heroquests.3", when=had_a_stake)
def survives(g: Play, area: str, one: str, other: str) -> None:
    """One heroquest part of Earth: its Ziggurat or a Titan survives a battle."""
    for flag in [f for f in g.state.flags if f[0] == AT_STAKE]:
        g.state = g.state.unflagged(*flag)
        lives = titans(g) > int(flag[2]) if flag[1] == TITAN else any((p.kind, p.owner) == (ZIGGURAT, EARTH) for p, _ in g.state.at(flag[2]))
        if lives:
            finish(g, EARTH, BATTLE_PART)


@fulfilled.permits("earth.heroquests.4", of=(GODS_PART,))
def gods_of_two(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Earth: two players have greater gods on the surface."""
    there = [p for a, p, _ in g.state.pieces if a in g.state.board.places and is_surface(g, a) and is_player(g, p.owner) and not is_building(p)]
    sure = {p.owner for p in there if known_class(g, p) == "greater god"}
    perhaps = [p for p in there if not known_class(g, p) and "greater god" in classes_of(g, p) and p.owner not in sure]
    if len(sure) >= 2:
        return True
    return True if len(sure | {p.owner for p in perhaps}) >= 2 and all(class_of(g, p) for p in perhaps) else SILENT


@fulfilled.permits("earth.heroquests.5", of=(ZIGGURAT_PART,))
def ziggurat_stands(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Earth: it places its Ziggurat."""
    return True if stands(g, ZIGGURAT, EARTH) else SILENT


def first_titan(g: Play, player: str, piece: Piece, area: str) -> bool:
    """Whether Earth has summoned a Titan, and none before."""
    return player == EARTH and piece.kind == TITAN and not is_done(g, EARTH, FIRST_TITAN)


def second_titan(g: Play, player: str, piece: Piece, area: str) -> bool:
    """Whether Earth has summoned a Titan, and one before."""
    return player == EARTH and piece.kind == TITAN and is_done(g, EARTH, FIRST_TITAN)


@summoned.at("earth.heroquests.6", when=first_titan)
def titan_comes(g: Play, player: str, piece: Piece, area: str) -> None:
    """One heroquest part of Earth: it has summoned its first Titan."""
    finish(g, EARTH, FIRST_TITAN, piece)


@summoned.at("earth.heroquests.7", when=second_titan)
def another_comes(g: Play, player: str, piece: Piece, area: str) -> None:
    """One heroquest part of Earth: it has summoned its second Titan."""
    finish(g, EARTH, SECOND_TITAN, piece)


runes_of: Question[[str], int] = Question("earth.runes", "how many runes does the heroquest {0} give Earth?")


@action(TITAN_RUNES, says="{player} takes the runes for the heroquest {quest:quests}", sort=OUT_OF_TURN)
def takes_runes(g: Play, player: str, quest: str) -> None:
    """The parts for the first and the second Titan each give Earth runes."""
    if player == EARTH and quest in (FIRST_TITAN, SECOND_TITAN) and is_done(g, EARTH, quest):
        gain(g, player, runes_of(g, quest), RUNES)
    else:
        g.did("no runes", f"No Titan's runes are due to {player}")


pacifies: YesNo[[str, str]] = YesNo("pacifism", "may Earth use Pacifism in a battle of {0} and {1}?", presumed=False)


def may_pacify(g: Play, area: str, one: str, other: str) -> bool:
    """Whether Earth can use Pacifism in this battle."""
    return active(g, PACIFISM, EARTH) and pacifies(g, one, other)


@before_rolling.at("earth.pacifism.1", when=may_pacify)
def one_side_rolls_nothing(g: Play, area: str, one: str, other: str) -> None:
    """With Pacifism, one side of a battle rolls 0 dice."""
    still = g.choose(EARTH, f"which side Pacifism keeps from rolling in {area}", ("neither", one, other))
    if still != "neither":
        aimed(g, PACIFISM, still)
        g.state = g.state.flagged(USED).flagged(STILL, still)
        g.did("pacified", f"{still} rolls 0 dice")


@pacifies.permits("earth.pacifism.4")
def in_its_own(g: Play, one: str, other: str) -> Said[bool]:
    """Earth may use Pacifism in a battle of its own."""
    return True if EARTH in (one, other) else SILENT


@pacifies.permits("earth.pacifism.2")
def in_those_of_others(g: Play, one: str, other: str) -> Said[bool]:
    """Earth may use Pacifism in a battle in which it takes no part."""
    return True if EARTH not in (one, other) else SILENT


@pacifies.forbids("earth.pacifism.3")
def once(g: Play, one: str, other: str) -> Said[bool]:
    """Pacifism works once."""
    return True if (USED,) in g.state.flags else SILENT
