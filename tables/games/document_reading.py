"""Reading a round document: from what a line of JSON held to a play, with every fault at once.

A document is refused as a whole for any fault, but reading goes on, so that all of them are named:
what could not be read is put in its place by something harmless ("" for a card, 1 for a stake).
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from tables.games.cards import FACES, is_face, surplus_places
from tables.games.game import STAGES, Game, VoidCause
from tables.games.options import is_whole, show
from tables.games.registry import GAMES
from tables.games.rulesets import read_ruleset
from tables.games.values import BANK, STAKE_MAX, UNREAD, Fault, Play, Ruleset, SeatPlay

_IGNORED: Final = frozenset(("title", "expected", "house_net_minor", "banker_net_minor"))
_FIELDS: Final = frozenset(("id", "game", "options", "seats", "void")) | _IGNORED
_SEAT_FIELDS: Final = frozenset(("seat", "bets", "cards", "draw"))
_BANK_FIELDS: Final = frozenset(("cards", "draw"))
_VOID_FIELDS: Final = frozenset(("stage", "affects_first_two_cards"))
DRAWS: Final = ("hit", "stand", "none", "no_decision")

_SEATS_MAX: Final = max(game.seats_max for game in GAMES.values())
_RULESETS_KEPT: Final = 1024
_rulesets: dict[tuple[str, str], Ruleset] = {}


class Document(NamedTuple):
    """A round document as read. `play` and `ruleset` may be trusted only without faults."""

    id: str | None
    game: Game | None
    ruleset: Ruleset | None
    play: Play
    cause: VoidCause | None
    faults: list[Fault]


class _Table(NamedTuple):
    """Where a document was played: its game, None if unknown, and the last seat that may bet."""

    game: Game | None
    last_seat: int


def read_document(doc: Mapping[str, object], *, bank_seat: int | None = None) -> Document:
    """Return a document read, with everything that is wrong with it.

    In a document the banker has no number. Where a seat of a table holds the bank, `bank_seat` says
    so: the others then go one number further.
    """
    faults: list[Fault] = []
    name = doc.get("id")
    if not isinstance(name, str):
        faults.append(Fault("id", "id", "expected a string that names the document"))
    ruleset, rule_faults = _ruleset(doc)
    faults += rule_faults
    game = GAMES[ruleset.game] if ruleset else None
    banks = (game.bank,) if game else ("house", "banker")
    faults += [_unknown_field(key) for key in doc if key not in _FIELDS and key not in banks]
    last = game.last_seat(bank_seat=bank_seat) if game else _SEATS_MAX
    play = _play(doc, _Table(game, last), banks[0], faults)
    cause = _cause(doc["void"], play, faults) if "void" in doc else None
    if game is not None and ruleset is not None:
        faults += _play_faults(game, ruleset, play, cause)
    sound = ruleset if not rule_faults else None
    return Document(name if isinstance(name, str) else None, game, sound, play, cause, faults)


def _ruleset(doc: Mapping[str, object]) -> tuple[Ruleset | None, list[Fault]]:
    """Return the ruleset; clean ones are kept, because documents come by the thousand."""
    game, options = doc.get("game"), doc.get("options", {})
    if not isinstance(game, str):
        return read_ruleset(game, options, where="options")
    key = (game, repr(options) if options != {} else "")
    kept = _rulesets.get(key)
    if kept is not None:
        return kept, []
    ruleset, faults = read_ruleset(game, options, where="options")
    if ruleset is not None and not faults:
        if len(_rulesets) >= _RULESETS_KEPT:
            _rulesets.clear()
        _rulesets[key] = ruleset
    return ruleset, faults


def _play(doc: Mapping[str, object], table: _Table, bank: str, faults: list[Fault]) -> Play:
    seats = doc.get("seats")
    read: list[SeatPlay] = []
    if "seats" in doc and not isinstance(seats, list):
        faults.append(Fault("no_seats", "seats", f"expected a list of seats, not {show(seats)}"))
    elif not seats:
        faults.append(Fault("no_seats", "seats", "expected at least one seat"))
    else:
        assert isinstance(seats, list)
        read = [_seat(f"seats[{n}]", value, table, faults) for n, value in enumerate(seats)]
        faults += _seats_twice(read)
    if table.game is None and bank not in doc:
        bank = "banker"
    return Play(tuple(read), _bank(bank, doc, table.game, faults))


def _seat(where: str, value: object, table: _Table, faults: list[Fault]) -> SeatPlay:
    if not isinstance(value, dict):
        faults.append(_not_an_object(where, value))
        return SeatPlay(where, -1, {}, UNREAD)
    _refuse_unknown(value, _SEAT_FIELDS, where, faults)
    seat, game = value.get("seat"), table.game
    if not is_whole(seat, low=1, high=table.last_seat):
        detail = f"expected a seat from 1 to {table.last_seat}, not {show(seat)}"
        faults.append(Fault("seat", f"{where}.seat", detail))
    number = seat if type(seat) is int else -1
    bets = _bets(f"{where}.bets", value.get("bets"), game, faults)
    faces = _cards(where, value, faults)
    return SeatPlay(where, number, bets, faces, _draw(where, value, game, faults))


def _bets(where: str, value: object, game: Game | None, faults: list[Fault]) -> dict[str, int]:
    """Return the stakes by kind in the order of lines."""
    if not isinstance(value, dict):
        faults.append(_not_an_object(where, value))
        return {}
    if not value:
        faults.append(Fault("no_bets", where, "expected at least one bet"))
    bets: dict[str, int] = {}
    for kind, stake in value.items():
        if type(stake) is not int or not 1 <= stake <= STAKE_MAX:
            detail = f"expected an integer from 1 to {STAKE_MAX}, not {show(stake)}"
            faults.append(Fault("stake", f"{where}.{_name(kind)}", detail))
        if game is None:
            continue
        if kind not in game.kinds:
            detail = f"expected one of the bets {', '.join(game.kinds)}"
            faults.append(Fault("unknown_bet", f"{where}.{_name(kind)}", detail))
            continue
        bets[kind] = stake if type(stake) is int else 1
    return bets


def _cards(where: str, value: Mapping[str, object], faults: list[Fault]) -> tuple[str, ...]:
    cards = value.get("cards")
    if not isinstance(cards, list):
        if "cards" in value:
            detail = f"expected a list of cards, not {show(cards)}"
            faults.append(Fault("unknown_card", f"{where}.cards", detail))
        else:
            detail = "expected a list of the cards in the order they were dealt"
            faults.append(Fault("missing_field", f"{where}.cards", detail))
        return UNREAD
    try:
        if FACES.issuperset(cards):
            return tuple(cards)
    except TypeError:  # a list or an object among the cards has no hash; it is named below
        pass
    faces: list[str] = []
    for place, card in enumerate(cards):
        if is_face(card):
            faces.append(card)
        else:
            detail = f'expected a card such as "AS", "T" or "?", not {show(card)}'
            faults.append(Fault("unknown_card", f"{where}.cards[{place}]", detail))
            faces.append("")
    return tuple(faces)


def _draw(
    where: str, value: Mapping[str, object], game: Game | None, faults: list[Fault]
) -> str | None:
    if "draw" not in value:
        return None
    draw = value["draw"]
    if not isinstance(draw, str) or draw not in DRAWS:
        detail = f"expected one of {', '.join(DRAWS)}, not {show(draw)}"
        faults.append(Fault("draw_value", f"{where}.draw", detail))
        return ""
    if game is not None and not game.asks and draw != "none":
        detail = f'expected "none" or no such field: nobody decides in {game.code}'
        faults.append(Fault("draw_forbidden", f"{where}.draw", detail))
    return draw


def _bank(bank: str, doc: Mapping[str, object], game: Game | None, faults: list[Fault]) -> SeatPlay:
    if bank not in doc:
        faults.append(Fault("missing_field", bank, f"expected the cards of the {bank}"))
        return SeatPlay(bank, BANK, {}, UNREAD)
    value = doc[bank]
    if not isinstance(value, dict):
        faults.append(_not_an_object(bank, value))
        return SeatPlay(bank, BANK, {}, UNREAD)
    _refuse_unknown(value, _BANK_FIELDS, bank, faults)
    faces = _cards(bank, value, faults)
    return SeatPlay(bank, BANK, {}, faces, _draw(bank, value, game, faults))


def _cause(value: object, play: Play, faults: list[Fault]) -> VoidCause:
    """Return where the round stood when it was voided and whose first two cards are touched."""
    if not isinstance(value, dict):
        faults.append(_not_an_object("void", value))
        return VoidCause("opened", None)
    _refuse_unknown(value, _VOID_FIELDS, "void", faults)
    stage = value.get("stage")
    if not isinstance(stage, str) or stage not in STAGES:
        detail = f"expected one of {', '.join(STAGES)}, not {show(stage)}"
        faults.append(Fault("void_stage", "void.stage", detail))
        stage = "opened"
    touched = value.get("affects_first_two_cards")
    where = "void.affects_first_two_cards"
    if isinstance(touched, bool):
        return VoidCause(stage, None if touched else frozenset())
    cause = VoidCause(stage, frozenset())
    if isinstance(touched, list):
        seats = {seat.seat for seat in play.seats}
        for place, seat in enumerate(touched):
            if type(seat) is not int or seat not in seats:
                detail = f"expected a seat of this round, not {show(seat)}"
                faults.append(Fault("void_seat", f"{where}[{place}]", detail))
        return VoidCause(stage, frozenset(s for s in touched if type(s) is int))
    expected = "expected true, false or a list of seats"
    if "affects_first_two_cards" in value:
        faults.append(Fault("void_affects", where, f"{expected}, not {show(touched)}"))
    elif cause.after_sweep:
        faults.append(Fault("missing_field", where, f"{expected}: it decides what stands"))
    return cause


def _play_faults(
    game: Game, ruleset: Ruleset, play: Play, cause: VoidCause | None
) -> Iterable[Fault]:
    """Return what is wrong with the hands, by the rules and by the number of decks."""
    if cause is None:
        faults = game.play_faults(ruleset, play)
    else:
        faults = game.void_faults(ruleset, play, cause=cause)
    decks = game.decks(ruleset)
    hands = (*play.seats, play.bank)
    faces = [face for hand in hands for face in hand.faces]
    surplus = surplus_places(faces, decks=decks) if len(faces) > decks else []
    if surplus:
        places = [f"{hand.where}.cards[{n}]" for hand in hands for n in range(len(hand.faces))]
        for place in surplus:
            detail = f"expected no more copies of {faces[place]} than {decks} decks hold"
            faults.append(Fault("too_many_copies", places[place], detail))
    return faults


def _seats_twice(seats: list[SeatPlay]) -> list[Fault]:
    seen: set[int] = set()
    faults: list[Fault] = []
    for seat in seats:
        if seat.seat in seen and seat.seat > 0:
            detail = f"expected each seat once; seat {seat.seat} stands twice"
            faults.append(Fault("seat_twice", f"{seat.where}.seat", detail))
        seen.add(seat.seat)
    return faults


def _refuse_unknown(
    value: Mapping[str, object], known: frozenset[str], where: str, faults: list[Fault]
) -> None:
    if not value.keys() <= known:
        faults += [_unknown_field(key, where) for key in value if key not in known]


def _unknown_field(field: str, where: str = "") -> Fault:
    path = f"{where}.{_name(field)}" if where else _name(field)
    return Fault("unknown_field", path, "expected only the fields that the format names")


def _not_an_object(where: str, value: object) -> Fault:
    code = "missing_field" if value is None else "not_an_object"
    return Fault(code, where, f"expected an object, not {show(value)}")


def _name(field: str) -> str:
    """Return a field's name from outside as it may stand in a path: short."""
    return field[:60]
