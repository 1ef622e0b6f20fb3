"""A closed table of the prepared house, opened under terms that a test states."""

from collections.abc import Iterable, Mapping

from casino.people.services import SignerInput
from tables.models import Shoe
from tables.services.house import (
    publish_limits,
    publish_procedures,
    publish_ruleset,
)
from tables.services.shoes import ShoeChange, prepare_shoe, sign_shoe_step
from tests.factories.house import SET_UP, House, open_the_table, set_terms, signer

GAME = "poker-lucky-9"
T = "T2"


def under_terms(
    house: House,
    *,
    options: Mapping[str, object] | None = None,
    procedures: Mapping[str, object] | None = None,
    limits: Mapping[str, object] | None = None,
    game: str = GAME,
    table: str = T,
) -> None:
    """Let the table deal under these terms from the next shoe on; what is left out is default."""
    set_terms(
        table=table,
        ruleset=publish_ruleset(game=game, name="Test", options=options or {}, by=SET_UP),
        procedures=publish_procedures(game=game, options=procedures or {}, by=SET_UP),
        limits=publish_limits(game=game, options=limits or {}, by=SET_UP),
    )


def preparing(house: House, *, table: str = T) -> int:
    """Open the table and begin a shoe; answers with its number."""
    open_the_table(house, table)
    return prepare_shoe(table=table, by=house.acting("dealer", table=table)).shoe.number


def sign(
    house: House,
    step: str,
    *,
    signers: Iterable[SignerInput] | None = None,
    burned: Iterable[str] = (),
    shoe: int = 1,
    table: str = T,
) -> ShoeChange:
    """Sign one step at the table's tablet; the check by dealer and supervisor."""
    names = ("dealer", "supervisor") if step == "check" else ("dealer",)
    return sign_shoe_step(
        table=table,
        shoe=shoe,
        step=step,
        signers=list(signers or (signer(name) for name in names)),
        burned=list(burned),
        by=house.acting("dealer", table=table),
    )


def sign_until_burn(house: House, *, shoe: int = 1, table: str = T) -> None:
    """Sign shuffle, check and cut."""
    for step in ("shuffle", "check", "cut"):
        sign(house, step, shoe=shoe, table=table)


def stored_shoe(number: int = 1, *, table: str = T) -> Shoe:
    """The shoe as it is stored now."""
    return Shoe.objects.get(key=f"{table}/{number}")
