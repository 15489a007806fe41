"""A made-up game, small enough to be read at once: birds settle on rocks, stones drive them away, and fish pay for it."""
from lookup.engine.clause import SILENT, Moment, Question, Said, YesNo, action, claim, part, step
from lookup.engine.play import Play, picks
from lookup.engine.state import Piece, State, Vocabulary, Wanted

VOCABULARY = Vocabulary(
    places=("rock", "water"), off_board=("the nest",), counters={"fish": 3}, buildings=("Lamp",), classes=("small",), stand_ins={}, marks={"age": ()},
    holdings={}, pool="nest of {player}", player_kind="flock", stand_in_players=("Red", "Blue"), card_kinds=("bird",),
)

weight: Question[[Piece], int] = Question("weight", "what does {0} weigh?")
colour: Question[[Piece], str] = Question("colour", "what colour is {0}?")
toll: Question[[str], int] = Question("toll", "how many fish does {0} pay?")
wind: Question[[], str] = Question("wind", "which way does the wind blow?")
lands: YesNo[[Piece, str]] = YesNo("lands", "may {0} land in {1}?", "{0} may land in {1}", "{0} may not land in {1}")
splash: Moment[[str]] = Moment("splash", lambda g, player: player)


@weight.default("quay.weight.1")
def one(g: Play, bird: Piece) -> Said[int]:
    """A bird weighs 1."""
    return 1


@weight.exception("quay.weight.2", "quay.weight.1", of=("Gull",))
def two(g: Play, bird: Piece) -> Said[int]:
    """A Gull weighs 2."""
    return 2


@weight.default("quay.weight.3")
def nine(g: Play, bird: Piece) -> Said[int]:
    """A bird weighs 9."""
    return 9


@action("quay.settle.1", says="{player} settles {bird:kind} in {area}")
def settle(g: Play, player: str, bird: str, area: str) -> None:
    """A player may settle a bird in an area."""
    pay(g, player)
    if lands(g, Piece(bird, player), area):
        g.state = g.state.put(area, Piece(bird, player), 1).flagged("weight", str(weight(g, Piece(bird, player))))
        g.did("settled", f"{player} settles a {bird} in {area}", Piece(bird, player), 1, area)


@lands.default("quay.settle.2")
def on_rock(g: Play, bird: Piece, area: str) -> Said[bool]:
    """A bird may land on rock."""
    return g.state.board.kind(area) == "rock"


@lands.permits("quay.settle.3", of=("Gull",))
def on_water(g: Play, bird: Piece, area: str) -> Said[bool]:
    """A Gull may land on water."""
    return True if g.state.board.kind(area) == "water" else SILENT


@lands.forbids("quay.settle.4")
def not_by_a_lamp(g: Play, bird: Piece, area: str) -> Said[bool]:
    """No bird may land where a Lamp burns."""
    return True if g.state.total(lambda p: p.kind == "Lamp", (area,)) else SILENT


@lands.exception("quay.settle.5", "quay.settle.4", of=("Crab",))
def a_crab_may(g: Play, bird: Piece, area: str) -> Said[bool]:
    """A Crab may land beside a Lamp after all."""
    return True if g.state.total(lambda p: p.kind == "Lamp", (area,)) else SILENT


@settle.forbids("quay.settle.6")
def needs_fish(g: Play, player: str, bird: str, area: str) -> Said[bool]:
    """A player without fish may not settle a bird."""
    return SILENT if g.state.counter(player, "fish") else True


@part("quay.toll.1")
def pay(g: Play, player: str) -> None:
    """Whoever settles a bird pays the toll for it."""
    g.state = g.state.counting(player, "fish", max(0, g.state.counter(player, "fish") - toll(g, player)))


@toll.default("quay.toll.2")
def one_fish(g: Play, player: str) -> Said[int]:
    """The toll is 1 fish."""
    return 1


@toll.default("quay.toll.3")
def two_fish(g: Play, player: str) -> Said[int]:
    """The toll is 2 fish."""
    return 2


@action("quay.throw.1", says="{player} throws into {area}")
def throw(g: Play, player: str, area: str) -> None:
    """A player may throw a stone into an area."""
    splash(g, player)
    g.then(drive_away, player, area)


@step("quay.throw.2")
def drive_away(g: Play, player: str, area: str) -> None:
    """A stone that comes up 4 or more drives away one bird of the area, and its thrower picks which."""
    (stone,) = g.roll(1)
    birds = tuple((p, n) for p, n in g.state.at(area) if p.kind != "Lamp")
    if stone >= 4 and birds:
        ((bird, _),) = g.choose(player, "which bird is driven away", picks(birds, 1))
        g.state = g.state.put(area, bird, -1).noted("gone", bird, area, 1)
        g.did("gone", f"{g.name(bird)} is gone from {area}", bird, 1, area)


@splash.at("quay.splash.1", when=lambda g, player: g.state.counter(player, "fish") > 0)
def doubled(g: Play, player: str) -> None:
    """When a stone falls, the thrower's fish are doubled."""
    g.state = g.state.counting(player, "fish", 2 * g.state.counter(player, "fish"))


@splash.at("quay.splash.2", when=lambda g, player: g.state.counter(player, "fish") > 0)
def one_less(g: Play, player: str) -> None:
    """When a stone falls, the thrower loses 1 fish."""
    g.state = g.state.counting(player, "fish", g.state.counter(player, "fish") - 1)


@action("quay.drift.1", says="{player} lets {area} drift")
def drift(g: Play, player: str, area: str) -> None:
    """A player may let the birds of an area drift."""
    to = next((a for a in g.state.board.beside(area) if g.state.board.kind(a) == wind(g)), area)
    for bird, n in g.state.at(area):
        g.state = g.state.put(area, bird, -n).put(to, bird, n)


@wind.default("quay.wind.1")
def outward(g: Play) -> Said[str]:
    """The wind blows out to the water."""
    return "water"


@wind.default("quay.wind.2")
def inward(g: Play) -> Said[str]:
    """The wind blows in to the rock."""
    return "rock"


@action("quay.look.1", says="{player} looks at {bird:kind}")
def look(g: Play, player: str, bird: str) -> None:
    """A player may look at a bird and say its colour."""
    g.state = g.state.flagged("seen", colour(g, Piece(bird, player)))


@claim("{unit} {is|are} gone", reads=("gone",))
def is_gone(state: State, unit: Wanted) -> bool:
    return unit.met(state.tally(unit, "gone"))


@claim("{unit} {is|are} in {area}")
def stands_in(state: State, unit: Wanted, area: str) -> bool:
    return unit.met(state.total(unit.fits, (area,)))


@claim("{player} has {number} fish")
def has_fish(state: State, player: str, number: int) -> bool:
    return state.counter(player, "fish") == number


@claim("a bird weighs {number}")
def weighs(state: State, number: int) -> bool:
    return any(f == ("weight", str(number)) for f in state.flags)


@claim("the action is refused")
def refused(state: State) -> bool:
    return any(f[0] == "refused" for f in state.flags)
