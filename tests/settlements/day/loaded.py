"""A long day: most of its rounds loaded, one shoe dealt through the API, everything closed."""

from dataclasses import dataclass, field

from tables.models import TableSession
from tests.factories.house import DENOMINATIONS, OPENER, House
from tests.loader.dealing import DealtRound, DealtShoe, calls_of
from tests.support.api import ApiPerson, Json
from tests.tables.test_shoe_by_api import signers


@dataclass
class ApiShoe:
    """Deals one prepared shoe at T1 over the API, a lap in a call, and closes the table."""

    house: House
    dealt: DealtShoe
    table: str = "T1"
    number: int = 0
    dealer: ApiPerson = field(init=False)
    supervisor: ApiPerson = field(init=False)

    def deal(self) -> int:
        """Open, deal the shoe to its cut card, end it, close; return the number of rounds."""
        self.dealer = ApiPerson(self.house, "dealer", table=self.table)
        self.supervisor = ApiPerson(self.house, "supervisor")
        session = self._open()
        self._prepare()
        rounds = list(self.dealt.rounds())
        for dealt in rounds:
            self._round(dealt)
        shoe = f"tables/{self.table}/shoes/{self.number}"
        self.dealer.post(f"{shoe}/cut-card")
        self.supervisor.post(f"{shoe}/end", {"stub_cards": len(self.dealt.cards)})
        self._close(session)
        return len(rounds)

    def _open(self) -> str:
        path = f"tables/{self.table}/sessions"
        view = self.supervisor.post(path)["view"]
        session = f"{path}/{view['session']['key'].rsplit('/S', 1)[1]}"
        self._count(session, "opener", OPENER)
        self.supervisor.post(f"{session}/open")
        return session

    def _count(self, session: str, kind: str, pieces: dict[str, int]) -> None:
        for person in (self.dealer, self.supervisor):
            count = {"kind": kind, "revision": 1, "pieces": pieces}
            person.post(f"{session}/counts", count)

    def _prepare(self) -> None:
        self.number = self.dealer.post(f"tables/{self.table}/shoes")["view"]["shoe"]["number"]
        for step in ("shuffle", "check", "cut", "burn"):
            names = ("dealer", "supervisor") if step == "check" else ("dealer",)
            body: Json = {"step": step, "signers": signers(*names)}
            if step == "burn":
                body["burned"] = ["?"]
            self.dealer.post(f"tables/{self.table}/shoes/{self.number}/steps", body)

    def _round(self, dealt: DealtRound) -> None:
        rounds = f"tables/{self.table}/shoes/{self.number}/rounds"
        number = self.dealer.post(rounds)["view"]["round"]["number"]
        path = f"{rounds}/{number}"
        for method, rest, body in calls_of(dealt):
            self.dealer.write(method, f"{path}/{rest}", body)

    def _close(self, session: str) -> None:
        self.supervisor.post(f"{session}/start-closing")
        row = TableSession.objects.get(
            table__code=self.table, number=int(session.rsplit("/", 1)[1])
        )
        assert row.opener_minor is not None
        left = row.opener_minor + row.bank_handed_minor
        pieces = {}
        for denomination in DENOMINATIONS:
            pieces[str(denomination)], left = divmod(left, denomination)
        assert left == 0
        self._count(session, "closer", pieces)
        self.supervisor.post(f"{session}/close")
