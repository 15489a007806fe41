"""The pages in a real browser: Debian's Chromium, driven by Playwright, against the served command."""
from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HEADLINE = "Luathan Devastate vs Mother of Monsters"
CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
PAGES = {
    "first": "/", "answer": f"/?q={quote(HEADLINE)}", "refused": "/?q=zzyzx", "clause": "/r/luathans.devastate.9", "ruling": "/q/faq.devastate-monsters",
    "card": "/c/luathans", "position": "/s/devastate-hemmed-in", "struck": "/s/devastate-hemmed-in?without=mother-of-monsters.titanic.2", "browse": "/browse",
    "steps": "/s/devastate-hemmed-in/steps?a=Slon&at=4", "choice": "/s/devastate-hemmed-in/steps?at=3", "empty sandbox": "/sandbox",
    "sandbox": "/sandbox/devastate-hemmed-in", "readings": "/readings", "reading": "/readings/rout.stuck", "coverage": "/coverage",
}
Opened = Callable[..., "Page"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium here")
    with ExitStack() as stack:
        try:
            playwright = stack.enter_context(sync_api.sync_playwright())
        except Exception as e:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"playwright does not start here: {str(e).splitlines()[0] if str(e) else type(e).__name__}")
        launched = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=QUIET)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the pages, served by a process of their own."""
    env = {**os.environ, "LAWSPEAKER_HOME": str(tmp_path_factory.mktemp("home"))}
    with subprocess.Popen([sys.executable, "-c", "from web.serve import serve; serve(port=0)"], stdout=subprocess.PIPE, text=True, env=env,
                          cwd=Path(__file__).resolve().parent.parent) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+(?=/)", process.stdout.readline())
            assert found
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)
    assert process.returncode == 0


@pytest.fixture
def opened(browser: Browser, served: str) -> Iterator[Opened]:
    """Opens a page on a telephone without JavaScript, unless told otherwise; holds it to its own host and to a silent console."""
    contexts = []
    foreign: list[str] = []
    spoken: list[str] = []

    def opened(at: str, width: int = 360, height: int = 640, script: bool = False, scheme: str = "light") -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=2, is_mobile=width < 500, has_touch=width < 500,
                                      java_script_enabled=script, color_scheme=scheme)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda r: foreign.append(r.url) if not r.url.startswith(served + "/") else None)
        page.on("console", lambda m: spoken.append(m.text))
        page.on("pageerror", lambda e: spoken.append(str(e)))
        page.goto(served + at)
        return page

    yield opened
    assert not any(c.cookies() for c in contexts)
    for context in contexts:
        context.close()
    assert not foreign
    assert not spoken


def lowest(page: Page, selector: str) -> float:
    """Where something ends, from the top of the window."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def test_the_headline_question_shows_its_verdict_above_the_fold_of_a_telephone_without_javascript(opened: Opened) -> None:
    page = opened(PAGES["answer"])
    verdict = page.locator(".verdict")
    assert verdict.is_visible()
    says = " ".join(verdict.inner_text().split())
    assert re.search(r"depends\b.*Mother of Monsters is killed: always when .*; never when ", says, re.I)
    assert lowest(page, ".verdict") <= 640


def test_asking_by_the_box_leads_to_the_answer_and_back_again(opened: Opened) -> None:
    page = opened("/")
    page.fill("input[name=q]", HEADLINE)
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=*")
    assert page.locator(".verdict").is_visible()
    assert page.input_value("input[name=q]") == HEADLINE
    page.go_back()
    assert page.locator("h1").inner_text().strip() == "Lawspeaker"


def test_the_first_page_takes_words_at_once(opened: Opened) -> None:
    page = opened("/", width=1280, height=800, script=True)
    assert page.evaluate("document.activeElement.name") == "q"


def test_the_reasons_of_a_step_unfold_without_javascript(opened: Opened) -> None:
    page = opened(PAGES["answer"])
    step = page.locator(".steps > li").nth(1)
    assert not step.locator(".why").is_visible()
    step.locator("summary").click()
    assert step.locator(".why").is_visible()


@pytest.mark.parametrize("at", PAGES.values(), ids=PAGES)
def test_nothing_scrolls_sideways_at_320_pixels_even_unfolded_and_in_large_letters(opened: Opened, at: str) -> None:
    page = opened(at, width=320, script=True)
    over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate(over) == 0
    page.evaluate("document.documentElement.style.setProperty('font-size', '150%')")
    assert page.evaluate(over) == 0


@pytest.mark.parametrize("at", PAGES.values(), ids=PAGES)
def test_what_is_tapped_is_44_pixels_high_and_text_is_never_tiny(opened: Opened, at: str) -> None:
    page = opened(at, script=True)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    small = page.evaluate("""[...document.querySelectorAll('a, button, input, summary')].filter(e => !e.matches('.skip') && e.getClientRects().length)
        .map(e => [e.textContent.trim(), e.getBoundingClientRect()]).filter(([, r]) => r.height < 43.5 || r.width < 43.5).map(([text]) => text)""")
    assert not small
    letters = page.evaluate("""[...document.querySelectorAll('main p, main li, main h1, main dd')].map(e => parseFloat(getComputedStyle(e).fontSize))""")
    assert min(letters) >= 14
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 16


CONTRAST = """() => {
  const parts = s => { const m = s.match(/[\\d.]+/g).map(Number); return m.length > 3 ? m : [...m, 1]; };
  const linear = v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = c => { const [r, g, b] = c.map(linear); return .2126 * r + .7152 * g + .0722 * b; };
  const bad = [];
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('svg, .hidden, .skip') || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    let under = e;
    while (parts(getComputedStyle(under).backgroundColor)[3] !== 1) under = under.parentElement;
    const [a, b] = [getComputedStyle(e).color, getComputedStyle(under).backgroundColor].map(s => light(parts(s).slice(0, 3)));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) bad.push(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
  }
  return bad;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("at", PAGES.values(), ids=PAGES)
def test_letters_stand_out_from_their_ground_by_day_and_by_night(opened: Opened, at: str, scheme: str) -> None:
    page = opened(at, script=True, scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate(CONTRAST) == []


def test_the_system_chooses_between_day_and_night(opened: Opened) -> None:
    day, night = (opened("/", script=True, scheme=s).evaluate("getComputedStyle(document.documentElement).backgroundColor") for s in ("light", "dark"))
    bright = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (day, night)]
    assert bright[0] > 600 > 200 > bright[1]


def test_paper_has_the_answer_and_not_the_box(opened: Opened) -> None:
    page = opened(PAGES["answer"], script=True)
    page.emulate_media(media="print")
    assert page.locator(".verdict").is_visible()
    assert not page.locator("input[name=q]").is_visible()


def test_the_words_of_the_picture_stand_below_it_and_every_area_is_in_it(opened: Opened) -> None:
    page = opened(PAGES["position"])
    told = [name.inner_text() for name in page.locator(".areas strong").all()]
    drawn = page.locator(".map").inner_text() or " ".join(t.text_content() or "" for t in page.locator(".map text").all())
    assert told
    assert all(name in " ".join(drawn.split()) for name in told)
    assert lowest(page, ".map") <= lowest(page, ".areas")
