"""What tests of the pages of rules share."""

from tables.models import RuleDraft
from tables.selectors.floor import read_table
from tests.factories.house import PINS, STAFF
from tests.support.pages import Page, PagePerson, boxes_of, text_of
from tests.tables.rules.managers import MORE


def says(page: Page, *words: str, status: int = 200) -> str:
    """Expect a page to say all of this; return its text."""
    assert page.status_code == status, text_of(page)
    text = text_of(page)
    for each in words:
        assert each in text, (each, text)
    return text


def chosen(**changed: str) -> dict[str, str]:
    """The terms of T1 as the form sends them."""
    terms = read_table("T1").require_terms()
    now = {
        "ruleset": terms.ruleset.key,
        "procedures": terms.procedures.key,
        "limits": terms.limits.key,
        "revision": str(terms.revision),
    }
    return {**now, **changed}


def signer(name: str, *, secret: str | None = None) -> dict[str, str]:
    """The box that a manager fills in to sign."""
    number, pin = MORE[name][:2] if name in MORE else (STAFF[name][0], PINS[name])
    return {"signer1-badge": f"B{number}", "signer1-secret": secret or pin}


def begun(manager: PagePerson, **source: str) -> RuleDraft:
    """Begin a draft with one press."""
    answer = manager.post("/rulesets/drafts/", {"kind": "ruleset", **source})
    draft = RuleDraft.objects.latest("serial")
    assert (answer.status_code, answer["Location"]) == (
        302,
        f"/rulesets/drafts/{draft.number}/edit/",
    )
    return draft


def filled_in(manager: PagePerson, draft: RuleDraft, **changed: str) -> dict[str, str]:
    """The form of a draft as a browser sends it back, with some boxes written anew."""
    boxes = boxes_of(manager.get(f"/rulesets/drafts/{draft.number}/edit/"))
    anew = {path.replace("__", ":", 1): text for path, text in changed.items()}
    assert anew.keys() <= boxes.keys()
    return {**boxes, **anew}


def put_up(manager: PagePerson) -> str:
    """A ruleset with a tie bet in approval; return the address of its draft."""
    draft = begun(manager, preset="pagcor-poker-lucky-9")
    path = f"/rulesets/drafts/{draft.number}/"
    manager.post(f"{path}edit/", filled_in(manager, draft, o__tie_odds="300 to 1"))
    assert manager.post(f"{path}submit/", {"version": "2"}).status_code == 302
    return path
