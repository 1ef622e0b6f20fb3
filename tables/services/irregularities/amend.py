"""What is on record of an irregularity, amended by a revision; what it did stays as it is."""

from dataclasses import astuple

from audit.log.receipts import receipt_of
from audit.log.rows import Receipt, Ref, Row
from audit.log.services import append, lock_stream, service
from casino.people.models import Role
from casino.people.permissions import require_role
from tables.acting import Acting
from tables.irregularities import EVENTS, Told
from tables.irregularity_errors import (
    IrregularityConflictError,
    IrregularityMissingError,
)
from tables.models import Irregularity
from tables.selectors.irregularities import latest_revision
from tables.services.irregularities.ground import require_words
from tables.services.rounds import require_revision

_KEPT = ("event", "stage", "seats", "draws", "procedure", "details", "signed_hash", "happened_at")


@service
def amend_irregularity(
    *, table: str, number: int, revision: int, told: Told, by: Acting
) -> Receipt:
    """Amend what was seen, ruled and told of an irregularity.

    Raises IrregularityMissingError, RevisionSupersededError, RevisionBeyondError,
    IrregularityConflictError, IrregularityTextError, RegulatorToldError.
    """
    require_role(by.person, Role.SUPERVISOR, Role.MANAGER)
    lock_stream(f"table/{table}")
    stands = latest_revision(table, number)
    if stands is None:
        raise IrregularityMissingError(table=table, number=number)
    require_revision(f"irregularity {number}", revision=revision, latest=stands.revision)
    if revision == stands.revision:
        if astuple(told) != _texts(stands):
            raise IrregularityConflictError(table=table, number=number, revision=revision)
        return receipt_of(stands.entry_id)
    ways = EVENTS[stands.event].procedures
    require_words(told, ways.get(stands.procedure), event=stands.event)
    row = Row(
        Irregularity,
        {
            "table": Ref(stands.table_id, table),
            "number": number,
            "revision": revision,
            "shoe": Ref(stands.shoe.pk, stands.shoe.key) if stands.shoe else None,
            "round": Ref(stands.round.pk, stands.round.key) if stands.round else None,
            **{name: getattr(stands, name) for name in _KEPT},
            "ruling": told.ruling,
            "seen": told.seen,
            "chips_moved": told.chips_moved,
            "patrons_told": told.patrons,
            "regulator_told": told.regulator,
        },
    )
    subject = stands.round or stands.shoe
    return append(
        stream=f"table/{table}",
        action="irregularity.amended",
        subject=subject.key if subject else table,
        actor=by.actor,
        facts=[row],
        data={"irregularity": f"{table}/I{number}"},
    )


def _texts(stands: Irregularity) -> tuple[str, ...]:
    return (
        stands.seen,
        stands.ruling,
        stands.chips_moved,
        stands.patrons_told,
        stands.regulator_told,
    )
