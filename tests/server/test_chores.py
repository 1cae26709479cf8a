"""What is begun is finished, whoever waits for it; and nobody is bothered with answers that nobody waits for."""

import asyncio
import logging

import pytest

from menagerie.server.chores import finish
from menagerie.server.refusals import Refusal


@pytest.mark.parametrize(
    ("error", "is_logged"), [(None, False), (Refusal("over", "the match is over"), False), (ValueError("broken"), True)]
)
def test_it_goes_on_when_whoever_waited_has_gone(
    error: Exception | None, is_logged: bool, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[str] = []

    async def work() -> None:
        await asyncio.sleep(0.01)
        done.append("to the end")
        if error:
            raise error

    async def ask_and_vanish() -> None:
        asking = asyncio.create_task(finish(work()))
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert not done
        await asyncio.sleep(0.05)

    with caplog.at_level(logging.ERROR):
        asyncio.run(ask_and_vanish())
    assert done == ["to the end"]
    assert bool(caplog.records) == is_logged, caplog.text


def test_whoever_waits_hears_the_answer_or_why_there_is_none() -> None:
    async def work(error: Exception | None) -> int:
        if error:
            raise error
        return 7

    assert asyncio.run(finish(work(None))) == 7
    with pytest.raises(Refusal, match="over"):
        asyncio.run(finish(work(Refusal("over", "the match is over"))))
