"""API v1 of the desk: days and their runs."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from audit.desk.api import serializers
from audit.desk.permissions import READS_DAYS, RUNS_DAYS
from audit.desk.selectors import day_lines, day_page, read_day
from casino.api.reading import read_body, read_page
from casino.api.schema import PAGE_PARAMETERS
from casino.api.views import ApiView
from casino.people.permissions import require_reader, require_role
from casino.people.person import actor_of, person_of
from settlements.day.runs import start_day_run
from tables.api.serializers import EmptyInput


class DaysView(ApiView):
    """Days that were reconciled."""

    @extend_schema(
        operation_id="days", parameters=PAGE_PARAMETERS, responses=serializers.DaysOutput
    )
    def get(self, request: Request) -> Response:
        """List the newest run of each day, the newest day first."""
        require_reader(request, *READS_DAYS)
        page = read_page(request)
        days = day_lines(after=read_day(page.after) if page.after else None, limit=page.limit)
        following = days[-1].day.isoformat() if len(days) == page.limit else None
        return Response(serializers.DaysOutput({"days": days, "next": following}).data)


class DayView(ApiView):
    """One day."""

    @extend_schema(operation_id="day", responses=serializers.DayOutput)
    def get(self, request: Request, text: str) -> Response:
        """Get a day by its newest run: totals, problems, files."""
        require_reader(request, *READS_DAYS)
        return Response(serializers.DayOutput(day_page(read_day(text))).data)


class DayRunsView(ApiView):
    """Runs of a day."""

    @extend_schema(
        operation_id="reconcile_day",
        request=EmptyInput,
        responses={201: serializers.DayOutput},
    )
    def post(self, request: Request, text: str) -> Response:
        """Reconcile a day that is over anew; earlier runs stay."""
        require_role(person_of(request), *RUNS_DAYS)
        read_body(EmptyInput, request)
        day = read_day(text)
        start_day_run(day=day, now=timezone.now(), by=actor_of(request))
        body = serializers.DayOutput(day_page(day)).data
        return Response(body, status=status.HTTP_201_CREATED)
