"""The form of a draft offers what the check takes, and shows what the draft says already."""

from tables.models import RuleDraft, RuleKind
from tests.support.pages import PagePerson, boxes_of
from tests.tables.rules.managers import Managers, drafted, options_of
from tests.tables.rules.pages import says


def test_a_form_of_procedures_offers_what_the_game_takes(
    managers: Managers,
) -> None:
    manager = PagePerson(managers.house, "manager")
    procedures = RuleKind.PROCEDURES
    fresh = drafted(managers, options_of(kind=procedures), kind=procedures).draft
    boxes = boxes_of(manager.get(f"/rulesets/drafts/{fresh.number}/edit/"))
    assert {"o:burn", "o:correction_minutes"} <= boxes.keys()
    assert not {"o:bank", "o:deal_direction", "o:count_policy", "o:count_every"} & boxes.keys()
    answer = manager.post(f"/rulesets/drafts/{fresh.number}/edit/", {**boxes, "o:burn": "none"})
    assert answer.status_code == 302
    assert RuleDraft.objects.get().options == options_of(kind=procedures, burn="none")
    # What a draft says already is shown as it is, and the check says what is wrong with it.
    odd = options_of(kind=procedures, count_policy="on_incident")
    held = drafted(managers, odd, kind=procedures).draft
    boxes = boxes_of(manager.get(f"/rulesets/drafts/{held.number}/edit/"))
    assert boxes["o:count_policy"] == "on_incident"
    says(manager.get(f"/rulesets/drafts/{held.number}/"), "every_shoe")
