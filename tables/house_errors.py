"""What can be refused while a house is set up: its settings, pits, tables and first terms."""

from casino.kernel.errors import Conflict, Invalid, Missing


class NameRefusedError(Invalid):
    """A code is 1 to 16 letters, digits or dashes, begins with a letter, and is never reused."""

    code = "name.refused"
    message = "Expected a new code of 1 to 16 letters, digits or dashes, not {value!r}."


class HouseSettingsMissingError(Conflict):
    """Currency, zone and cut-over hour are set before anything is opened."""

    code = "house.no_settings"
    message = "The house has no settings yet. Set its currency, zone and cut-over hour."


class CurrencyChangedError(Conflict):
    """One house, one currency: amounts on record would change their meaning (design 6)."""

    code = "house.currency"
    message = "The house's currency is {currency} and stays so."


class ZoneRefusedError(Invalid):
    """The house's clocks follow a zone of the IANA database."""

    code = "house.zone"
    message = "Expected a time zone such as Asia/Manila, not {value!r}."


class CutOverRefusedError(Invalid):
    """The gaming day begins at a full hour."""

    code = "house.cut_over"
    message = "Expected a cut-over hour from 0 to 23, not {value}."


class ChipsRefusedError(Invalid):
    """Counts are keyed by denomination: there is at least one, each once, in minor units."""

    code = "house.chips"
    message = "Expected the chips of the house: amounts above zero, each once."


class PitMissingError(Missing):
    """A table stands in a pit, which is named by its code."""

    code = "pit.missing"
    message = "There is no pit {pit}. Add the pit first."


class SeatsRefusedError(Invalid):
    """A table has at least one seat, and no more than nine people."""

    code = "table.seats"
    message = "Expected 1 to {most} seats, not {value}."


class PresetUnknownError(Invalid):
    """First terms come from a preset; other rules are drafted by managers."""

    code = "preset.unknown"
    message = "Expected one of the presets {presets}, not {value!r}."


class HouseInPlayError(Conflict):
    """Rules without approvals are for setting up: not once a table of the house was opened."""

    code = "house.in_play"
    message = "The house is in play: a manager sets the terms of table {table}."


class TermsStandError(Conflict):
    """First terms are given once; others are a manager's act."""

    code = "terms.stand"
    message = "Table {table} has terms already: a manager changes them."
