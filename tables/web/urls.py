"""Addresses of the floor's pages."""

from django.urls import path

from tables.web import board, glass, paper, sessions, shoes
from tables.web.rule_urls import RULE_PATTERNS

app_name = "tables"

urlpatterns = [
    path("table/", glass.glass, name="glass"),
    path("pit/", board.pit, name="pit"),
    path("pit/<str:code>/", board.board, name="board"),
    path("tables/<str:code>/start/", sessions.start, name="start_session"),
    path("tables/<str:code>/start-closing/", sessions.begin_closing, name="start_closing"),
    path("tables/<str:code>/counts/<str:kind>/", sessions.count, name="count"),
    path("tables/<str:code>/counts/<str:kind>/agreed/", sessions.finish, name="finish_count"),
    path("tables/<str:code>/prepare-shoe/", shoes.prepare, name="prepare_shoe"),
    path("tables/<str:code>/shoes/<int:number>/end/", shoes.end, name="end_shoe"),
    path("tables/<str:code>/paper/", paper.paper, name="paper"),
    *RULE_PATTERNS,
]
