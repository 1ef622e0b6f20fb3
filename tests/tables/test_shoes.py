"""Shoes: prepared in signed steps, burned from, and who signs what (event 16, control 4.6)."""

from collections.abc import Sequence
from hashlib import sha256

import pytest

from audit.chain import canonical
from audit.log.models import Entry
from casino.people.models import Signature
from tables.models import BurnedCard, ShoeStep
from tables.services.rounds import open_betting
from tables.services.shoes import ShoeChange, burn_cards, prepare_shoe
from tests.factories.house import House, bet, open_round, open_the_table, signer
from tests.support.records import last_entry, refused
from tests.tables.terms import T, preparing, sign, sign_until_burn, stored_shoe, under_terms

STEPS = ("shuffle", "check", "cut", "burn")


def burn(
    house: House,
    faces: Sequence[str],
    *,
    event: int = 2,
    reason: str = "exposed",
    name: str = "supervisor",
) -> ShoeChange:
    by = house.acting(name)
    return burn_cards(table="T1", shoe=1, event=event, faces=faces, reason=reason, by=by)


def test_a_shoe_is_ready_when_its_four_steps_are_signed(floor: House) -> None:
    preparing(floor)
    for step in STEPS:
        assert stored_shoe().state == "preparing"
        with refused("shoe.state"):
            open_betting(table=T, shoe=1, by=floor.acting("dealer", table=T))
        sign(floor, step, burned=["7C"] if step == "burn" else ())
    shoe = stored_shoe()
    assert (shoe.state, shoe.cards_burned, shoe.prepared_at) == ("ready", 1, floor.now)
    actions = [f"shoe.{act}" for act in ("started", "shuffled", "checked", "cut", "burned")]
    entries = Entry.objects.filter(stream=f"table/{T}", subject=f"{T}/1").order_by("seq")
    assert list(entries.values_list("action", flat=True)) == actions
    assert list(
        ShoeStep.objects.filter(shoe=shoe).order_by("id").values_list("step", flat=True)
    ) == [*STEPS]
    card = BurnedCard.objects.get(shoe=shoe)
    assert (card.event, card.n, card.face) == (1, 1, "7C")


@pytest.mark.parametrize("done", range(4))
def test_the_steps_come_in_their_order(floor: House, done: int) -> None:
    preparing(floor)
    for step in STEPS[:done]:
        sign(floor, step)
    for step in STEPS[done + 1 :]:
        with refused("shoe.step_order") as caught:
            sign(floor, step, burned=["7C"] if step == "burn" else ())
        assert caught.value.data["expected"] == STEPS[done]
    for step in STEPS[:done]:
        assert sign(floor, step).done_before


def test_a_prepared_shoe_takes_no_further_step(floor: House) -> None:
    preparing(floor)
    sign_until_burn(floor)
    sign(floor, "burn", burned=["7C"])
    for step in STEPS:
        assert sign(floor, step, burned=["7C"] if step == "burn" else ()).done_before
    with refused("shoe.state"):
        sign(floor, "burn", burned=["8C"])


@pytest.mark.parametrize("step", ["shuffle", "check", "cut"])
def test_only_the_burn_states_cards(floor: House, step: str) -> None:
    preparing(floor)
    with refused("burn.not_in_this_step"):
        sign(floor, step, burned=["7C"])


def test_each_signature_states_what_was_signed(floor: House) -> None:
    preparing(floor)
    sign_until_burn(floor)
    sign(floor, "burn", burned=["7C"])
    content = {"shoe": f"{T}/1", "step": "burn", "burned": ["7C"]}
    signature = Signature.objects.get(subject=f"{T}/1", purpose="shoe.burn")
    assert bytes(signature.content_hash) == sha256(canonical(content)).digest()
    assert (signature.staff.number, signature.role) == ("1001", "dealer")
    assert signature.device is not None
    assert signature.device.number == "D2"
    assert signature.entry == last_entry(f"table/{T}"), "in the stream of the act that it signs"
    checked = Signature.objects.filter(subject=f"{T}/1", purpose="shoe.check").order_by("id")
    assert [each.role for each in checked] == ["dealer", "supervisor"]


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["dealer"], "shoe.signers"),
        (["dealer", "dealer_2"], "shoe.signers"),
        (["supervisor"], "shoe.signers"),
        (["dealer", "dealer"], "signature.same_person"),
        (["supervisor", "supervisor"], "signature.same_person"),
    ],
)
def test_the_check_is_signed_by_two_people_one_of_them_a_supervisor(
    floor: House, names: list[str], code: str
) -> None:
    preparing(floor)
    sign(floor, "shuffle")
    with refused(code):
        sign(floor, "check", signers=[signer(name) for name in names])
    sign(floor, "check", signers=[signer("dealer_2"), signer("manager")])
    assert ShoeStep.objects.filter(shoe=stored_shoe()).count() == 2


def test_a_step_is_signed_by_who_prepares_shoes(floor: House) -> None:
    preparing(floor)
    secret = "a long secret of cashier"
    with refused("shoe.signers"):
        sign(floor, "shuffle", signers=[signer("cashier", secret=secret)])
    with refused("signature.role_not_held"):
        sign(floor, "shuffle", signers=[signer("dealer", role="supervisor")])
    with refused("signature.secret_wrong"):
        sign(floor, "shuffle", signers=[signer("dealer", secret="1")])
    assert last_entry("people").action == "signature.refused", "a wrong secret is logged"


# Policy, the cards keyed, how many are expected after the first (A32).
BURNS = [
    ("one", ["7C"]),
    ("one", ["?"]),
    ("none", []),
    ("first_card_value", ["AC", "2C"]),
    ("first_card_value", ["3C", "?", "?", "KH"]),
    ("first_card_value", ["KC", *["?"] * 10]),
    ("first_card_value", ["TC", *["?"] * 10]),
    ("first_card_value", ["?"]),
]


@pytest.mark.parametrize(("policy", "faces"), BURNS)
def test_a_burn_follows_the_policy_of_the_table(
    floor: House, policy: str, faces: list[str]
) -> None:
    under_terms(floor, procedures={"burn": policy})
    preparing(floor)
    sign_until_burn(floor)
    for wrong in ([*faces, "?"], faces[:-1] if len(faces) > 1 else ["?", "?"]):
        with refused("burn.refused") as caught:
            sign(floor, "burn", burned=wrong)
        if wrong[: len(faces)] == faces:
            assert caught.value.data["expected"] in (len(faces), "1 to 11")
    sign(floor, "burn", burned=faces)
    assert stored_shoe().cards_burned == len(faces)
    kept = BurnedCard.objects.filter(shoe=stored_shoe()).order_by("n")
    assert list(kept.values_list("face", flat=True)) == faces


@pytest.mark.parametrize(
    ("detail", "right", "wrong"), [("rank", "7", "7C"), ("rank_suit", "7C", "7")]
)
def test_a_burned_card_is_keyed_as_the_table_keeps_cards(
    floor: House, detail: str, right: str, wrong: str
) -> None:
    under_terms(floor, procedures={"card_detail": detail})
    preparing(floor)
    sign_until_burn(floor)
    for faces in ([wrong], ["1C"], ["c7"]):
        with refused("burn.refused"):
            sign(floor, "burn", burned=faces)
    sign(floor, "burn", burned=[right])


def test_a_shoe_is_pinned_to_the_terms_it_began_under(floor: House) -> None:
    preparing(floor)
    before = stored_shoe()
    under_terms(floor, options={"kicker_by": "points"}, procedures={"burn": "none"})
    sign_until_burn(floor)
    sign(floor, "burn", burned=["7C"])
    assert (stored_shoe().ruleset, stored_shoe().procedures) == (before.ruleset, before.procedures)
    name = open_round(floor, table=T)
    assert name.key == f"{T}/1/1"


def test_shoes_are_numbered_one_after_the_other_and_one_is_in_use(floor: House) -> None:
    by = floor.acting("dealer", table=T)
    with refused("session.state"):
        prepare_shoe(table=T, by=by)
    assert preparing(floor) == 1
    with refused("shoe.in_use") as caught:
        prepare_shoe(table=T, by=by)
    assert caught.value.data == {"shoe": f"{T}/1", "state": "preparing"}


def test_who_prepares_a_shoe(floor: House) -> None:
    open_the_table(floor, T)
    for name in ("cashier", "auditor", "surveillance"):
        with refused("role.not_allowed"):
            prepare_shoe(table=T, by=floor.acting(name))
    for elsewhere in (None, "T3"):
        with refused("device.other_table"):
            prepare_shoe(table=T, by=floor.acting("dealer", table=elsewhere))
    prepare_shoe(table=T, by=floor.acting("supervisor"))


def test_cards_burned_between_rounds_count_in_the_shoe(floor: House) -> None:
    burn(floor, ["7H", "?"])
    burn(floor, ["7H"], event=3, name="manager")
    shoe = stored_shoe(table="T1")
    assert shoe.cards_burned == 4
    kept = BurnedCard.objects.filter(shoe=shoe).order_by("event", "n")
    assert list(kept.values_list("event", "n", "face")) == [
        (1, 1, "?"),
        (2, 1, "7H"),
        (2, 2, "?"),
        (3, 1, "7H"),
    ]
    entry = last_entry("table/T1")
    assert (entry.action, entry.subject) == ("cards.burned", "T1/1")


def test_a_burn_that_is_sent_again_is_the_same_fact(floor: House) -> None:
    """Also when the shoe is in play or ended by then: the answer is the first receipt."""
    first = burn(floor, ["7H", "?"])
    assert not first.done_before
    open_round(floor)
    again = burn(floor, ["7H", "?"], name="manager")
    assert (again.receipt.hash, again.done_before) == (first.receipt.hash, True)
    assert BurnedCard.objects.filter(shoe__key="T1/1", event=2).count() == 2
    assert stored_shoe(table="T1").cards_burned == 3
    assert Entry.objects.filter(action="cards.burned").count() == 1


@pytest.mark.parametrize(
    ("faces", "reason"), [(["7H"], "exposed"), (["?", "7H"], "exposed"), (["7H", "?"], "dropped")]
)
def test_a_burn_is_never_stated_otherwise(floor: House, faces: list[str], reason: str) -> None:
    burn(floor, ["7H", "?"])
    with refused("burn.conflict") as caught:
        burn(floor, faces, reason=reason)
    data = caught.value.data
    assert (data["event"], data["next"]) == (2, 3)
    assert data["stands"] == {"faces": ["7H", "?"], "reason": "exposed"}
    assert data["sent"] == {"faces": faces, "reason": reason}
    with refused("burn.conflict"):
        burn(floor, ["?"], event=1)
    assert stored_shoe(table="T1").cards_burned == 3


@pytest.mark.parametrize("event", [-1, 0, 3])
def test_burns_are_numbered_from_one_without_a_gap(floor: House, event: int) -> None:
    with refused("burn.beyond") as caught:
        burn(floor, ["7H"], event=event)
    assert caught.value.data["next"] == 2
    assert stored_shoe(table="T1").cards_burned == 1


def test_cards_are_not_burned_in_a_round_nor_by_the_dealer(floor: House) -> None:
    with refused("role.not_allowed"):
        burn(floor, ["7H"], name="dealer")
    name = open_round(floor)
    bet(floor, name, {1: {"main": 10000}})
    with refused("round.in_play"):
        burn(floor, ["7H"])
