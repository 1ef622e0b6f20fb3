"""Findings: a list, and one with its life."""

from tests.web.samples.values import Context, Values, ago


def findings() -> list[Values]:
    """Return two findings, one of them late."""
    late = Values(
        number="F-12",
        url="#",
        sentence="A ninth four of clubs was keyed as seen in round T1/7/12.",
        severity="warning",
        state="open",
        subject_kind="round",
        subject_key="T1/7/12",
        subject_url="#",
        table_code="T1",
        raised_by="system:checks",
        raised_at=ago(5400),
        due_at=ago(60),
        is_late=True,
        owner="",
        kind="shoe.one_card_too_many",
        kind_name="One card too many",
    )
    done = Values(**{**vars(late), "number": "F-11", "state": "closed", "is_late": False})
    return [late, Values(**{**vars(done), "severity": "alarm", "owner": "M-02"})]


def findings_page() -> Context:
    """Return a list of findings."""
    return {
        "sentence": "All findings of table T1 that are open or answered.",
        "form": None,
        "findings": findings(),
        "counts": [Values(state="open", number=1, url="#")],
        "page": Values(after_url="#", first_url=""),
    }


def finding_page() -> Context:
    """Return one finding with a note."""
    note = Values(
        author_name="Jun Santos",
        author_role="supervisor",
        text="The card was looked at; the shoe goes on.",
        state_after="answered",
        at=ago(500),
    )
    return {
        "finding": findings()[0],
        "details": [("Card", "four of clubs")],
        "notes": [note],
        "form": None,
        "findings_url": "#",
        "kind_url": "#",
    }
