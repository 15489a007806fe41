"""Elves."""
from knowledge.elder_races.setup import home, starters
from lookup.engine.clause import Said
from lookup.engine.play import Play

ELVES = "Elves"


@home.default("elves.setup.1", of=(ELVES,))
def elf_jungle(g: Play, race: str) -> Said[str]:
    """The Elves start the game in Elf Jungle."""
    return "Elf Jungle"


@starters.default("elves.setup.3", of=(ELVES,))
def one_elf(g: Play, race: str) -> Said[int]:
    """One Elf is on the map at the start of the game."""
    return 1
