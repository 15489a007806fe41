"""Juggernaut: what sets off Community, and its move of the Mother of Monsters."""
from knowledge.core.board import MOVE, OUT_OF_TURN, ROUT, By, Cause, Effect, is_neutral_race, on_map, units
from knowledge.core.effects import affects, displaced, move
from knowledge.monsters.mother_of_monsters import MOTHER
from lookup.engine.clause import SILENT, Said, YesNo, action, claim
from lookup.engine.play import Play
from lookup.engine.state import Piece, State, Wanted

JUGGERNAUT, COMMUNITY = "Juggernaut", "Community"
MOVES = "juggernaut.community.4"

rout_counts: YesNo[[Cause]] = YesNo("community.rout", "does a rout by {0} set off Community?", presumed=False)
may_bring: YesNo[[Piece, str]] = YesNo(
    "community.may-bring", "may Juggernaut move {0} to {1}?", "Juggernaut may move {0} to {1}", "Juggernaut cannot move {0} to {1}",
)


def something_stirs(g: Play, unit: Piece, effect: Effect, cause: Cause) -> bool:
    """Whether an ability has moved a unit while Juggernaut is on the map."""
    if not on_map(g, JUGGERNAUT) or cause.name == COMMUNITY:
        return False
    by_ability = effect is MOVE and cause.by in (By.ABILITY, By.GIFT, By.MONSTER)
    return by_ability or (effect is ROUT and rout_counts(g, cause))


@displaced.at("juggernaut.community.1", when=something_stirs)
def sets_it_off(g: Play, unit: Piece, effect: Effect, cause: Cause) -> None:
    """Any movement-type ability whatever sets off Juggernaut's Community."""
    for area in on_map(g, JUGGERNAUT):
        g.state = g.state.noted("set off", Piece(JUGGERNAUT), area, 1)
        g.did("set off", f"Community is set off by {cause}", Piece(JUGGERNAUT), 1, area)


@rout_counts.permits("juggernaut.trigger.2")
def a_rout_moves_too(g: Play, cause: Cause) -> Said[bool]:
    """A rout moves units, and so it sets off Juggernaut's Community."""
    return True


@action(MOVES, says="{player} has Juggernaut move {unit} to {area}", sort=OUT_OF_TURN)
def moves(g: Play, player: str, unit: Wanted, area: str) -> None:
    """Juggernaut's move of the Mother of Monsters is a move by Community."""
    for here in g.state.board.places:
        for piece, n in units(g, here):
            if here != area and unit.fits(piece, here) and may_bring(g, piece, area):
                move(g, here, piece, area, min(n, unit.n or 1), Cause(By.MONSTER, COMMUNITY, JUGGERNAUT, player))
                return


@moves.forbids("juggernaut.community.5")
def needs_juggernaut(g: Play, player: str, unit: Wanted, area: str) -> Said[bool]:
    """Juggernaut moves nobody while it is not on the map."""
    return SILENT if on_map(g, JUGGERNAUT) else True


@may_bring.default("juggernaut.mother.2")
def no_limit_binds(g: Play, unit: Piece, to: str) -> Said[bool]:
    """A move by Juggernaut is neither a rout nor Birth, so the limits that these have for the Mother of Monsters do not bind it."""
    return True if unit.kind == MOTHER or is_neutral_race(g, unit) else SILENT


@affects.exception("juggernaut.neutral.2", "setup.neutral.5")
def neutrals_too(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """Community can move a neutral Elder Race."""
    return True if cause.name == COMMUNITY and is_neutral_race(g, unit) else SILENT


@claim("Community is set off", reads=("set off",))
def is_set_off(state: State) -> bool:
    return any(what == "set off" for (what, _, _), _ in state.happened)
