"""The Invisible God: what his units are not."""
from knowledge.monsters.androgeus import helps
from lookup.engine.clause import Said
from lookup.engine.play import Play
from lookup.engine.state import Piece


@helps.default("invisible-god.units.1", of=("Wizard", "Knight", "Specter"))
def neither_hero_nor_greater_god(g: Play, unit: Piece) -> Said[bool]:
    """The Invisible God has no hero and no greater god of his own; against Androgeus he depends on an allied Elder Race that is classed as a hero."""
    return False
