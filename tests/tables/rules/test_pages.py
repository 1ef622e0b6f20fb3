"""The pages of rules as people see them: drafted, signed, published, put to a table, retired."""

from collections.abc import Mapping
from typing import Any

import pytest

from tables.games import PRESETS, load_procedures, load_ruleset
from tables.models import RuleApproval, RuleDraft, RuleKind, RuleStanding, TableTerms
from tables.selectors.floor import read_table
from tables.selectors.rule_content import flatten
from tables.selectors.rule_life import RULES_MAX, in_force
from tables.services.house import publish_limits
from tables.services.rule_life import retire_rules
from tests.factories.house import SET_UP
from tests.support.pages import PagePerson, boxes_of, text_of
from tests.support.records import nothing_recorded
from tests.tables.rules.managers import TODAY, Managers, options_of, published, submitted
from tests.tables.rules.pages import begun, chosen, filled_in, put_up, says, signer

TIE: dict[str, Any] = {"tie_odds": [300, 1]}  # Any: options


@pytest.fixture
def manager(managers: Managers) -> PagePerson:
    """The manager in a browser."""
    return PagePerson(managers.house, "manager")


def shown(person: PagePerson, path: str, *, status: int = 200) -> str:
    """What a page says."""
    page = person.get(path)
    assert page.status_code == status, page.status_code
    return text_of(page)


def test_the_list_names_edges_tables_and_what_waits(managers: Managers) -> None:
    submitted(managers, options_of(**TIE))
    manager, dealer = (
        PagePerson(managers.house, "manager"),
        PagePerson(managers.house, "dealer", table="T1"),
    )
    text = says(manager.get("/rulesets/"), "Waiting", "R-1", "0 of 2", "T1", "Presets")
    for preset in PRESETS.values():
        assert preset.name in text
    assert "1.3%" in text  # the edge of the main bet
    text = shown(dealer, "/rulesets/")
    assert "R-1" not in text
    assert "Presets" not in text
    says(manager.get("/rulesets/?kind=limits"), "New draft", "begins with the defaults")
    text = shown(PagePerson(managers.house, "auditor"), "/rulesets/?kind=procedures")
    assert "R-1" in text
    assert "New draft" not in text


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_begins_a_draft_with_one_press(manager: PagePerson, preset: str) -> None:
    draft = begun(manager, preset=preset)
    assert draft.name == PRESETS[preset].name
    assert draft.options == load_ruleset(draft.game, PRESETS[preset].options).options
    says(manager.get(f"/rulesets/drafts/{draft.number}/edit/"), PRESETS[preset].name, "Save draft")
    # What the form holds is what the draft says: saved as it stands, nothing is changed.
    answer = manager.post(f"/rulesets/drafts/{draft.number}/edit/", filled_in(manager, draft))
    assert answer.status_code == 302, text_of(answer)
    saved = RuleDraft.objects.get(number=draft.number)
    assert (saved.version, saved.options) == (2, draft.options)


def test_presets_say_what_they_change_and_of_what(managers: Managers) -> None:
    manager = PagePerson(managers.house, "manager")
    says(
        manager.get("/rulesets/"),
        "PAGCOR Poker Lucky 9 all defaults Draft",
        "Super 9 Decks: 8; with procedures: Dealt from: a shoe",
        "Fixed bank all defaults; with procedures: Who banks: a seat: the players Draft",
        "Home profile all defaults; with procedures: Who banks: a seat: the players; The bank",
    )
    page = manager.get("/rulesets/?kind=procedures")
    says(page, "Presets", "Fixed bank Who banks: a seat")
    for code, preset in PRESETS.items():
        box = f'name="preset" value="{code}"'
        assert (box in page.content.decode()) == bool(preset.procedures), code
    assert "Presets" not in says(manager.get("/rulesets/?kind=limits"), "New draft")


@pytest.mark.parametrize("preset", ["fixed-bank", "home"])
def test_the_procedures_of_a_preset_begin_a_draft(managers: Managers, preset: str) -> None:
    manager, known = PagePerson(managers.house, "manager"), PRESETS[preset]
    draft = begun(manager, kind="procedures", preset=preset)
    assert (draft.kind, draft.game, draft.name) == ("procedures", known.game, known.name)
    assert draft.options == load_procedures(known.game, known.procedures).values
    says(manager.get(f"/rulesets/drafts/{draft.number}/"), "Put up for approval")
    answer = manager.post(f"/rulesets/drafts/{draft.number}/submit/", {"version": "1"})
    assert answer.status_code == 302, text_of(answer)


@pytest.mark.parametrize("kind", [RuleKind.PROCEDURES, RuleKind.LIMITS])
@pytest.mark.parametrize("game", ["poker-lucky-9", "lucky-9", "lucky-9-social"])
def test_procedures_and_limits_begin_with_defaults(
    manager: PagePerson, kind: str, game: str
) -> None:
    draft = begun(manager, kind=str(kind), game=game)
    answer = manager.post(f"/rulesets/drafts/{draft.number}/edit/", filled_in(manager, draft))
    assert answer.status_code == 302, text_of(answer)
    saved = RuleDraft.objects.get(number=draft.number)
    assert flatten(saved.options) == flatten(draft.options)
    says(manager.get(f"/rulesets/drafts/{draft.number}/"), "Write", "Put up for approval")


def test_a_draft_is_written_and_shows_what_it_would_change(manager: PagePerson) -> None:
    draft = begun(manager, preset="pagcor-poker-lucky-9")
    path = f"/rulesets/drafts/{draft.number}/"
    sent = filled_in(manager, draft, o__tie_odds="300 to 1", name="With a tie bet")
    answer = manager.post(f"{path}edit/", sent)
    assert (answer.status_code, answer["Location"]) == (302, path)
    says(
        manager.get(path),
        "With a tie bet",
        "version 2",
        "1 value differs from what is in force",
        "300 to 1",
        "32.18",  # the edge of the tie bet, beyond what is warned of
        "closed",
        "A13",
        "Written by",
    )


@pytest.mark.parametrize(
    ("box", "text"),
    [("o__tie_odds", "many"), ("o__tie_odds", "1 for 8"), ("o__decks", "9"), ("name", "")],
)
def test_what_is_no_value_is_marked_and_nothing_is_saved(
    manager: PagePerson, box: str, text: str
) -> None:
    draft = begun(manager, preset="pagcor-poker-lucky-9")
    sent = filled_in(manager, draft, **{box: text})
    with nothing_recorded():
        page = manager.post(f"/rulesets/drafts/{draft.number}/edit/", sent)
    says(page, "nothing was saved", status=422)
    assert "errorlist" in page.content.decode()


def test_whoever_saves_an_older_version_is_told(manager: PagePerson) -> None:
    draft = begun(manager, preset="pagcor-poker-lucky-9")
    path = f"/rulesets/drafts/{draft.number}/edit/"
    sent = filled_in(manager, draft)
    manager.post(path, {**sent, "name": "First"})
    with nothing_recorded():
        page = manager.post(path, {**sent, "name": "Second"})
    says(page, "is at version 2 by now. Read it again.", status=422)


def test_two_other_managers_sign_what_the_page_shows(manager: PagePerson) -> None:
    path = put_up(manager)
    draft = RuleDraft.objects.latest("serial")
    says(manager.get(path), "0 of 2", draft.content_hash, "Approve")
    approve = f"{path}approve/"
    refusals = (
        ({**signer("manager_2", secret="000000")}, 403, "Signature 1"),
        ({**signer("manager")}, 403, "Two other managers approve it."),
        ({"signer1-badge": "", "signer1-secret": ""}, 422, "This field is required."),
    )
    for boxes, status, words in refusals:
        says(manager.post(approve, {"version": "2", **boxes}), words, status=status)
    says(manager.post(approve, {"version": "1", **signer("both")}), "version 2", status=409)
    assert not RuleApproval.objects.exists()
    answer = manager.post(approve, {"version": "2", **signer("manager_2")})
    assert (answer.status_code, answer["Location"]) == (302, path)
    says(manager.get(path), "1 of 2", "manager_2")
    with nothing_recorded():  # a double press
        again = manager.post(approve, {"version": "2", **signer("manager_2")})
    assert (again.status_code, again["Location"]) == (302, path)
    answer = manager.post(approve, {"version": "2", **signer("manager_3")})
    assert (answer.status_code, answer["Location"]) == (302, f"/rulesets/{draft.content_hash}/")
    again = manager.post(approve, {"version": "2", **signer("manager_3")})
    assert again["Location"] == answer["Location"]
    page = manager.get(path)
    says(page, "As published", draft.number)
    assert f"{path}submit/" not in page.content.decode()
    assert manager.get(f"{path}edit/").status_code == 302  # it is written no more


def test_a_draft_goes_back_or_is_given_up_with_a_reason(manager: PagePerson) -> None:
    path = put_up(manager)
    page = manager.post(f"{path}stop/return/", {"version": "2", "reason": ""})
    says(page, "This field is required.", status=422)
    answer = manager.post(f"{path}stop/return/", {"version": "2", "reason": "Too high."})
    assert answer.status_code == 302
    says(manager.get(path), "version 3", "Put up for approval", "Too high.")
    stale = manager.post(f"{path}stop/discard/", {"version": "2", "reason": "No."})
    says(stale, "version 3", status=409)
    manager.post(f"{path}stop/discard/", {"version": "3", "reason": "Not wanted."})
    assert RuleDraft.objects.latest("serial").state == "discarded"
    assert f"{path}stop/discard/" not in manager.get(path).content.decode()
    assert manager.post(f"{path}stop/burn/", {"version": "3", "reason": "x"}).status_code == 404


def test_faults_are_listed_and_a_faulty_draft_is_not_put_up(managers: Managers) -> None:
    manager = PagePerson(managers.house, "manager")
    draft = begun(manager, preset="lucky-9")
    path = f"/rulesets/drafts/{draft.number}/"
    # Without Colons nothing can be paid on a lost one: a contradiction, told on the draft's page.
    without = {"o__colon.on_loss": "bonus_part", "o__colon.enabled": "false"}
    sent = filled_in(manager, draft, **without)
    manager.post(f"{path}edit/", sent)
    options = RuleDraft.objects.get(number=draft.number).options
    assert options["colon"]["enabled"] is False
    text = says(manager.get(path), "Faults", "nobody approves while there is one")
    assert "options.colon.on_loss" in text
    assert "Put up for approval" not in text
    page = manager.post(f"{path}submit/", {"version": "2"})
    says(page, "1 faults", status=422)


def test_published_rules_in_words_with_their_odds(managers: Managers) -> None:
    house = managers.house
    for name in ("dealer", "cashier", "auditor"):
        person = PagePerson(house, name, table="T1" if name == "dealer" else None)
        text = says(
            person.get(f"/rulesets/{house.ruleset.key}/"),
            "T1, T2",
            "T1/1",
            house.ruleset.key,
            "1.27",
            "17.8",
            "16.7",
            "Options",
            "Wagers of one seat",
            ["Pair", "Jacks or Higher"][0],
        )
        assert "Retire" not in text
        assert "98.0%" in text  # what 8 to 1 on a tie would keep (A13)
    unknown = PagePerson(house, "auditor").get(f"/rulesets/{'0' * 64}/")
    assert unknown.status_code == 404


def test_the_result_of_many_rounds_is_a_picture_and_figures(managers: Managers) -> None:
    manager = PagePerson(managers.house, "manager")
    path = f"/rulesets/{managers.house.ruleset.key}/"
    page = manager.get(f"{path}?rounds=1000&seats=5&stake_main=100")
    says(page, "Expected per round", "Deviation", "House behind", "One seat is counted")
    assert "<svg" in page.content.decode()
    for bad in ("rounds=0", "rounds=many", "seats=99", "stake_main=-5", "stake_main=x"):
        page = manager.get(f"{path}?{'&'.join(['rounds=10', 'seats=1', 'stake_main=1', bad])}")
        assert "Expected per round" not in says(page, "Work out"), bad
        assert "errorlist" in page.content.decode(), bad


def test_odds_that_take_seconds_are_asked_for_once(managers: Managers) -> None:
    path = f"/rulesets/{managers.house.ruleset.key}/"
    manager = PagePerson(managers.house, "manager")
    says(manager.get(path), "Work out two seats")
    answer = manager.post(f"{path}slow-odds/")
    assert answer["Location"] == f"{path}?waiting=1#slow"
    says(manager.get(f"{path}?waiting=1"), "Being worked out: 1 part to come.")


def test_rules_are_retired_with_a_reason(managers: Managers) -> None:
    hash_ = published(managers, options_of(**TIE))
    manager = PagePerson(managers.house, "manager")
    path = f"/rulesets/{hash_}/retire/"
    says(manager.get(path), "No shoe starts under these any more.", "no table")
    with nothing_recorded():
        says(manager.post(path, {"reason": ""}), "This field is required.", status=422)
        late = manager.post(path, {"reason": "No.", "effective_day": "2020-01-01"})
        says(late, "Expected a gaming day from", status=422)
    answer = manager.post(path, {"reason": "Nobody plays it."})
    assert answer["Location"] == f"/rulesets/{hash_}/"
    says(manager.get(f"/rulesets/{hash_}/"), "retired", "Nobody plays it.")
    says(manager.post(path, {"reason": "Again."}), "expected published", status=422)
    assert RuleStanding.objects.filter(hash=hash_, state="retired").count() == 1


def test_limits_in_force_are_not_retired(managers: Managers) -> None:
    manager = PagePerson(managers.house, "manager")
    hash_ = read_table("T1").require_terms().limits.key
    says(manager.get(f"/rulesets/{hash_}/"), "In force at", "T1")
    page = manager.post(f"/rulesets/{hash_}/retire/", {"reason": "No."})
    says(page, "Give those tables other limits first.", status=422)


def test_terms_are_shown_before_they_are_set(managers: Managers) -> None:
    new = published(managers, options_of(**TIE))
    manager = PagePerson(managers.house, "manager")
    path = "/tables/T1/terms/"
    says(manager.get(path), "This is what the table deals under now.", "Shoe T1/1")
    with nothing_recorded():
        page = manager.get(f"{path}?ruleset={new}")
    text = says(page, "Tie wager", "300 to 1", "32.18")
    assert "Kicker" not in text.split("Ruleset")[-1]  # what does not change is not listed
    with nothing_recorded():
        says(manager.post(path, chosen(ruleset=new)), "This field is required.", status=422)
    answer = manager.post(path, {**chosen(ruleset=new), "reason": "Guests ask."})
    assert answer["Location"] == "/tables/T1/"
    assert TableTerms.objects.filter(table__code="T1").latest("revision").ruleset.hash == new
    same = manager.post(path, {**chosen(), "reason": "Again."})
    says(same, "deals under exactly these terms", status=422)


def test_terms_that_are_no_hash_are_as_if_nothing_was_chosen(managers: Managers) -> None:
    manager = PagePerson(managers.house, "manager")
    page = manager.get("/tables/T1/terms/?ruleset=%00")
    assert (page.status_code, page.context["preview"]) == (200, None)
    page = manager.post("/tables/T1/terms/", {**chosen(), "limits": "\0", "reason": "No."})
    assert (page.status_code, page.context["preview"]) == (422, None)
    assert manager.get(f"/tables/T1/terms/?ruleset={'0' * 64}").status_code == 200


def test_a_change_of_limits_leaves_retired_rules_as_they_are(managers: Managers) -> None:
    """What the table has stays chosen; a browser had taken the newest ruleset of any game."""
    published(managers, options_of("lucky-9"), game="lucky-9")
    limits = options_of(kind=RuleKind.LIMITS, bank_cover_minor=1_000_000)
    new = published(managers, limits, kind=RuleKind.LIMITS)
    now = chosen()
    retire_rules(hash_=now["ruleset"], reason="Replaced.", by=managers.acting("manager"))
    manager = PagePerson(managers.house, "manager")
    path = "/tables/T1/terms/"
    page = manager.get(path)
    says(page, "Poker Lucky 9: ", "T1, T2", "), retired")
    boxes = boxes_of(page)
    assert {kind: boxes[kind] for kind in now} == now
    with nothing_recorded():
        answer = manager.post(path, {**boxes, "limits": new, "reason": "Higher cover."})
    says(answer, "expected ruleset that are not retired", status=422)


def test_what_was_never_chosen_is_not_chosen_by_the_form(managers: Managers) -> None:
    published(managers, options_of("lucky-9"), game="lucky-9")
    gone = published(managers, options_of(**TIE))
    retire_rules(hash_=gone, reason="Not wanted.", by=managers.acting("manager"))
    manager = PagePerson(managers.house, "manager")
    page = manager.get(f"/tables/T1/terms/?ruleset={gone}")
    says(page, "This cannot be", "expected ruleset that are not retired")
    boxes = boxes_of(page)
    assert boxes["ruleset"] == ""
    with nothing_recorded():
        answer = manager.post("/tables/T1/terms/", {**boxes, "reason": "Guests ask."})
    says(answer, "This field is required.", "Choose ruleset, procedures and limits", status=422)


def test_no_number_of_published_rules_hides_what_tables_deal(managers: Managers) -> None:
    before = chosen()
    del before["revision"]
    for cover in range(1, RULES_MAX + 2):
        options = {"bank_cover_minor": cover}
        publish_limits(game="poker-lucky-9", options=options, by=SET_UP)
    found = {kind: in_force(kind, "poker-lucky-9", day=TODAY) for kind in before}
    assert {kind: each[0].hash for kind, each in found.items()} == before
    boxes = boxes_of(PagePerson(managers.house, "manager").get("/tables/T1/terms/"))
    assert {kind: boxes[kind] for kind in before} == before


def test_terms_that_cannot_be_say_why(managers: Managers) -> None:
    lucky: Mapping[str, str] = {
        kind: published(managers, options_of("lucky-9", kind=kind), kind=kind, game="lucky-9")
        for kind in RuleKind.values
    }
    manager = PagePerson(managers.house, "manager")
    query = "&".join(f"{kind}={hash_}" for kind, hash_ in lucky.items())
    page = manager.get(f"/tables/T1/terms/?{query}")
    text = says(page, "This cannot be", "end shoe T1/1 first", "Decks 1 B22")
    assert "the same" not in text  # nothing of this game is in force here
    sent = {**boxes_of(page), **lucky, "reason": "Lucky 9 at last."}
    with nothing_recorded():
        page = manager.post("/tables/T1/terms/", sent)
    says(page, "cannot deal under these terms", "end shoe T1/1 first", status=422)
