"""The void form: what goes back is seen before it is signed; a refusal says why."""

import pytest

from settlements.models import Payout, Settlement
from tables.models import Irregularity, Round
from tables.selectors.round_read import RoundName
from tests.factories.house import House, bet, key, open_round, settle_part
from tests.support.pages import PagePerson, signed, text_of

VOID = "/tables/T1/shoes/1/rounds/1/void/"
WAGERS = {1: {"main": 10_000, "pair": 1_000}}
FIRST_TWO = {1: "8H", 2: "5S", 3: "8C", 4: "3D"}


@pytest.fixture
def dealt(floor: House) -> RoundName:
    """A round with one pair, which waits for its sweep."""
    name = open_round(floor)
    bet(floor, name, WAGERS)
    key(floor, name, FIRST_TWO)
    return name


SEEN = {"seen": "none", "seen_stage": "second_lap", "seen_minor": "11000"}


def filled(**changed: str) -> dict[str, str]:
    """The form as two people sign it, with what the page showed them."""
    form = {"event": "26", "note": "A misdeal.", **signed("supervisor", "manager")}
    form |= {**SEEN, **changed}
    return {name: value for name, value in form.items() if value != "left out"}


def stage() -> str:
    """The stage in which the round is."""
    return Round.objects.get(key="T1/1/1").stage


def test_two_people_void_a_round_and_the_page_leads_back_to_it(
    floor: House, dealt: RoundName
) -> None:
    supervisor = PagePerson(floor, "supervisor")
    page = supervisor.get(VOID)
    assert "What goes back" in text_of(page)
    assert page.context["totals"].owed_minor == 11_000
    assert "first_two" not in page.context["form"].fields
    done = supervisor.post(VOID, filled())
    assert (done.status_code, done["Location"]) == (302, "/tables/T1/shoes/1/rounds/1/")
    after = text_of(supervisor.get(done["Location"]))
    assert "T1/1/1 voided" in after
    assert "Voided: bank 0" in after


def test_words_typed_in_another_form_of_the_same_letters_are_kept_in_one(
    floor: House, dealt: RoundName
) -> None:
    decomposed = "Sen\u0303or Reyes dropped it."
    done = PagePerson(floor, "supervisor").post(VOID, filled(note=decomposed))
    assert done.status_code == 302
    assert Irregularity.objects.get().seen == "Se\u00f1or Reyes dropped it."


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"note": ""}, "This field is required."),
        ({"event": "1"}, "Select a valid choice."),
        ({"signer2-secret": "000000"}, "badge and secret do not belong together"),
        ({"signer2-badge": "left out"}, "This field is required."),
        ({"signer2-badge": "B1003", "signer2-secret": "730164"}, "Signature 2"),
    ],
)
def test_a_form_that_fails_is_shown_again_and_writes_nothing(
    floor: House, dealt: RoundName, changed: dict[str, str], said: str
) -> None:
    page = PagePerson(floor, "supervisor").post(VOID, filled(**changed))
    assert page.status_code == 422
    assert said in text_of(page)
    assert 'value="730164"' not in page.content.decode()
    assert stage() == Round.Stage.SWEEP
    assert not Settlement.objects.exists()


def test_what_goes_back_is_looked_at_before_it_is_signed(floor: House, dealt: RoundName) -> None:
    settle_part(floor, dealt, "sweep")
    supervisor = PagePerson(floor, "supervisor")
    standing = supervisor.get(VOID)
    outcomes = [(line["wager"], line["outcome"]) for line in standing.context["lines"]]
    assert sorted(outcomes) == [("main", "void"), ("pair", "win")]

    looked = supervisor.post(VOID, {"first_two": "all", "look": "1", "note": "The wrong shoe."})
    assert looked.status_code == 200
    assert {line["outcome"] for line in looked.context["lines"]} == {"void"}
    assert "The wrong shoe." in looked.content.decode()
    assert "This field is required" not in text_of(looked)
    by_htmx = supervisor.fragment(f"{VOID}?first_two=all")
    assert by_htmx.context["seen"] == "all"

    swept = {"first_two": "all", "seen_stage": "pair_settled"}
    unseen = supervisor.post(VOID, filled(**swept, seen="none"))
    assert unseen.status_code == 422
    assert "look at it again, then sign" in text_of(unseen)
    assert stage() == Round.Stage.THIRD_LAP
    assert supervisor.post(VOID, filled(**swept, seen="all")).status_code == 302
    assert set(Payout.objects.filter(revision=2).values_list("wager", "outcome")) == {
        ("pair", "void")
    }


@pytest.mark.parametrize("left_out", SEEN)
def test_a_form_that_does_not_say_what_was_seen_is_refused(
    floor: House, dealt: RoundName, left_out: str
) -> None:
    page = PagePerson(floor, "supervisor").post(VOID, filled(**{left_out: "left out"}))
    assert page.status_code == 422
    assert "look at it again, then sign" in text_of(page)
    assert stage() == Round.Stage.SWEEP


def test_a_round_that_went_on_is_shown_anew_before_it_is_signed(
    floor: House, dealt: RoundName
) -> None:
    supervisor = PagePerson(floor, "supervisor")
    shown = supervisor.get(VOID).context["seen_sum"]
    was = {"seen_stage": shown.stage, "seen_minor": str(shown.returned_minor)}
    settle_part(floor, dealt, "sweep")
    late = supervisor.post(VOID, filled(**was, first_two="none"))
    assert late.status_code == 422
    assert "Round T1/1/1 has changed since" in text_of(late)
    assert stage() == Round.Stage.THIRD_LAP
    assert '<input type="hidden" name="seen_stage" value="pair_settled"' in late.content.decode()
    now = {"seen_stage": "pair_settled", "seen_minor": str(10_000 + 11_000)}
    assert supervisor.post(VOID, filled(**now, first_two="none")).status_code == 302
