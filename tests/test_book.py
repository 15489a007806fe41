"""A knowledge package that does not hold together is told of in one line a fault: file, line, the wrong word, the nearest right one."""
import re
import shutil
from collections.abc import Callable
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import pytest

from lookup import scenario
from lookup.book import BadBook, fresh
from lookup.check import check

HARBOUR = Path(__file__).parent / "harbour"
NUMBER = count()
Make = Callable[..., str]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Copies the made-up game under a new name, with texts replaced: (file, old, new), an old of "" appending."""
    def make(*edits: tuple[str, str, str]) -> str:
        name = f"harbour_{next(NUMBER)}"
        top = tmp_path / name
        shutil.copytree(HARBOUR, top, ignore=shutil.ignore_patterns("__pycache__"))
        for file, old, new in edits:
            text = (top / file).read_text(encoding="utf-8") if (top / file).exists() else ""
            assert not old or text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
            (top / file).write_text(text.replace(old, new) if old else text + new, encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        return name
    return make


def fits(fault: str, package: str, says: str) -> bool:
    """Whether a fault is one line at a place in the package that says so."""
    return re.fullmatch(rf"{package}/{says}", fault) is not None


def test_the_made_up_game_holds_together(made: Make) -> None:
    report = check(made())
    assert report["faults"] == []
    assert report["passages"] == {"restated": 7, "no_rule": 0, "of": 7}
    assert report["clauses"] == {"coded": 20, "marked": 4, "bare": 0, "open": 0, "unplayed": 0, "silent": 1}
    assert report["rulings"] == {"proven": 1, "advice": 0, "open": 0, "unproven": 0}
    assert report["scenarios"] == {"passed": 9, "failed": 0}
    assert report["sensitivity"] == {"sensitive": 8, "of": 8}
    assert report["readings"] == {"declared": 2, "undeclared": 0}


def test_players_words_for_a_clause_and_for_a_page_stand_in_a_file_of_their_own(made: Make) -> None:
    book = fresh(made(("birds.asks.yaml", "", "card:\n  - which birds are there\nbirds.box.1:\n  - how many gulls\n  - all the terns\n")))
    assert book.pages["birds"].asks == ("which birds are there",)
    assert book.clauses["birds.box.1"].asks == ("how many gulls", "all the terns")
    assert book.clauses["birds.class.1"].asks == ()


@pytest.mark.parametrize(("text", "says"), [
    ("birds.boks.1:\n  - how many\n", r"birds\.asks\.yaml:1: no clause birds\.boks\.1 in \S+/birds\.md; nearest: birds\.box\.1"),
    ("quay.toll.1:\n  - how many\n", r"birds\.asks\.yaml:1: quay\.toll\.1 stands in \S+/quay\.md and is asked for beside it"),
    ("birds.box.1:\n  - how many\n  - How many?\n", r"birds\.asks\.yaml:3: 'How many\?' stands under birds\.box\.1 already"),
    ("birds.box.1:\n  - ''\n", r"birds\.asks\.yaml:2: a way of asking for birds\.box\.1 is a line of words"),
    ("birds.box.1:\n  - [how many]\n", r"birds\.asks\.yaml:2: a way of asking for birds\.box\.1 is a line of words"),
    ("birds.box.1: how many\n", r"birds\.asks\.yaml:1: birds\.box\.1 needs a list of .*"),
    ("birds.box.1: []\n", r"birds\.asks\.yaml:1: birds\.box\.1 needs a list of .*"),
    ("- how many\n", r"birds\.asks\.yaml:1: a mapping from a clause's id .*"),
    ("birds.box.1:\n  - how many\nbirds.box.1:\n  - how often\n", r"birds\.asks\.yaml:3: 'birds\.box\.1' stands here twice, first in line 1"),
])
def test_a_bad_file_of_players_words_is_told_of_by_its_line(made: Make, text: str, says: str) -> None:
    package = made(("birds.asks.yaml", "", text))
    with pytest.raises(BadBook) as wrong:
        fresh(package)
    assert len(wrong.value.faults) == 1
    assert fits(wrong.value.faults[0], package, says)


def test_where_players_words_are_given_every_clause_has_some(made: Make) -> None:
    package = made(("birds.asks.yaml", "", "birds.box.1:\n  - how many gulls\n"))
    report = check(package)
    assert report["asks"] == {"clauses": 1, "rulings": 0, "left_to_what_they_restate": 0, "of": 24}
    missing = [fault for fault in report["faults"] if "is said nowhere" in fault]
    assert len(missing) == 23
    assert fits(missing[0], package, r"birds\.md:\d+: how players ask for birds\.class\.1 is said nowhere; add a line or two under it in \S+/birds\.asks\.yaml")


def test_players_words_for_no_page_are_a_fault(made: Make) -> None:
    package = made(("fish.asks.yaml", "", "card:\n  - which fish\n"))
    with pytest.raises(BadBook, match=r"fish\.asks\.yaml:1: there is no page \S+/fish\.md beside it"):
        fresh(package)


CLAUSE = "\n\nA bird sings.\n{{: #quay.song.{n} tier=\"community\" source=\"x\" {more} }}\n"
TWICE = '''

@toll.default("quay.toll.2")
def one_fish_again(g: Play, player: str) -> Said[int]:
    """The toll is 1 fish."""
    return 1
'''


@pytest.mark.parametrize(("edit", "says"), [
    (("quay.md", "", '\nA bird weighs 3.\n{: #quay.weight.1 from="book/text/1" }\n'),
     r"quay\.md:\d+: the id quay\.weight\.1 stands twice, first in \S+/quay\.md:12"),
    (("birds.md", 'number }', 'numbr }'), r"birds\.md:\d+: .*numbr.*"),
    (("quay.md", "", CLAUSE.format(n=1, more='rests="quay.toll.1"')), r"quay\.md:\d+: unknown attribute 'rests' on quay\.song\.1; nearest: restates"),
    (("quay.md", "", "\nA bird sings.\n"), r"quay\.md:82: a paragraph without an id: 'A bird sings\.'; the next line must be \{: #quay\.\.\.\. \}"),
    (("quay.md", "", '\nA bird sings.\n{: #quay.song.1 tier="community"\nsource="x" }\n'), r"quay\.md:\d+: a paragraph without an id: .*"),
    (("quay.md", "", CLAUSE.format(n=1, more='why="a "quoted" word"')), r"quay\.md:\d+: .*quay\.song\.1.*"),
    (("quay.md", "", CLAUSE.replace("quay", "key").format(n=1, more="")), r"quay\.md:\d+: the id key\.song\.1 should be quay\. and then .*"),
    (("quay.md", "", '\nA bird sings.\n{: #quay.song.1 tier="comunity" }\n'), r"quay\.md:\d+: quay\.song\.1 needs from= or a tier; nearest: community"),
    (("quay.md", "", '\nA bird sings.\n{: #quay.song.1 }\n'), r"quay\.md:\d+: quay\.song\.1 needs from= or a tier: printed, .*"),
    (("quay.md", "", '\nA bird sings.\n{: #quay.song.1 tier="assumed" }\n'), r"quay\.md:\d+: quay\.song\.1 is assumed and needs a why"),
    (("quay.md", "", CLAUSE.format(n=1, more="term advice")), r"quay\.md:\d+: quay\.song\.1 carries the marks advice, term; .*"),
    (("quay.md", "", CLAUSE.format(n=1, more='restates="quay.tole.1"')),
     r"quay\.md:\d+: quay\.song\.1 restates quay\.tole\.1, which is in no page; nearest: quay\.toll\.1"),
    (("quay.md", "", CLAUSE.format(n=1, more='reading="thunder base"')), r"quay\.md:\d+: the reading thunder has one clause only, quay\.song\.1.*"),
    (("quay.md", "", CLAUSE.format(n=1, more='reading="toll base"')), r"quay\.md:\d+: the reading toll has more than one base"),
    (("quay.md", "", CLAUSE.format(n=1, more='reading="toll bass"')), r"quay\.md:\d+: reading= is a name and perhaps the word base, not 'toll bass'"),
    (("quay.md", "title: The quay", "title: [The quay"), r"quay\.md:\d+: .*"),
    (("quay.md", "title: The quay", "title: &it The quay"), r"quay\.md:2: '&it' is an anchor or alias; write the value out"),
    (("quay.md", "title: The quay", "title: *it"), r"quay\.md:2: '\*it' is an anchor or alias; write the value out"),
    (("quay.md", "title: The quay\n", ""), r"quay\.md:2: the front matter needs a title and a kind"),
    (("quay.md", "---\ntitle", "title"), r"quay\.md:1: a page begins with front matter between two lines of ---"),
    (("quay.md", "title: The quay", "title: The quay # by the sea"), r"quay\.md:2: a comment stands behind 'The quay'; .*"),
    (("quay.yaml", "- Red settles Gull in Sound", "- Red settles Gull in Sound # of course"),
     r"quay\.yaml:6: a comment stands behind 'Red settles Gull in Sound'; .*"),
    (("quay.yaml", "- id: a-look", "- id: a-stone"), r"quay\.yaml:\d+: the scenario a-stone stands in \S+/quay\.yaml too"),
    (("quay.yaml", "- id: a-look", "- id: A look"), r"quay\.yaml:\d+: the id 'A look' should be lower-case words with hyphens, a letter first"),
    (("quay.yaml", "- id: a-look", "- called: a-look"), r"quay\.yaml:\d+: a scenario is a mapping with an id"),
    (("quay.yaml", "  title: A bird is looked at", "  title: A bird\n  title: is looked at"), r"quay\.yaml:\d+: 'title' stands here twice, first in line \d+"),
    (("birds.md", "  Tern:", "  Gull:"), r"birds\.md:6: 'Gull' stands here twice, first in line 5"),
    (("more.md", "", "---\ntitle: More\nkind: bird\nunits:\n  Gull: {plural: Gulls}\n---\n"), r"more\.md:5: the unit Gull stands in birds too"),
    (("birds.md", "cost: silent, pieces: {value: 9, clause: birds.box.1}}\n  Tern", "price: silent, pieces: {value: 9, clause: birds.box.1}}\n  Tern"),
     r"birds\.md:5: unknown field 'price' of Gull.*"),
    (("birds.md", "Gull: {class: {value: small, clause: birds.class.1}", "Gull: {class: {value: small, clause: birds.clas.1}"),
     r"birds\.md:5: Gull: class names birds\.clas\.1, which is in no page; nearest: birds\.class\.1"),
    (("birds.md", "Gull: {class: {value: small, clause: birds.class.1}", "Gull: {class: small"),
     r"birds\.md:5: Gull: class should be silent or \{value: \.\.\., clause: ID\}"),
    (("quay.py", "", TWICE), r"quay\.py:\d+: the clause quay\.toll\.2 has a place in code already, \S+/quay\.py:\d+"),
    (("quay.py", '@weight.default("quay.weight.1")', '@weight.exception("quay.weight.1", "quay.weight.2")'),
     r"quay\.py:\d+: an override goes round in a circle: (quay\.weight\.1 overrides quay\.weight\.2 overrides quay\.weight\.1|"
     r"quay\.weight\.2 overrides quay\.weight\.1 overrides quay\.weight\.2)"),
    (("quay.py", '"quay.weight.2", "quay.weight.1", of', '"quay.weight.2", "quay.wait.1", of'),
     r"quay\.py:\d+: quay\.weight\.2 displaces quay\.wait\.1, which is in no page; nearest: quay\.weight\.1"),
    (("quay.py", '@weight.default("quay.weight.3")', '@weight.default("quay.weigth.3")'),
     r"quay\.py:\d+: the clause quay\.weigth\.3 is in no page; nearest: quay\.weight\.3"),
    (("more.py", "", "import no_such_thing\n"), r"more\.py: does not load: ModuleNotFoundError: No module named 'no_such_thing'"),
    (("quay.py", "", '\n\n@claim("the action is refused")\ndef again(state: State) -> bool:\n    return False\n'),
     r"quay\.py:\d+: the claim 'the action is refused' stands twice"),
])
def test_a_broken_book_is_told_of_in_one_line(made: Make, edit: tuple[str, str, str], says: str) -> None:
    package = made(edit)
    with pytest.raises(BadBook) as bad:
        fresh(package)
    assert len(bad.value.faults) == 1, bad.value.faults
    assert fits(bad.value.faults[0], package, says), bad.value.faults[0]
    assert check(package)["faults"] == bad.value.faults


def test_several_faults_are_told_of_at_once(made: Make) -> None:
    with pytest.raises(BadBook) as bad:
        fresh(made(("quay.md", "", "\nA bird sings.\n"), ("birds.md", "kind: bird\n", ""), ("quay.yaml", "- id: a-look", "- called: a-look")))
    assert len(bad.value.faults) == 3


def test_a_page_that_is_not_utf_8_is_told_of_with_its_line(made: Make, tmp_path: Path) -> None:
    package = made()
    with (tmp_path / package / "birds.md").open("ab") as page:
        page.write(b"\nA caf\xe9.\n")
    with pytest.raises(BadBook, match=r"birds\.md:15: byte \d+ is not UTF-8"):
        fresh(package)


def test_a_package_that_is_not_there_is_one_fault() -> None:
    with pytest.raises(BadBook) as bad:
        fresh("no_such_package")
    assert bad.value.faults == ["there is no package 'no_such_package'"]


def test_a_cycle_of_three_is_told_in_the_direction_of_the_overrides(made: Make) -> None:
    package = made(
        ("quay.py", '@weight.default("quay.weight.1")', '@weight.exception("quay.weight.1", "quay.weight.3")'),
        ("quay.py", '@weight.default("quay.weight.3")', '@weight.exception("quay.weight.3", "quay.weight.2")'),
    )
    with pytest.raises(BadBook) as bad:
        fresh(package)
    (fault,) = bad.value.faults
    named = fault.split(": ")[-1].split(" overrides ")
    assert len(named) == 4
    assert set(pairwise(named)) == {("quay.weight.2", "quay.weight.1"), ("quay.weight.1", "quay.weight.3"), ("quay.weight.3", "quay.weight.2")}


@pytest.mark.parametrize(("old", "new", "says"), [
    ("units:\n    Skerry: [2 Gulls of Blue, Tern of Red]", "units:\n    Skerry: [2 Guls of Blue]", r"quay\.yaml:\d+: no unit 'Guls'; nearest: Gull"),
    ("Skerry: [2 Gulls of Blue, Tern of Red]", "Skery: [2 Gulls of Blue]", r"quay\.yaml:\d+: no area 'Skery'; nearest: Skerry"),
    ("Skerry: [2 Gulls of Blue, Tern of Red]", "Skerry: [2 Gulls of Blu]", r"quay\.yaml:\d+: no player 'Blu'; nearest: Blue"),
    ("Skerry: [2 Gulls of Blue, Tern of Red]", "Skerry: [-2 Gulls of Blue]", r"quay\.yaml:\d+: no unit '-2 Gulls'.*"),
    ("Skerry: [2 Gulls of Blue, Tern of Red]", "Skerry: [0 Gulls of Blue]", r"quay\.yaml:\d+: '0 Gulls of Blue': 0 units need no line"),
    ("Skerry: [2 Gulls of Blue, Tern of Red]", "Skerry: [10 Gulls of Blue]", r"quay\.yaml:\d+: 10 Gulls stand here, and the box holds 9"),
    ("Skerry: [2 Gulls of Blue, Tern of Red]", "Skerry: [Gull (age -2) of Blue]", r"quay\.yaml:\d+: age should be a whole number from 0 to 99, not '-2'"),
    ("Skerry: [2 Gulls of Blue, Tern of Red]", "Skerry: [Gull (aeg 2) of Blue]", r"quay\.yaml:\d+: no mark 'aeg'; nearest: age"),
    ("Red: {fish: 2}", "Red: {fish: -2}", r"quay\.yaml:\d+: fish of Red should be a whole number from 0 to 1000, not '-2'"),
    ("Red: {fish: 2}", "Red: {fisch: 2}", r"quay\.yaml:\d+: no key 'fisch' for a player; nearest: fish"),
    ("Red: {fish: 2}", "Ret: {fish: 2}", r"quay\.yaml:\d+: no player 'Ret'; nearest: Red"),
    ("Red throws into Skerry", "Red thrwos into Skerry", r"quay\.yaml:\d+: no action 'Red thrwos into Skerry'; nearest: PLAYER throws into AREA"),
    ("Red throws into Skerry", "Red throws into Skery", r"quay\.yaml:\d+: 'Red throws into Skery': no area 'Skery'; nearest: Skerry"),
    ("Red throws into Skerry", "throws into Skerry", r"quay\.yaml:\d+: no action 'throws into Skerry'; nearest: PLAYER throws into AREA"),
    ("Gull of Blue is gone: 0..1/2", "Gull of Blue is gnoe: never", r"quay\.yaml:\d+: no claim 'Gull of Blue is gnoe'; nearest: UNIT is gone"),
    ("Gull of Blue is gone: 0..1/2", "Gull of Blue is gone: allways", r"quay\.yaml:\d+: a verdict is .*, not 'allways'; nearest: always"),
    ("Gull of Blue is gone: 0..1/2", "Gull of Blue is gone: 3/2", r"quay\.yaml:\d+: '3/2' is no chance between 0 and 1"),
    ("Gull of Blue is gone: 0..1/2", "Gull of Blue is gone: -1/2", r"quay\.yaml:\d+: '-1/2' is no chance between 0 and 1"),
    ("title: A stone among birds", "titel: A stone", r"quay\.yaml:\d+: no key 'titel' in a scenario; nearest: title"),
    ("title: A stone among birds", "title: A stone\n  readings: {tol: quay.toll.3}", r"quay\.yaml:\d+: no reading 'tol'; nearest: toll"),
    ("title: A stone among birds", "title: A stone\n  readings: {toll: quay.toll.4}",
     r"quay\.yaml:\d+: 'quay\.toll\.4' is no clause of the reading toll; nearest: quay\.toll\.\d"),
    ("title: A stone among birds", "title: A stone\n  map: {Skerry: {next: [Skerry]}}", r"quay\.yaml:\d+: Skerry cannot border on itself"),
    ("title: A stone among birds", "title: A stone\n  map: {Skerry: {kind: rok}}", r"quay\.yaml:\d+: no kind of area 'rok'; nearest: rock"),
    ("title: A stone among birds", "title: A stone\n  arrows: [Skerry to Mole]", r"quay\.yaml:\d+: an arrow is written A -> B, not 'Skerry to Mole'"),
    ("title: A stone among birds", "title: A stone\n  buildings: {Mole: [Lmap]}", r"quay\.yaml:\d+: no building 'Lmap'; nearest: Lamp"),
    ("title: A stone among birds", 'title: A stone\n  answers: ["it lands", "7"]',
     r"quay\.yaml:\d+: a-stone: answers: 'it lands' does not answer 'what comes first'.*"),
])
def test_a_wrong_word_in_a_scenario_is_told_of_in_one_line(made: Make, old: str, new: str, says: str) -> None:
    package = made(("quay.yaml", old, new))
    faults = [f for f in check(package)["faults"] if "/quay.yaml:" in f]
    assert len(faults) == 1, faults
    assert fits(faults[0], package, says), faults[0]


def faults_of(made: Make, *edits: tuple[str, str, str]) -> list[str]:
    """What check finds, without the package's name."""
    package = made(*edits)
    return [f.replace(package, "harbour") for f in check(package)["faults"]]


@pytest.mark.parametrize(("edits", "says"), [
    ([("quay.md", '{: #quay.weight.1 from="book/text/1" }', '{: #quay.weight.1 from="book/text/1 book/text/9" }')],
     [r"harbour/quay\.md:12: quay\.weight\.1 names the passage book/text/9, which is not printed; nearest: book/text/\d"]),
    ([("quay.md", '{: #quay.weight.1 from="book/text/1" }', '{: #quay.weight.1 from="book/text/1 book/text/2 book/text/3" }')],
     [r"harbour/quay\.md:12: quay\.weight\.1 names 3 passages, and 2 are the most"]),
    ([("quay.md", '#quay.weight.2 from="book/text/2"', '#quay.weight.2 from="book/text/1"')],
     [r"harbour/sources\.toml: book/text/2 is restated by no clause; .*"]),
    ([("sources.toml", "[no_rule]\n", '[no_rule]\n"book/text/2" = "a remark"\n')],
     [r"harbour/sources\.toml: book/text/2 is no rule, and quay\.weight\.2 restates it; .*"]),
    ([("quay.md", "", CLAUSE.format(n=1, more=""))], [r"harbour/quay\.md:\d+: quay\.song\.1 has neither a place in code nor a mark; .*"]),
    ([("quay.md", "", CLAUSE.format(n=1, more='term restates="quay.toll.1"')), ("marks.toml", "setup = 1", "setup = 1\nterm = 1")],
     [r"harbour/quay\.md:\d+: quay\.song\.1 carries term and restates; .*"]),
    ([("quay.md", '#quay.toll.1 tier="community" source="the harbour master"', '#quay.toll.1 tier="community" source="the harbour master" term')],
     [r"harbour/quay\.md:\d+: quay\.toll\.1 has a place in harbour/quay\.py:\d+ and the mark term; take the mark off"]),
    ([("quay.md", "", CLAUSE.format(n=1, more="term"))], [r"harbour/marks\.toml: 1 clauses carry term, and 0 are the most; .*"]),
    ([("marks.toml", "silent = 1", "silent = 2")], [r"harbour/marks\.toml: 1 clauses carry silent; lower the 2 in this file, .*"]),
    ([("marks.toml", "silent = 1", "silent = 1\nterms = 1")], [r"harbour/marks\.toml: no mark 'terms'; nearest: term"]),
    ([("marks.toml", "silent = 1", 'silent = "one"')], [r"harbour/marks\.toml: silent should be a whole number, not 'one'"]),
    ([("marks.toml", "silent = 1", "silent = ")], [r"harbour/marks\.toml: .*", *[r"harbour/marks\.toml: 1 clauses carry \w+, and 0 are the most; .*"] * 4]),
    ([("marks.toml", "[insensitive]\n", '[insensitive]\n"quay.toll.1" = "it is not seen"\n')],
     [r"harbour/marks\.toml: quay\.toll\.1 is listed as insensitive, and a scenario shows it; take it out"]),
    ([("marks.toml", "[insensitive]\n", '[insensitive]\n"quay.tole.1" = "it is not seen"\n')],
     [r"harbour/marks\.toml: quay\.tole\.1 is listed as insensitive, and is no exception, .*; nearest: quay\.toll\.1"]),
    ([("quay.py", '"""The toll is 1 fish."""', '"""The toll is one fish."""')],
     [r"harbour/quay\.py:\d+: the docstring of quay\.toll\.2 is 'The toll is one fish\.'; harbour/quay\.md:\d+ says 'The toll is 1 fish\.'"]),
    ([("quay.py", '    """The toll is 1 fish."""\n', "")], [r"harbour/quay\.py:\d+: the docstring of quay\.toll\.2 is ''; harbour/quay\.md:\d+ says .*"]),
    ([("quay.yaml", "- Red has 2 fish: always", "- Red has 3 fish: always")],
     [r"harbour/quay\.yaml:10: gull-on-water: 'Red has 3 fish' is never, and the file says always"]),
    ([("quay.yaml", "- Red has 2 fish: always", "- Red has 2 fish")],
     [r"harbour/quay\.yaml:10: gull-on-water: 'Red has 2 fish' says no verdict; it is always"]),
    ([("quay.yaml", "0..1/2", "0..1/3")], [r"harbour/quay\.yaml:\d+: a-stone: 'Gull of Blue is gone' is 0\.\.1/2, and the file says 0\.\.1/3"]),
    ([("quay.yaml", "  proves: [faq.gull-lamp]\n", "  proves: [faq.gull-lmap]\n")],
     [r"harbour/quay\.yaml:\d+: gull-by-a-lamp proves faq\.gull-lmap, which is no ruling; there is: faq\.gull-lamp|.*nearest: faq\.gull-lamp"]),
    ([("quay.yaml", "  title: A Tern settles on rock\n", "  title: A Tern settles on rock\n  proves: [faq.gull-lamp]\n")],
     [r"harbour/quay\.yaml:\d+: tern-on-rock does not prove faq\.gull-lamp: striking quay\.settle\.4 changes none of its claims"]),
    ([("faq/answers.md", 'restates="quay.settle.4"', 'restates="birds.class.1"')],
     [r"harbour/quay\.yaml:\d+: gull-by-a-lamp does not prove faq\.gull-lamp: nothing that it restates has code"]),
    ([("quay.py", '@weight.exception("quay.weight.2", "quay.weight.1", of=("Gull",))', '@weight.exception("quay.weight.2", of=("Gull",))')],
     [r"harbour/quay\.yaml:\d+: gull-on-water: 'a bird weighs 2' is open, and the file says always",
      *[r"harbour/quay\.yaml:\d+: gull-on-water: .* is open, and the file says always"] * 2,
      r"harbour/quay\.yaml:\d+: gull-on-water: quay\.weight\.1 and quay\.weight\.2 answer 'weight' each otherwise; .*",
      r"harbour/quay\.py:\d+: striking quay\.weight\.2 .*"]),
    ([("quay.py", '"quay.weight.2", "quay.weight.1", of', '"quay.weight.2", "quay.weight.1", "quay.settle.2", of')],
     [r"harbour/quay\.py:\d+: no scenario shows quay\.weight\.2 displacing quay\.settle\.2"]),
    ([("quay.py", 'return True if g.state.board.kind(area) == "water" else SILENT', 'return True if g.state.board.kind(area) == "rock" else SILENT'),
      ("quay.yaml", "- Gull of Red is in Sound: always\n    - a bird weighs 2: always", "- Gull of Red is in Sound: never")],
     [r"harbour/quay\.py:\d+: striking quay\.settle\.3 \(permits\) changes no claim and no end of any scenario", r".*quay\.weight\.2.*"]),
    ([("quay.py", "", '\n\n@claim("{bird:kind} is gone")\ndef kind_gone(state: State, bird: str) -> bool:\n    return False\n')],
     [r"harbour/quay\.py:\d+: the sentence '\{unit\} \{is\|are\} gone': 'gull is gone' can be read in 2 ways: UNIT is gone; BIRD is gone",
      r"harbour/quay\.py:\d+: the sentence '\{bird:kind\} is gone': 'gull is gone' can be read in 2 ways: UNIT is gone; BIRD is gone"]),
    ([("quay.py", "    (stone,) = g.roll(1)\n", "    (stone,) = g.roll(2)\n")],
     [r"harbour/quay\.yaml:\d+: a-stone breaks the rules' own code: ValueError: too many values to unpack.*",
      *[r"harbour/quay\.py:\d+: no scenario meets quay\.(throw|splash)\.\d \(\w+\)"] * 4]),
    ([("quay.yaml", "    - Red settles Gull in Area A\n", "    - Red settles Tern in Area A\n"), ("quay.yaml", "    Red: {fish: 0}\n", "    Red: {fish: 1}\n"),
      ("quay.yaml", "    - the action is refused: always\n", "    - the action is refused: never\n")],
     [r"harbour/quay\.py:\d+: no scenario meets quay\.settle\.6 \(forbids\)"]),
])
def test_what_does_not_hold_is_a_fault(made: Make, edits: list[tuple[str, str, str]], says: list[str]) -> None:
    faults = faults_of(made, *edits)
    left = list(says)
    for fault in faults:
        assert "\n" not in fault
        fit = next((s for s in left if re.fullmatch(s, fault)), None)
        assert fit is not None, f"unexpected: {fault}"
        left.remove(fit)
    assert left == []


RULING = '''

A bird may land on rock and on nothing else.
{: #faq.rock tier="community" source="x" restates="quay.settle.2" }
'''
PAIR = '''
- id: rock
  title: On rock
  proves: [faq.rock]
  map:
    Mole: {kind: rock}
  do:
    - Red settles Tern in Mole
  claims:
    - Tern is in Mole: always
- id: no-rock
  title: Not on rock
  proves: [faq.rock]
  map:
    Mole: {kind: water}
  do:
    - Red settles Tern in Mole
  claims:
    - Tern is in Mole: never
'''


def test_a_ruling_that_rests_on_a_default_is_proven_by_two_scenarios_that_differ_in_one_thing(made: Make) -> None:
    marks = ("marks.toml", "restates = 1", "restates = 2")
    report = check(made(("faq/answers.md", "", RULING), ("quay.yaml", "", PAIR), marks))
    assert report["faults"] == []
    assert report["rulings"]["proven"] == 2
    two_things = PAIR.replace("- id: no-rock\n", "- id: no-rock\n  players: {Red: {fish: 2}}\n")
    faults = faults_of(made, ("faq/answers.md", "", RULING), ("quay.yaml", "", two_things), marks)
    assert len(faults) == 2
    assert all("does not prove faq.rock: it rests on defaults and steps alone" in f for f in faults)


def test_a_ruling_that_no_scenario_claims_to_prove_is_unproven_and_no_fault(made: Make) -> None:
    report = check(made(("quay.yaml", "  proves: [faq.gull-lamp]\n", "")))
    assert report["faults"] == []
    assert report["rulings"] == {"proven": 0, "advice": 0, "open": 0, "unproven": 1}


def test_a_ruling_of_which_a_part_is_not_played_yet_is_not_proven_whole(made: Make) -> None:
    report = check(made(("quay.md", "", CLAUSE.format(n=1, more="unplayed")), ("marks.toml", "setup = 1", "setup = 1\nunplayed = 1"),
                        ("faq/answers.md", 'restates="quay.settle.4"', 'restates="quay.settle.4 quay.song.1"')))
    assert report["faults"] == []
    assert report["rulings"] == {"proven": 0, "advice": 0, "open": 0, "unproven": 1}


def test_check_tells_how_far_it_is(made: Make) -> None:
    told: list[tuple[int, int, str]] = []
    check(made(), lambda done, of, what: told.append((done, of, what)))
    assert [done for done, _, _ in told] == list(range(1, 18))
    assert {of for _, of, _ in told} == {17}
    assert told[0][2] == "gull-on-water"


def test_a_wrong_word_names_the_nearest_right_one_whatever_its_case(made: Make) -> None:
    book: Any = fresh(made())
    with pytest.raises(scenario.BadText, match="no unit 'GULS'; nearest: Gull"):
        scenario.of_text(book, "{units: {Skerry: [GULS of Red]}}", "x")
