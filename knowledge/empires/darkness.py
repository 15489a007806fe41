"""Darkness: Hellborn, Nocturnal, its heroquests with the collection, the Castle of Lead, the Black Market and Fear."""
from knowledge.core.battle import fought
from knowledge.core.board import (
    ELIMINATE,
    KILL,
    OUT_OF_TURN,
    REMOVE,
    VOCABULARY,
    By,
    Cause,
    Effect,
    class_of,
    everybody,
    in_the_game,
    is_player,
    known_class,
    may_build,
    race_of,
    side,
)
from knowledge.core.buildings import ZIGGURAT, built, may_conquer, meets, stands
from knowledge.core.effects import DESTROYED, PEN, RUNES, fallen, gain, give_back, killer, left_map, plain, pool, spend
from knowledge.core.gifts import active, aimed
from knowledge.core.map import asks_leave, from_hell, is_surface
from knowledge.core.phases import power_phase, summoned
from knowledge.core.quests import completed, finish, fulfilled, gifts_due, is_done
from knowledge.core.rounds import FIRST_ROUND
from knowledge.core.rout import group_of, may_go, sender
from lookup.engine.clause import SILENT, Said, YesNo, action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece

DARKNESS, CASTLE, COLLECTION = "Darkness", "Castle of Lead", "collection of Darkness"
MARKET, RETURN = "darkness.black-market.1", "darkness.heroquests.6"
CLASSES_PART, MOTHER_PART, COLLECTION_PART = "Unit of Each Class", "Summoned Hellmother", "Collection of Every Enemy"
LOSS_PART, RETURN_PART, ZIGGURAT_PART = "Unit Lost in Battle", "Collection Given Back", "Ziggurat of Darkness"

hellborn: YesNo[[str]] = YesNo("hellborn", "may units of {0} leave Hell by Hellborn now?", presumed=True)


@hellborn.forbids("darkness.hellborn.3")
def not_at_first(g: Play, player: str) -> Said[bool]:
    """Darkness may not leave Hell by Hellborn before the second Action Phase."""
    return True if (FIRST_ROUND,) in g.state.flags else SILENT


@asks_leave.forbids("darkness.hellborn.1")
def its_own(g: Play, unit: Piece) -> Said[bool]:
    """Units of Darkness leave Hell without permission."""
    return True if unit.owner == DARKNESS and not race_of(g, unit) and hellborn(g, DARKNESS) else SILENT


@asks_leave.forbids("darkness.hellborn.4")
def its_ally_too(g: Play, unit: Piece) -> Said[bool]:
    """Elder Race units allied with Darkness leave Hell as freely as its own units do."""
    return True if unit.owner == DARKNESS and race_of(g, unit) and hellborn(g, DARKNESS) else SILENT


@from_hell.permits("darkness.hellborn.2")
def anywhere(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """A unit of Darkness that leaves Hell may go to any area of the surface."""
    return True if unit.owner == DARKNESS and is_surface(g, to) and hellborn(g, DARKNESS) else SILENT


@may_build.forbids("darkness.nocturnal.1", of=(DARKNESS,))
def not_by_day(g: Play, player: str, area: str) -> Said[bool]:
    """Darkness may not build in the Skydome, on the Moon or on the Spike."""
    return True if g.state.board.kind(area) in ("sky", "moon") or area == "Spike" else SILENT


@meets.forbids("darkness.ancestor-worship.1", of=(CASTLE,))
def needs_ancestor_worship(g: Play, kind: str, player: str, area: str) -> Said[bool]:
    """Ancestor Worship lets Darkness build the Castle of Lead."""
    return SILENT if player == DARKNESS and active(g, "Ancestor Worship", player) else True


@may_conquer.forbids("darkness.nocturnal.2", of=(DARKNESS,))
def nor_conquer(g: Play, player: str, area: str) -> Said[bool]:
    """Darkness may not conquer a building in the Skydome, on the Moon or on the Spike."""
    return True if g.state.board.kind(area) in ("sky", "moon") or area == "Spike" else SILENT


@may_go.permits("darkness.fear.1")
def to_any_area(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """With Fear Darkness sends the enemies that it routed, as one group, to any area."""
    return True if cause.by is By.BATTLE and cause.side == DARKNESS and active(g, "Fear", DARKNESS) else SILENT


@sender.exception("darkness.fear.2", "rout.sender.1", "rout.sender.2")
def darkness_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """It is Darkness that picks the area to which Fear sends the routed."""
    return DARKNESS if cause.by is By.BATTLE and cause.side == DARKNESS and active(g, "Fear", DARKNESS) else SILENT


@group_of.exception("darkness.fear.3", "rout.group.1", "rout.group.2")
def together(g: Play, unit: Piece, here: str, cause: Cause) -> Said[str]:
    """The units that Fear sends stay together, whatever holds for other routs."""
    return side(g, unit, here) if cause.by is By.BATTLE and cause.side == DARKNESS and active(g, "Fear", DARKNESS) else SILENT


@fulfilled.permits("darkness.heroquests.2", of=(CLASSES_PART,))
def one_of_each(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Darkness: it has a unit of each class in play, mortal minion, mortal hero, lesser god and greater god."""
    places = {*g.state.board.places, PEN}
    mine = [p for a, p, _ in g.state.pieces if a in places and p.owner == DARKNESS and p.kind not in VOCABULARY.buildings]
    if set(VOCABULARY.classes) <= {known_class(g, p) for p in mine}:
        return True
    lacking = len(set(VOCABULARY.classes) - {known_class(g, p) for p in mine})
    unknown = [p for p in mine if not known_class(g, p)]
    return True if len(unknown) >= lacking and all(class_of(g, p) for p in unknown) else SILENT


def mother_comes(g: Play, player: str, piece: Piece, area: str) -> bool:
    """Whether Darkness has summoned the Hellmother."""
    return player == DARKNESS and piece.kind == "Hellmother"


@summoned.at("darkness.heroquests.3", when=mother_comes)
def summons_her(g: Play, player: str, piece: Piece, area: str) -> None:
    """One heroquest part of Darkness: it summons the Hellmother."""
    finish(g, DARKNESS, MOTHER_PART, piece)


collects: YesNo[[str]] = YesNo("darkness.collects", "does Darkness collect what {0} has killed or destroyed?", presumed=True)


@collects.forbids("darkness.collection.3")
def only_its_own(g: Play, by: str) -> Said[bool]:
    """Darkness collects only what it has itself killed or destroyed."""
    return True if by != DARKNESS else SILENT


def enemies(g: Play) -> list[str]:
    """The empires that Darkness plays against."""
    return [p for p in everybody(g) if p != DARKNESS]


def lacks(g: Play, foe: str) -> bool:
    """Whether Darkness is in the game, and its collection holds nothing of an enemy empire."""
    return is_player(g, foe) and foe != DARKNESS and in_the_game(g, DARKNESS) and not any(p.owner == foe for p, _ in g.state.at(COLLECTION))


def whole(g: Play) -> bool:
    """Whether the collection holds something of each enemy empire."""
    return bool(enemies(g)) and not any(lacks(g, foe) for foe in enemies(g))


def takes(g: Play, piece: Piece) -> None:
    """Puts a piece that has gone to its owner's pool in the collection of Darkness."""
    g.state = g.state.put(pool(piece.owner), piece, -1).put(COLLECTION, piece, 1)
    g.did("collected", f"{g.name(piece)} goes to the {COLLECTION}", piece, 1, pool(piece.owner), COLLECTION)
    complete(g)


@part("darkness.heroquests.4")
def complete(g: Play) -> None:
    """One heroquest part of Darkness: it has collected one killed unit or destroyed building of each enemy empire."""
    if whole(g):
        finish(g, DARKNESS, COLLECTION_PART)


def killed_for_it(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
    """Whether a killed unit may go into the collection."""
    return effect is KILL and lacks(g, unit.owner) and g.state.count(pool(unit.owner), plain(unit)) > 0 and collects(g, killer(g, unit, cause))


@left_map.at("darkness.collection.1", when=killed_for_it)
def collects_a_unit(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """A unit of an enemy empire that is killed goes into the collection of Darkness, as long as that holds nothing of this empire."""
    takes(g, plain(unit))


def destroyed_for_it(g: Play, building: Piece, place: str, by: str, how: str) -> bool:
    """Whether a destroyed building may go into the collection."""
    return how == DESTROYED and lacks(g, building.owner) and collects(g, by)


@fallen.at("darkness.collection.2", when=destroyed_for_it)
def collects_a_building(g: Play, building: Piece, place: str, by: str, how: str) -> None:
    """A building of an enemy empire that is destroyed goes into the collection of Darkness, as long as that holds nothing of this empire."""
    takes(g, building)


def lost_in_battle(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
    """Whether Darkness loses a unit in a battle of its own."""
    battle = fought(g)
    return battle is not None and DARKNESS in battle[1:3] and unit.owner == DARKNESS and effect in (KILL, ELIMINATE, REMOVE)


@left_map.at("darkness.heroquests.5", when=lost_in_battle)
def loses_one(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """One heroquest part of Darkness: it loses a unit in battle."""
    finish(g, DARKNESS, LOSS_PART, unit)


@action(RETURN, says="{player} gives back its collection", sort=OUT_OF_TURN)
def gives_back(g: Play, player: str) -> None:
    """One heroquest part of Darkness: it gives back its collection."""
    return_pieces(g)
    finish(g, DARKNESS, RETURN_PART)


@gives_back.forbids("darkness.collection.5")
def only_a_whole_one(g: Play, player: str) -> Said[bool]:
    """The collection is given back when it holds something of each enemy empire, and not before."""
    return SILENT if player == DARKNESS and whole(g) and not is_done(g, DARKNESS, RETURN_PART) else True


@part("darkness.collection.6")
def return_pieces(g: Play) -> None:
    """What Darkness gives back goes to its owners' pools."""
    for piece, n in g.state.at(COLLECTION, lambda p: bool(p.owner)):
        give_back(g, COLLECTION, piece, n)


@gifts_due.exception("darkness.heroquests.8", "gifts.fragment.6", of=(RETURN_PART,))
def two_gifts(g: Play, quest: str) -> Said[int]:
    """The part for the collection given back earns Darkness 2 gifts."""
    return 2


def it_was_given_back(g: Play, player: str, quest: str, piece: Piece) -> bool:
    """Whether Darkness has given back its collection."""
    return (player, quest) == (DARKNESS, RETURN_PART)


@completed.at("darkness.heroquests.9", when=it_was_given_back)
def power_of_its_enemies(g: Play, player: str, quest: str, piece: Piece) -> None:
    """For the collection given back Darkness gains as much Power as it has enemies."""
    gain(g, DARKNESS, len(enemies(g)))


@fulfilled.permits("darkness.heroquests.7", of=(ZIGGURAT_PART,))
def ziggurat_stands(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Darkness: it places its Ziggurat."""
    return True if stands(g, ZIGGURAT, DARKNESS) else SILENT


def castle_is_built(g: Play, player: str, building: Piece, area: str) -> bool:
    """Whether Darkness has built the Castle of Lead."""
    return player == DARKNESS and building.kind == CASTLE


@built.at("darkness.ancestor-worship.2", when=castle_is_built)
def rune_at_once(g: Play, player: str, building: Piece, area: str) -> None:
    """When the Castle of Lead is built Darkness gains a rune."""
    gain(g, DARKNESS, 1, RUNES)


def castle_stands(g: Play, player: str) -> bool:
    """Whether it is the Power Phase of Darkness, and its Castle of Lead stands."""
    return player == DARKNESS and stands(g, CASTLE, DARKNESS)


@power_phase.at("darkness.ancestor-worship.3", when=castle_stands)
def rune_each_time(g: Play, player: str) -> None:
    """In each Power Phase Darkness gains a rune for its Castle of Lead."""
    gain(g, DARKNESS, 1, RUNES)


may_give: YesNo[[str, str]] = YesNo("black-market.give", "may {0} give the rune of the Black Market to {1}?", "{0} may give it to {1}", presumed=False)
KEEP_FOR_POWER, KEEP_FOR_VP = "keep it for 2 Power", "keep it for 1 VP"
TWO_POWER, ONE_VP = "2 Power", "1 VP"


@action(MARKET, says="{player} uses the Black Market", sort=OUT_OF_TURN)
def black_market(g: Play, player: str) -> None:
    """With the Black Market Darkness draws a rune and may keep it for 2 Power or 1 VP."""
    ways = [*([KEEP_FOR_POWER] if g.state.counter(player, "power") >= 2 else []), *([KEEP_FOR_VP] if g.state.counter(player, "vp") else [])]
    way = g.choose(player, "what becomes of the rune", (*ways, *(p for p in everybody(g) if may_give(g, player, p))))
    match way:
        case "keep it for 2 Power":
            spend(g, player, 2)
            gain(g, player, 1, RUNES)
        case "keep it for 1 VP":
            spend(g, player, 1, "vp")
            gain(g, player, 1, RUNES)
        case _:
            aimed(g, "Black Market", way)
            gain(g, way, 1, RUNES)
            if g.choose(way, f"what {player} gets for the rune", (TWO_POWER, ONE_VP)) == TWO_POWER:
                gain(g, player, 2)
            else:
                gain(g, player, 1, "vp")


@may_give.permits("darkness.black-market.2")
def to_another(g: Play, player: str, other: str) -> Said[bool]:
    """Instead of keeping the rune of the Black Market, Darkness may give it away; then the receiver decides whether Darkness gets 2 Power or 1 VP."""
    return True if other != player else SILENT


@black_market.forbids("darkness.black-market.3")
def only_for_darkness(g: Play, player: str) -> Said[bool]:
    """The Black Market is a gift for Darkness alone."""
    return SILENT if player == DARKNESS else True
