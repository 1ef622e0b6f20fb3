"""What of a dispute hold came out of the tray, of rows from before that was kept."""

import pytest

from tables.models import DisputeHold
from tables.selectors.held import apart_of


@pytest.mark.parametrize(
    ("in_result", "over", "apart"), [(True, True, 5_000), (True, False, 0), (False, True, 0)]
)
def test_a_hold_of_before_took_its_sum_out_once_the_round_was_over(
    in_result: bool, over: bool, apart: int
) -> None:
    before = DisputeHold(disputed_minor=5_000, in_result=in_result)
    assert apart_of(before, over=over) == apart
    assert apart_of(DisputeHold(disputed_minor=5_000, apart_minor=300), over=over) == 300
