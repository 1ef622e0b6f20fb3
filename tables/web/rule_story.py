"""The life of rules as a timeline: what the log says of a draft and of what it became."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from audit.log.selectors import EntryView, entries_of
from casino.people.selectors import names_by_number


class Said(NamedTuple):
    """How one kind of entry is shown."""

    sentence: Promise | str
    tone: str
    shape: str


_SAID: Final[Mapping[str, Said]] = {
    "rules.drafted": Said(_("Drafted"), "done", "sign"),
    "rules.redrafted": Said(_("Written anew"), "done", "sign"),
    "rules.submitted": Said(_("Put up for approval"), "held", "waiting"),
    "rules.returned": Said(_("Taken back from approval"), "late", "undo"),
    "rules.approved": Said(_("Approved by the first manager"), "live", "sign"),
    "rules.discarded": Said(_("Discarded"), "void", "void"),
    "rules.retired": Said(_("Retired"), "void", "void"),
    "ruleset.published": Said(_("Published"), "win", "saved"),
    "procedures.published": Said(_("Published"), "win", "saved"),
    "limits.published": Said(_("Published"), "win", "saved"),
}


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One entry of the life of rules."""

    at: datetime
    sentence: str
    who: str
    why: str
    tone: str
    shape: str
    place: str


def rule_story(hash_: str, *, draft: str) -> list[StoryLine]:
    """Return what happened to a draft and to the rules under a hash, oldest first."""
    entries = {entry.id: entry for entry in (*_entries(draft), *_entries(hash_))}
    names = names_by_number({number for entry in entries.values() for number in _signers(entry)})
    return [_line(entry, names) for _id, entry in sorted(entries.items())]


def _entries(subject: str) -> list[EntryView]:
    return [entry for entry in entries_of(subject) if entry.stream == "rulesets"] if subject else []


def _line(entry: EntryView, names: Mapping[str, str]) -> StoryLine:
    said = _SAID.get(entry.action, Said(entry.action, "done", "done"))
    data = entry.body.get("data")
    reason = data.get("reason", "") if isinstance(data, Mapping) else ""
    return StoryLine(
        at=entry.at,
        sentence=str(said.sentence),
        who=_people(entry, names),
        why=str(reason),
        tone=said.tone,
        shape=said.shape,
        place=f"{entry.stream} {entry.seq}",
    )


def _people(entry: EntryView, names: Mapping[str, str]) -> str:
    """Name who signed, and who acted where nobody signed."""
    signed = [names.get(number, number) for number in _signers(entry)]
    return ", ".join(signed) or f"{entry.actor_name}, {entry.role}"


def _signers(entry: EntryView) -> list[str]:
    facts = entry.body.get("facts")
    rows = [fact for fact in facts if isinstance(fact, Mapping)] if isinstance(facts, list) else []
    return [
        str(fact["row"]["staff"])
        for fact in rows
        if fact.get("kind") == "signature" and isinstance(fact.get("row"), Mapping)
    ]
