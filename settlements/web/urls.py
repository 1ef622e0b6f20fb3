"""Addresses of the pages of tables, shoes and rounds."""

from django.urls import path

from settlements.web import (
    corrections,
    in_charge,
    paper,
    rounds,
    shoe_voids,
    shoes,
)
from settlements.web.disputes import acts as dispute_acts
from settlements.web.disputes import pages as disputes
from settlements.web.irregularities import pages as irregularities
from settlements.web.irregularities import recording

app_name = "settlements"

_SHOE = "tables/<str:code>/shoes/<int:number>/"
_IRREGULARITIES = "tables/<str:code>/irregularities/"
_ROUND = "tables/<str:code>/shoes/<int:shoe>/rounds/<int:number>/"
_DISPUTE = "disputes/<str:code>/<int:number>/"

urlpatterns = [
    path("tables/<str:code>/", shoes.table, name="table_page"),
    path(_SHOE, shoes.page, name="shoe_page"),
    path(_ROUND, rounds.page, name="round_page"),
    path(f"{_ROUND}correct/", corrections.correct, name="correct"),
    path("irregularities/", irregularities.listing, name="irregularities"),
    path(f"{_IRREGULARITIES}record/", recording.choose, name="choose_irregularity"),
    path(
        f"{_IRREGULARITIES}record/<int:event>/<str:procedure>/",
        recording.record,
        name="record_case",
    ),
    path(f"{_IRREGULARITIES}<int:number>/", irregularities.page, name="irregularity"),
    path(
        f"{_IRREGULARITIES}<int:number>/amend/",
        irregularities.amend,
        name="amend_irregularity",
    ),
    path(f"{_SHOE}void-rounds/", shoe_voids.rounds, name="void_rounds"),
    path("tables/<str:code>/dispute/", dispute_acts.choose_round, name="dispute_round"),
    path(f"{_ROUND}dispute/", dispute_acts.open_in_round, name="open_dispute"),
    path("disputes/", disputes.register, name="disputes"),
    path(_DISPUTE, disputes.dispute, name="dispute"),
    path(f"{_DISPUTE}file/", dispute_acts.keep, name="dispute_file"),
    path(f"{_DISPUTE}ruling/", dispute_acts.rule, name="dispute_ruling"),
    path("in-charge/", in_charge.in_charge, name="in_charge"),
    path(f"{_ROUND}sheet/", paper.sheet, name="sheet"),
    path(f"{_ROUND}sheet/check/", paper.check, name="sheet_check"),
    path(f"{_ROUND}sheet/copies/", paper.copies, name="sheet_copies"),
    path(f"{_ROUND}sheet/anew/", paper.anew, name="sheet_anew"),
]
