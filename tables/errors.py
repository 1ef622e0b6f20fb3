"""What can be refused on the floor: one class per reason that a caller can act on.

Missing    TableMissing, SessionMissing, ShoeMissing, RoundMissing, TermsMissing
Invalid    WagersRefused, CardsRefused, CountRefused, StepRefused, StubRefused, ...
Conflict   session.*, shoe.*, round.*, revision.*, card.* that depend on the state
Forbidden  NotAtThisTable, RoundOfAnotherDealer
"""

from casino.kernel.errors import Conflict, Forbidden, Invalid, Missing


class TableMissingError(Missing):
    """A table is named by its code."""

    code = "table.missing"
    message = "There is no table {table}."


class TableSessionMissingError(Missing):
    """A table session is named by its table and number."""

    code = "session.unknown"
    message = "There is no session {session} at table {table}."


class ShoeMissingError(Missing):
    """A shoe is named by its table and number."""

    code = "shoe.missing"
    message = "There is no shoe {shoe} at table {table}."


class RoundMissingError(Missing):
    """A round is named by its table, shoe and number."""

    code = "round.missing"
    message = "There is no round {round} in shoe {shoe} of table {table}."


class TermsMissingError(Conflict):
    """A table deals only under a published ruleset, procedures and limits."""

    code = "table.no_terms"
    message = "Table {table} has no ruleset yet. Set its terms first."


class NotAtThisTableError(Forbidden):
    """A write at a table needs a tablet that is bound to it, beside the person's session."""

    code = "device.other_table"
    message = "Key this at a tablet that is bound to table {table}."


class RoundOfAnotherDealerError(Forbidden):
    """Each round has exactly one responsible dealer; hand over between rounds (control 5.9)."""

    code = "round.other_dealer"
    message = "Round {round} belongs to dealer {dealer}. Finish it, then hand over."


class SessionNotInStateError(Conflict):
    """The session is in another state than this act needs."""

    code = "session.state"
    message = "Table {table} is {state}; expected {expected}."


class TableAlreadyOpenError(Conflict):
    """One session at a time at a table."""

    code = "session.already_open"
    message = "Table {table} already has session {session}, {state}."


class CountsDisagreeError(Conflict):
    """A session opens or closes only when the latest counts of both people agree (control 1.5)."""

    code = "count.disagree"
    message = "The two counts differ. Both people count again."


class CountMissingError(Conflict):
    """Both people count, each for themselves."""

    code = "count.missing"
    message = "The {side} has not counted yet."


class CountRefusedError(Invalid):
    """A count states pieces, 0 or more, of the house's denominations."""

    code = "count.refused"
    message = "Expected whole pieces of the denominations {denominations}."


class CountSamePersonError(Forbidden):
    """Dealer and supervisor count: two different people (control 1.5)."""

    code = "count.same_person"
    message = "The other count is by the same person. A second person counts."


class CountSideError(Forbidden):
    """A dealer counts for the dealer's side, a supervisor or manager for the supervisor's."""

    code = "count.side"
    message = "A {role} does not count for the {side}'s side."


class CountSettledError(Conflict):
    """An agreed count stands; only a superseding record of an open count is possible."""

    code = "count.settled"
    message = "The {kind} of session {session} is agreed already."


class TableNotQuietError(Conflict):
    """A table closes only without a round in play and without a shoe in use (control 1.11)."""

    code = "session.not_quiet"
    message = "End {what} before closing table {table}."


class ShoeInUseError(Conflict):
    """One shoe at a time at a table."""

    code = "shoe.in_use"
    message = "Shoe {shoe} is still {state}. End it first."


class ShoeNotInStateError(Conflict):
    """The shoe is in another state than this act needs (event 16, control 4.6)."""

    code = "shoe.state"
    message = "Shoe {shoe} is {state}; expected {expected}."


class ShoeStepOrderError(Conflict):
    """Shuffle, check, cut and burn are signed in this order (event 16)."""

    code = "shoe.step_order"
    message = "Expected the step {expected}, not {step}."


class ShoeSignersError(Invalid):
    """A step of the preparation is signed by the people who did it; the check by two of them."""

    code = "shoe.signers"
    message = "The step {step} needs {expected}."


class BurnRefusedError(Invalid):
    """Burned cards are keyed as seen, or as faces never known."""

    code = "burn.refused"
    message = "Expected {expected} burned cards, each a card or '?'."


class StepBurnsNothingError(Invalid):
    """Of the steps of the preparation only the burn states cards."""

    code = "burn.not_in_this_step"
    message = "The step {step} burns no cards; expected none."


class ShoeExhaustedError(Conflict):
    """A round starts only when three cards for each live seat and the House remain (event 18)."""

    code = "shoe.exhausted"
    message = "{cards_left} cards are left, {cards_needed} are needed. End the shoe."


class CutCardOutError(Conflict):
    """After the cut card the round is finished, then no more (event 17)."""

    code = "shoe.cut_card_out"
    message = "The cut card is out: shoe {shoe} takes no new round."


class StubRefusedError(Invalid):
    """The stub is counted in whole cards."""

    code = "stub.refused"
    message = "Expected a stub of 0 to {cards_max} cards."


class RoundInPlayError(Conflict):
    """One round at a time at a table."""

    code = "round.in_play"
    message = "Round {round} is still in play ({stage})."


class BettingClosedError(Conflict):
    """All wagers close before the first card leaves the shoe (A23)."""

    code = "round.betting_closed"
    message = "Betting in round {round} is closed. Wagers stand as they are."


class RoundStageError(Conflict):
    """The round is in another stage than this act needs."""

    code = "round.stage"
    message = "Round {round} is in stage {stage}; expected {expected}."


class RoundDealtError(Conflict):
    """A dealer calls off a round only while no card was dealt; a dealt one is voided by two."""

    code = "round.dealt"
    message = "Cards of round {round} were dealt. A supervisor and a manager void it."


class NoWagersError(Conflict):
    """Cards go only to seats with a wager (A28)."""

    code = "round.no_wagers"
    message = "No seat of round {round} has a wager that takes a hand."


class WagersRefusedError(Invalid):
    """Wagers break the ruleset or the limits; every fault is listed (A21, A24)."""

    code = "wagers.refused"
    message = "These wagers are not taken: {count} faults."


class CardsRefusedError(Invalid):
    """Cards do not fit the deal; every fault is listed and nothing was written."""

    code = "cards.refused"
    message = "These cards do not fit: {count} faults."


class OneCardTooManyError(Conflict):
    """One copy more than the decks hold is first a question, then "as seen" (event 13)."""

    code = "card.one_too_many"
    message = "{face} would be copy {copies} of {copies_max}. Key it again, or confirm as seen."


class CardConflictError(Conflict):
    """Another card stands at this draw and revision; both are named."""

    code = "card.conflict"
    message = "Draw {draw}, revision {revision} is {stored!r}; you keyed {keyed!r}."


class CardSweptError(Conflict):
    """After the sweep a card of the first two laps changes only by a correction (A19)."""

    code = "card.swept"
    message = "Draw {draw} was settled with the sweep. It changes only by a correction."


class CardCarriedError(Conflict):
    """A card carried over is keyed where it is opened: as the first of the next round (event 1)."""

    code = "card.carried"
    message = "Draw {draw} is the first card of the next round. Key it there."


class CardNotLastError(Conflict):
    """In the first two laps cards are taken back from the last one."""

    code = "card.not_last"
    message = "Draw {draw} is not the last. Take back draw {last} first."


class CardDecidedError(Conflict):
    """Hands decide on the cards that lie; a decision is taken back before its cards (C7)."""

    code = "card.decided"
    message = "Hand {hand} has decided on the cards as they lie. Take that back before draw {draw}."


class RevisionSupersededError(Conflict):
    """A revision below the latest is refused whatever its content."""

    code = "revision.superseded"
    message = (
        "Revision {revision} of {what} is superseded; the latest is {latest}. Look at that first."
    )


class RevisionBeyondError(Conflict):
    """Revisions are linear: the next one is the latest plus one."""

    code = "revision.beyond"
    message = "Revision {revision} of {what} skips; the next one is {next}."


class WagersConflictError(Conflict):
    """Another set of wagers stands at this seat and revision; both are named."""

    code = "wagers.conflict"
    message = "Seat {seat}, revision {revision} holds other wagers."


class BankSeatNeededError(Invalid):
    """The first bank of a session is drawn by lot and stated (C11)."""

    code = "round.bank_seat_needed"
    message = "Nobody holds the bank at table {table} yet. Say which seat drew it, 1 to {seats}."


class BankSeatRefusedError(Invalid):
    """A seat of the table holds the bank where players bank, none where the house does (B20)."""

    code = "round.bank_seat"
    message = "Expected {expected}, not seat {bank_seat}."


class BankRotationError(Forbidden):
    """The bank moves by the table's rotation; only a supervisor gives it to another seat (B20)."""

    code = "round.bank_rotation"
    message = "The bank is at seat {due} by rotation {rotation}. A supervisor may give it away."


class PackNotShuffledError(Conflict):
    """A pack of each round is shuffled and cut before the next one (B22, C14)."""

    code = "shoe.pack_not_shuffled"
    message = "The cards of shoe {shoe} were dealt. Shuffle and cut the pack for the next round."


class NotAPackError(Conflict):
    """Cards of a shoe do not go back: only a pack of each round is shuffled between rounds."""

    code = "shoe.not_a_pack"
    message = "Table {table} deals from a shoe. It is ended and prepared anew."


class PackTermsError(Conflict):
    """New terms come with the next shoe: a pack that does not serve under them is prepared anew.

    Another game, other decks, another burn after the cut, or a shoe instead of a pack.
    """

    code = "shoe.pack_terms"
    message = (
        "This pack does not serve under the new terms of table {table}. A supervisor ends shoe"
        " {shoe} with its cards counted, and prepares the next."
    )


class CountConflictError(Conflict):
    """Another count stands at this side and revision."""

    code = "count.conflict"
    message = "The {side}'s count, revision {revision}, holds other pieces."


class DecisionNotAskedError(Conflict):
    """Only the hand whose turn it is decides; a signal out of turn is void (event 31)."""

    code = "decision.not_asked"
    message = "Hand {hand} is not asked now. Expected: {expected} of hand {asked}."


class DecisionBoundError(Conflict):
    """A decision is binding once the third card touched the layout (C7)."""

    code = "decision.bound"
    message = "Hand {hand} has its third card. Its decision stands."


class DecisionPolicyError(Conflict):
    """A staffed bank draws by the house's written rule, not by the dealer's choice (C5)."""

    code = "decision.house_policy"
    message = "The house's rule for its bank says {expected}; you keyed {keyed}."


class DecisionRefusedError(Invalid):
    """A hand draws, stands, or does not decide (C4, C6)."""

    code = "decision.refused"
    message = "Hand {hand} cannot decide {keyed!r} now."


class DecisionConflictError(Conflict):
    """Another decision stands at this revision; both are named."""

    code = "decision.conflict"
    message = "Hand {hand} decided {stored}; you keyed {keyed}."
