import pytest

from casino.kernel.errors import Conflict, DomainError, Forbidden, Invalid, Missing


class ColourError(Invalid):
    code = "card.colour"
    message = "Expected red, not {colour}."


def test_an_error_has_a_code_a_status_data_and_a_sentence() -> None:
    error = ColourError(colour="black")
    assert (error.code, error.status, error.data) == ("card.colour", 422, {"colour": "black"})
    assert error.detail == "Expected red, not black."
    assert str(error) == "card.colour: Expected red, not black."
    assert error.describe(str.upper) == "EXPECTED RED, NOT {COLOUR}."


def test_a_name_missing_from_the_data_does_not_raise() -> None:
    assert ColourError().detail == "Expected red, not {colour}."


def test_many_faults_at_once() -> None:
    faults = [{"code": "a.b", "where": "seat 1", "detail": "x"}]
    assert ColourError(faults=faults).faults == faults
    assert ColourError().faults == []


@pytest.mark.parametrize(
    ("kind", "status"), [(Invalid, 422), (Forbidden, 403), (Missing, 404), (Conflict, 409)]
)
def test_statuses(kind: type[DomainError], status: int) -> None:
    assert kind.status == status


def test_a_code_is_dotted_lower_case() -> None:
    with pytest.raises(TypeError, match="dotted lower case"):
        type("BadError", (Invalid,), {"code": "Bad"})
