"""A round at the table: wagers, cards, revisions, stages."""

import pytest

from tests.factories.house import build_house, open_floor, play_round

pytestmark = pytest.mark.django_db


def test_a_whole_round_is_dealt_and_settled() -> None:
    house = build_house()
    open_floor(house)
    name = play_round(
        house,
        {1: {"main": 10000, "pair": 1000}, 3: {"main": 20000, "jacks": 500}},
        {1: ["2H", "7C", "KD"], 3: ["8S", "8D", "3C"], 0: ["5S", "3D", "QC"]},
    )
    assert name.key == "T1/1/1"
