import pytest
from django.utils import timezone

from audit.log.registry import Kind
from casino.outbox.errors import ItemMissingError
from casino.outbox.models import OutboxItem
from casino.outbox.selectors import backlog, parked_items, waiting_items
from casino.outbox.services import outbox_row, unpark_item

pytestmark = pytest.mark.django_db


def test_backlog_by_topic() -> None:
    OutboxItem.objects.create(topic="a.b", key="1")
    OutboxItem.objects.create(topic="a.b", key="2")
    OutboxItem.objects.create(topic="c.d", key="1", parked_at=timezone.now())
    assert [(row.topic, row.waiting) for row in backlog()] == [("a.b", 2)]
    assert [str(item) for item in waiting_items()] == ["a.b 1", "a.b 2"]
    assert [str(item) for item in parked_items()] == ["c.d 1"]


def test_only_parked_work_is_put_back() -> None:
    OutboxItem.objects.create(topic="a.b", key="1")
    with pytest.raises(ItemMissingError):
        unpark_item("a.b", key="1")


def test_a_row_for_append() -> None:
    row = outbox_row("a.b", key="1", payload={"round": "T1/1/1"})
    assert row.model is OutboxItem
    assert row.values == {"topic": "a.b", "key": "1", "payload": {"round": "T1/1/1"}}


def test_the_table_is_declared() -> None:
    from audit.log.registry import declared

    assert declared(OutboxItem).kind is Kind.WORKING
