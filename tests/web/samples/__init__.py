"""Values for every page of the frame, shaped as the comment at the top of its template says."""

from collections.abc import Callable

from tests.web.samples.board import board
from tests.web.samples.findings import finding_page, findings_page
from tests.web.samples.floor import count, end_shoe, prepare_shoe, table_page
from tests.web.samples.rounds import round_page
from tests.web.samples.shoes import shoe_page, table_overview
from tests.web.samples.values import Context
from tests.web.samples.void_rounds import void_rounds

__all__ = ["PAGES"]

PAGES: dict[str, tuple[str, Callable[[], Context]]] = {
    "board": ("tables/pit_board.html", board),
    "count": ("tables/count.html", count),
    "prepare": ("tables/prepare_shoe.html", prepare_shoe),
    "end": ("tables/end_shoe.html", end_shoe),
    "shoe": ("tables/shoe_page.html", shoe_page),
    "overview": ("tables/table_overview.html", table_overview),
    "glass": ("tables/table_page.html", table_page),
    "round": ("settlements/round_page.html", round_page),
    "findings": ("casino/findings_page.html", findings_page),
    "finding": ("casino/finding_page.html", finding_page),
    "void_rounds": ("settlements/irregularities/rounds.html", void_rounds),
    "404": ("404.html", dict),
    "500": ("500.html", dict),
}
