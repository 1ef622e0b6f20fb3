"""Settled pair wagers of hands that died after the sweep (A20): they stand in it as void lines."""

import pytest

from settlements.models import Payout, Settlement
from settlements.selectors.paid import paid_lines
from settlements.services.irregularity_preview import foresee_irregularity
from tables.models import DisputeHold, TakenOut
from tables.selectors.round_read import RoundName, read_round
from tables.services.disputes import Ruling, release_dispute
from tests.factories.house import House, open_floor, settle_part
from tests.settlements.correcting import correct, mispaid, sums
from tests.support.api import ApiPerson
from tests.support.pages import PagePerson, text_of
from tests.tables.irregularities.ruling import (
    DEAL,
    begin,
    case,
    deal,
    finish,
    paid,
    prove,
    rule,
    session,
    signed,
    wager,
)
from tests.tables.terms import T, under_terms

PAIRS = {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000, "pair": 700}}
# Seat 1 has a pair in its first two cards, seat 3 has none.
SWEPT = {(1, "pair"): ("win", 11000), (3, "pair"): ("lose", 0)}
BACK = {**SWEPT, (1, "pair"): ("void", 1000)}
WON = ("win", 39000)
THIRDS = ["?", "4C", "QC"]


def swept(house: House, *, table: str = "T1") -> RoundName:
    """A round whose pair wagers were just settled; all third cards lie face down."""
    name = begin(house, PAIRS, cards=DEAL[:6], table=table)
    settle_part(house, name, "sweep")
    assert paid(name) == SWEPT
    return name


def dead(
    house: House, name: RoundName, seat: int = 1, *, touched: bool | tuple[int, ...] | None = None
) -> None:
    """Seat's hand has a wrong number of cards; the fault touches its first two."""
    first_two = (seat,) if touched is None else touched
    rule(house, 9, "void_seat", "M", name=name, seats=(seat,), first_two=first_two, cards_out=9)


def sweep_line(name: RoundName, revision: int, seat: int = 1) -> tuple[object, ...]:
    """The line of a pair wager: outcome, stake, owed, handed, the bank's, clause and reason."""
    row = Payout.objects.get(round__key=name.key, part="sweep", revision=revision, seat=seat)
    return (
        row.outcome,
        row.stake_minor,
        row.owed_minor,
        row.handed_minor,
        row.bank_minor,
        row.clause,
        row.why["code"],
    )


VOID_LINE = ("void", 1000, 1000, 1000, 0, "A20", "pair_of_dead_hand")


@pytest.mark.parametrize("option", ["stands", "reversed"])
@pytest.mark.parametrize(
    ("event", "procedure", "letters"),
    [(6, "void_hands", "M"), (9, "void_seat", "M"), (20, "dead_hand", "S")],
)
def test_a_pair_bet_that_goes_back_with_its_hand_stands_as_a_void_line(
    house: House, event: int, procedure: str, letters: str, option: str
) -> None:
    under_terms(house, options={"pair_bet_on_void": option})
    open_floor(house, T)
    name = swept(house, table=T)
    assert session(T).bank_handed_minor == -10000 + 700
    touched: bool | tuple[int, ...] = (1,) if option == "stands" else False
    made = case(house, event, procedure, name=name, seats=(1,), first_two=touched, cards_out=9)
    shown = foresee_irregularity(case=made, by=house.acting("supervisor"))
    (turn,) = (each for each in shown.wagers if (each.seat, each.wager) == (1, "pair"))
    assert (turn.what, turn.back_minor, turn.collect_minor) == ("undone", 0, 10000)
    rule(house, event, procedure, letters, name=name, seats=(1,), first_two=touched, cards_out=9)
    assert paid(name) == BACK
    assert sweep_line(name, 1) == ("win", 1000, 11000, 11000, -10000, "A18", "pair_wins")
    assert sweep_line(name, 2) == VOID_LINE
    assert Settlement.objects.get(part="sweep", revision=2).kind == "corrected"
    assert sums(name, "sweep", 2) == (700, 700, 700)
    out = TakenOut.objects.get()
    assert (out.stands, out.reverses) == ([], ["pair"])
    finish(house, name, THIRDS, start=7)
    assert paid(name) == {**BACK, (3, "main"): WON}
    assert (session(T).handle_minor, session(T).bank_handed_minor) == (20700, 700 - 19000)
    prove(house, out=9, table=T)


def test_a_pair_bet_that_stands_keeps_its_line(house: House) -> None:
    name = swept(house)
    dead(house, name, touched=False)
    assert (TakenOut.objects.get().stands, TakenOut.objects.get().reverses) == (["pair"], [])
    assert read_round(name).sweep_revision == 1
    finish(house, name, THIRDS, start=7)
    assert paid(name) == {**SWEPT, (3, "main"): WON}
    prove(house, out=9)


@pytest.mark.parametrize("out", [6, 9])
def test_a_dead_hand_keeps_its_settled_pair_bet_alone_and_needs_no_third_card(
    house: House, out: int
) -> None:
    """Where a side bet needs no main bet, it would buy a hand of its own (A21)."""
    under_terms(house, options={"side_requires_main": False})
    open_floor(house, T)
    name = swept(house, table=T)
    rule(house, 20, "dead_hand", "S", name=name, seats=(1,), cards_out=out)
    finish(house, name, THIRDS if out == 9 else THIRDS[1:], start=7)
    assert paid(name) == {**SWEPT, (3, "main"): WON}
    prove(house, out=8 + (out == 9), table=T)


def test_what_went_back_stays_in_the_sweep_when_the_next_hand_dies(house: House) -> None:
    name = swept(house)
    dead(house, name)
    dead(house, name, 3)
    assert paid(name) == {(1, "pair"): ("void", 1000), (3, "pair"): ("void", 700)}
    assert sweep_line(name, 3) == VOID_LINE
    assert sums(name, "sweep", 3) == (0, 0, 0)
    assert list(
        Payout.objects.filter(part="sweep", revision=3)
        .order_by("id")
        .values_list("seat", flat=True)
    ) == [3, 1], "from the dealer's right back to the left (A31)"
    assert session().bank_handed_minor == 0
    finish(house, name, ["?", "?", "QC"], start=7)
    prove(house, out=9)


def test_of_a_bet_above_the_maximum_what_counted_is_returned(house: House) -> None:
    under_terms(house, limits={"max": {"pair": 600}})
    open_floor(house, T)
    wagers = {1: {"main": 10000, "pair": 600}, 3: {"main": 20000}}
    name = begin(house, wagers, cards=DEAL[:3], table=T)
    rule(house, 24, "cap", "S", name=name, wagers=(wager(1, "pair", 1000),))
    deal(house, name, DEAL[3:6], start=4)
    settle_part(house, name, "sweep")
    assert paid(name) == {(1, "pair"): ("win", 6600)}
    dead(house, name)
    assert sweep_line(name, 2)[:5] == ("void", 600, 600, 600, 0)
    finish(house, name, THIRDS, start=7)
    prove(house, out=9, table=T)


def test_a_correction_keeps_the_void_line(house: House) -> None:
    name = swept(house)
    dead(house, name)
    finish(house, name, THIRDS, start=7)
    correct(house, name, mispaid({(3, "pair"): 300}, moved=False))
    assert sweep_line(name, 3) == VOID_LINE
    assert sweep_line(name, 3, seat=3)[:4] == ("lose", 700, 0, 300)
    wagers = {1: {"main": 10000, "pair": 1500}}
    correct(house, name, mispaid({}, moved=True, wagers=wagers))
    assert sweep_line(name, 4)[:5] == ("void", 1500, 1500, 1500, 0)
    assert session().bank_owed_minor == 700 - 19000
    prove(house, findings=["payout.mispaid"])


@pytest.mark.parametrize("touched", [(), (3,), (1, 3)])
def test_a_void_of_the_round_leaves_what_went_back_before(
    house: House, touched: tuple[int, ...]
) -> None:
    name = swept(house)
    dead(house, name)
    made = case(house, 26, "void", name=name, first_two=touched, cards_out=9)
    shown = foresee_irregularity(case=made, by=house.acting("supervisor"))
    assert [(each.seat, each.wager) for each in shown.wagers] == [(3, "main"), (3, "pair")]
    voided = rule(house, 26, "void", "SM", name=name, first_two=touched, cards_out=9).voided
    assert voided is not None
    assert {(line.seat, line.wager) for line in voided.lines} == {(3, "main"), (3, "pair")}
    third = ("void", 700) if touched else ("lose", 0)
    assert paid(name) == {
        (1, "pair"): ("void", 1000),
        (3, "pair"): third,
        (3, "main"): ("void", 20000),
    }
    read = read_round(name)
    assert read.sweep_revision == (3 if touched else 2)
    assert sweep_line(name, read.sweep_revision) == VOID_LINE
    told = paid_lines(read)["lines"]
    assert isinstance(told, list)
    assert len(told) == (3 if touched else 1), "a sweep from before the void is not told again"
    gained = 0 if touched else 700
    assert (session().handle_minor, session().bank_handed_minor) == (gained, gained)
    correct(house, name, mispaid({(3, "main"): 15000}, moved=False))
    assert sweep_line(name, read_round(name).sweep_revision) == VOID_LINE
    prove(house, out=9, findings=["payout.mispaid"])


def test_an_evacuation_holds_no_stake_that_went_back_before(house: House) -> None:
    name = swept(house)
    dead(house, name)
    rule(house, 32, "hold", "SH", name=name, cards_out=9)
    assert DisputeHold.objects.get().disputed_minor == 20000
    assert paid(name) == {**BACK, (3, "main"): ("void", 20000)}
    prove(house)


def test_a_correction_of_a_void_keeps_a_void_line_alone_in_its_sweep(house: House) -> None:
    alone = {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000}}
    name = begin(house, alone, cards=DEAL[:6])
    settle_part(house, name, "sweep")
    dead(house, name)
    rule(house, 26, "void", "SM", name=name, cards_out=9)
    correct(house, name, mispaid({(3, "main"): 15000}, moved=False))
    assert read_round(name).sweep_revision == 2
    assert paid(name) == {(1, "pair"): ("void", 1000), (3, "main"): ("void", 20000)}
    prove(house, findings=["payout.mispaid"])


def test_a_ruling_on_a_dead_hand_leaves_the_void_line(house: House) -> None:
    name = swept(house)
    rule(house, 20, "dead_hand", "S", name=name, seats=(1,), first_two=(1,), cards_out=9)
    assert DisputeHold.objects.get().disputed_minor == 10000, "the pair bet is not held"
    finish(house, name, THIRDS, start=7)
    release_dispute(
        table="T1",
        number=1,
        ruling=Ruling("patron", "The camera shows nothing."),
        signers=signed("SH"),
        by=house.acting("supervisor"),
    )
    given = TakenOut.objects.order_by("-revision").values_list("returned_minor", "reverses")
    assert list(given) == [(None, ["pair"]), (0, ["pair"])]
    correct(house, name, mispaid({(3, "pair"): 300}, moved=False))
    assert sweep_line(name, 3) == VOID_LINE
    prove(house, findings=["payout.mispaid"])


def test_the_page_and_the_api_say_what_is_taken_back(house: House) -> None:
    name = swept(house)
    dead(house, name)
    told = "hand dead, its open wagers went back Pair was settled and is taken back"
    page = PagePerson(house, "auditor").get("/tables/T1/irregularities/1/")
    assert told in text_of(page)
    shown = ApiPerson(house, "supervisor").get("tables/T1/irregularities/1")
    assert [(each["stands"], each["reverses"]) for each in shown["taken_out"]] == [([], ["pair"])]
