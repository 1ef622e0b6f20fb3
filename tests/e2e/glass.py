"""What a dealer does at the glass, by touch and by keyboard; used by every test of the tablet."""

from collections.abc import Iterable, Mapping

from playwright.sync_api import Locator, Page, expect

CHIPS = {500_000: "chip-500000", 100_000: "chip-100000", 50_000: "chip-50000", 10_000: "chip-10000"}
CHIP_KEYS = {10_000: "q", 50_000: "w", 100_000: "e", 500_000: "r"}


class Glass:
    """The dealer's page for one table."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def touch(self, *keys: str) -> None:
        """Touch keys one after the other."""
        for key in keys:
            self.page.click(f'[data-key="{key}"]')

    def go_on(self) -> None:
        """Touch the one obvious key, once the screen has settled."""
        self.page.click("[data-primary]:not(:disabled)")

    def asks_for(self, words: str) -> None:
        """Expect what the pad asks for."""
        expect(self.page.locator(".pad-title")).to_have_text(words)

    def strip(self, state: str) -> None:
        """Expect the receipts strip to be in a state."""
        expect(self.page.locator("#strip")).to_have_attribute("data-state", state)

    def seat(self, number: int) -> Locator:
        """The panel of a seat on the felt."""
        return self.page.locator(f'.felt-seat[data-seat="{number}"]')

    def bet(self, wagers: Mapping[int, Mapping[str, int]]) -> None:
        """Place wagers by touch, in chips, and call no more bets."""
        self.page.wait_for_selector('[data-key="kind-main"]')
        for seat, kinds in wagers.items():
            self.touch(f"seat-{seat}")
            for kind, stake in kinds.items():
                self.touch(f"kind-{kind}", *_chips(stake, CHIPS))
        self.go_on()
        self.page.wait_for_selector('[data-key="rank-A"]')

    def bet_by_keyboard(self, wagers: Mapping[int, Mapping[str, int]]) -> None:
        """Place wagers without touching the glass."""
        self.page.wait_for_selector('[data-key="kind-main"]')
        for seat, kinds in wagers.items():
            self.page.keyboard.press(str(seat))
            for kind, stake in kinds.items():
                self.page.keyboard.press(kind[0])
                for key in _chips(stake, CHIP_KEYS):
                    self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector('[data-key="rank-A"]')

    def tap_cards(self, faces: Iterable[str]) -> None:
        """Key cards by touch: rank, suit."""
        for face in faces:
            self.touch(f"rank-{face[0]}", f"suit-{face[1]}")

    def key_cards(self, faces: Iterable[str]) -> None:
        """Key cards on the keyboard."""
        for face in faces:
            self.page.keyboard.press(face[0])
            self.page.keyboard.press(face[1])

    def totals(self) -> dict[int, str]:
        """What the glass says goes back to each seat."""
        found = {}
        for panel in self.page.locator(".felt-seat").all():
            total = panel.locator(".felt-total")
            if total.count():
                found[int(panel.get_attribute("data-seat") or 0)] = total.inner_text()
        return found


def _chips(stake: int, keys: Mapping[int, str]) -> list[str]:
    pressed = []
    for chip, key in sorted(keys.items(), reverse=True):
        count, stake = divmod(stake, chip)
        pressed += [key] * count
    assert stake == 0, "expected a stake that the pad's chips can make"
    return pressed
