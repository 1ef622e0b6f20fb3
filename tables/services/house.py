"""Reference data of the house: settings, pits, tables, and the rules of its set-up.

Everything here is written by commands; the streams are `house`, `rulesets` and, for a table's
terms, the table's own. Settings, pits and tables are an administrator's. Rules are published here
without approvals while a house is set up, by the system alone: people go the way of `rule_life` and
`terms`. A house of its own gets its first rules by `set_first_terms`, from presets.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from audit.log.rows import Actor, Receipt, Ref, Row
from audit.log.services import append, create_stream, lock_stream, service
from casino.kernel.text import clean_text
from casino.people.errors import NameEmptyError, RoleNotAllowedError
from casino.people.models import Role
from tables.errors import TableMissingError
from tables.faults import fault_documents
from tables.games import PRESETS
from tables.games.presets import Preset
from tables.house_errors import (
    ChipsRefusedError,
    CurrencyChangedError,
    CutOverRefusedError,
    HouseInPlayError,
    NameRefusedError,
    PitMissingError,
    PresetUnknownError,
    SeatsRefusedError,
    TermsStandError,
    ZoneRefusedError,
)
from tables.models import HouseSettings, Pit, RuleKind, Table, TableSession, TableTerms
from tables.rule_errors import RulesFaultyError, RulesSetUpOnlyError
from tables.selectors.floor import read_table
from tables.selectors.house import gaming_day_at
from tables.selectors.rule_content import RuleContent, content_contradictions, load_content
from tables.selectors.terms_check import NewTerms
from tables.services.publishing import publication_rows, stored_rules
from tables.services.terms import require_terms

HOUSE = "house"
RULESETS = "rulesets"
_SYSTEM = "system:"
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,15}")
SEATS_DEFAULT = 5
SEATS_MAX = 9
_HOURS = 24
_NAME_CHARACTERS_MAX = 60


@service
def set_house(
    *,
    name: str,
    currency_code: str,
    currency_exponent: int,
    zone: str,
    cut_over_hour: int,
    denominations: Sequence[int],
    effective_at: datetime,
    by: Actor,
) -> Receipt:
    """State the house's settings from an instant on; denominations in minor units.

    Gaming days that are stored already stay as they are. Raises ZoneRefusedError,
    CutOverRefusedError, ChipsRefusedError, NameEmptyError, CurrencyChangedError,
    RoleNotAllowedError.
    """
    _require_administrator(by)
    name = _clean_name(name)
    if not 0 <= cut_over_hour < _HOURS:
        raise CutOverRefusedError(value=cut_over_hour)
    if not denominations or min(denominations) < 1 or len(set(denominations)) < len(denominations):
        raise ChipsRefusedError
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ZoneRefusedError(value=zone) from error
    lock_stream(HOUSE)
    latest = HouseSettings.objects.order_by("-revision").first()
    if latest and (latest.currency_code, latest.currency_exponent) != (
        currency_code,
        currency_exponent,
    ):
        raise CurrencyChangedError(currency=latest.currency_code)
    return append(
        stream=HOUSE,
        action="house.set",
        subject="house",
        actor=by,
        facts=[
            Row(
                HouseSettings,
                {
                    "revision": latest.revision + 1 if latest else 1,
                    "name": name,
                    "currency_code": currency_code,
                    "currency_exponent": currency_exponent,
                    "zone": zone,
                    "cut_over_hour": cut_over_hour,
                    "denominations": sorted(denominations, reverse=True),
                    "effective_at": effective_at,
                },
            )
        ],
    )


@service
def create_pit(*, code: str, name: str, by: Actor) -> Receipt:
    """Create a pit. Raises NameRefusedError when the code is malformed or was used before,
    NameEmptyError, RoleNotAllowedError.
    """
    _require_administrator(by)
    _require_code(code)
    name = _clean_name(name)
    lock_stream(HOUSE)
    if Pit.objects.filter(code=code).exists():
        raise NameRefusedError(value=code)
    return append(
        stream=HOUSE,
        action="pit.created",
        subject=code,
        actor=by,
        new_heads=[Row(Pit, {"code": code, "name": name})],
    )


@service
def create_table(
    *, code: str, name: str, pit: str, by: Actor, seats: int = SEATS_DEFAULT
) -> Receipt:
    """Create a table and its stream. Raises NameRefusedError when the code was used before,
    PitMissingError, SeatsRefusedError, NameEmptyError, RoleNotAllowedError.
    """
    _require_administrator(by)
    _require_code(code)
    name = _clean_name(name)
    if not 1 <= seats <= SEATS_MAX:
        raise SeatsRefusedError(most=SEATS_MAX, value=seats)
    found = Pit.objects.filter(code=pit).first()
    if found is None:
        raise PitMissingError(pit=pit)
    stream = f"table/{code}"
    create_stream(stream)
    lock_stream(stream)
    if Table.objects.filter(code=code).exists():
        raise NameRefusedError(value=code)
    return append(
        stream=stream,
        action="table.created",
        subject=code,
        actor=by,
        new_heads=[
            Row(
                Table,
                {
                    "code": code,
                    "name": name,
                    "pit": Ref(found.pk, found.code),
                    "seats": seats,
                },
            )
        ],
    )


@service
def publish_ruleset(*, game: str, name: str, options: Mapping[str, object], by: Actor) -> Ref:
    """Publish a game with all its options at set-up; the same options give the same row.

    What is left out takes the default (round document). Raises RulesetError with all faults,
    RulesFaultyError for options that make each other void of effect, RulesSetUpOnlyError.
    """
    return _publish(load_content(RuleKind.RULESET, game, options), name=name, by=by)


@service
def publish_procedures(*, game: str, options: Mapping[str, object], by: Actor) -> Ref:
    """Publish at set-up what is done at a table (rules 1E). Raises ProceduresError with all faults,
    RulesFaultyError for what has no effect in this game, RulesSetUpOnlyError.
    """
    return _publish(load_content(RuleKind.PROCEDURES, game, options), name="", by=by)


@service
def publish_limits(*, game: str, options: Mapping[str, object], by: Actor) -> Ref:
    """Publish at set-up which wagers are taken, in minor units (A24). Raises LimitsError with all
    faults, RulesSetUpOnlyError.
    """
    return _publish(load_content(RuleKind.LIMITS, game, options), name="", by=by)


def _publish(content: RuleContent, *, name: str, by: Actor) -> Ref:
    """Write rules once under their hash; what a hash names never changes (design 4)."""
    _require_set_up(by)
    faults = content_contradictions(content)
    if faults:
        raise RulesFaultyError(count=len(faults), faults=fault_documents(faults))
    lock_stream(RULESETS)
    stored = stored_rules(content)
    if stored is not None:
        return stored
    receipt = append(
        stream=RULESETS,
        action=f"{content.kind}.published",
        subject=content.hash,
        actor=by,
        facts=publication_rows(content, name=name, draft=None, effective_day=None),
    )
    return Ref(receipt.ids[0], content.hash)


def _require_set_up(by: Actor) -> None:
    """Refuse people: theirs is the way of drafts and approvals (`rule_life`, `terms`)."""
    if not by.key.startswith(_SYSTEM):
        raise RulesSetUpOnlyError


@service
def set_table_terms(*, table: str, terms: NewTerms, day: date, by: Actor) -> Receipt:
    """State at set-up what a table deals under: from the next shoe, limits from the next round.

    The rules are asked what `terms.assign_terms` asks them when a manager acts. Raises
    TermsRefusedError with every fault, TableMissingError, RulesSetUpOnlyError.
    """
    _require_set_up(by)
    _lock_table(table)
    lock_stream(RULESETS)
    floor = read_table(table)
    known = require_terms(floor, terms, day=day)
    before = floor.terms
    values = {
        "table": floor.table,
        "revision": before.revision + 1 if before else 1,
        **{kind: known[hash_].ref for kind, hash_ in terms.items()},
    }
    return append(
        stream=f"table/{table}",
        action="table.terms_set",
        subject=table,
        actor=by,
        facts=[Row(TableTerms, values)],
    )


def _lock_table(table: str) -> None:
    """Lock the stream of a table, before that of the rules. Raises TableMissingError."""
    if not Table.objects.filter(code=table).exists():
        raise TableMissingError(table=table)
    lock_stream(f"table/{table}")


@service
def set_preset_terms(
    *, table: str, preset: Preset, limits: Mapping[str, object], day: date, by: Actor
) -> Receipt:
    """Publish at set-up what a preset names, and let a table deal under it and these limits.

    Raises LimitsError with all faults, TermsRefusedError, TableMissingError, RulesSetUpOnlyError.
    """
    _require_set_up(by)
    _lock_table(table)
    ruleset = publish_ruleset(game=preset.game, name=preset.name, options=preset.options, by=by)
    procedures = publish_procedures(game=preset.game, options=preset.procedures, by=by)
    limit = publish_limits(game=preset.game, options=limits, by=by)
    terms = NewTerms(ruleset=ruleset.key, procedures=procedures.key, limits=limit.key)
    return set_table_terms(table=table, terms=terms, day=day, by=by)


@service
def set_first_terms(
    *, table: str, preset: str, limits: Mapping[str, object], now: datetime, by: Actor
) -> Receipt:
    """Give a table its first terms from a preset, while no table of the house was ever opened.

    An administrator has no say about rules (design 10): a preset is nobody's draft, and once the
    house plays, terms are a manager's act and rules need approvals. The log names the set-up and
    who ran it. Raises HouseInPlayError, TermsStandError, PresetUnknownError, LimitsError,
    TermsRefusedError, TableMissingError, RoleNotAllowedError, HouseSettingsMissingError.
    """
    _require_administrator(by)
    known = PRESETS.get(preset)
    if known is None:
        raise PresetUnknownError(value=preset, presets=", ".join(PRESETS))
    _lock_table(table)
    if TableSession.objects.exists():
        raise HouseInPlayError(table=table)
    if TableTerms.objects.filter(table__code=table).exists():
        raise TermsStandError(table=table)
    set_up = Actor(key=f"{_SYSTEM}set-up", name=f"set-up, {by.name} ({by.key})", role="system")
    day = gaming_day_at(now)
    return set_preset_terms(table=table, preset=known, limits=limits, day=day, by=set_up)


def _require_administrator(by: Actor) -> None:
    """Let pass who administers, and the system. Raises RoleNotAllowedError."""
    if by.role != Role.ADMINISTRATOR and not by.key.startswith(_SYSTEM):
        raise RoleNotAllowedError(role=by.role, roles=[Role.ADMINISTRATOR.value])


def _clean_name(text: str) -> str:
    name = clean_text(text, max_length=_NAME_CHARACTERS_MAX).strip()
    if not name:
        raise NameEmptyError
    return name


def _require_code(code: str) -> None:
    if not _CODE.fullmatch(code):
        raise NameRefusedError(value=code)
