"""Jobs on their way to the database: none is left behind, whoever asks when."""

from __future__ import annotations

import asyncio

from pickomino.server.storage.batches import Batches


def test_a_job_added_by_who_was_answered_last_is_not_left_behind() -> None:
    """The answers of both batches come in one turn of the loop; the first asks again before the tasks are gone."""

    async def ask_again_and_again() -> list[int]:
        gate = asyncio.Event()
        sizes: list[int] = []

        async def settle(batch: list[asyncio.Future[None]]) -> None:
            await gate.wait()
            sizes.append(len(batch))
            for future in batch:
                future.set_result(None)

        batches: Batches[asyncio.Future[None]] = Batches(settle, most=1, at_once=2)

        async def client(times: int) -> None:
            for _ in range(times):
                future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                batches.add(future)
                await future

        clients = [asyncio.ensure_future(client(times)) for times in (3, 1)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gate.set()
        await asyncio.wait_for(asyncio.gather(*clients), 5)
        await batches.close()
        return sizes

    assert asyncio.run(ask_again_and_again()) == [1] * 4


def test_batches_are_bounded_and_in_order() -> None:
    async def run() -> list[list[int]]:
        seen: list[list[int]] = []

        async def settle(batch: list[int]) -> None:
            seen.append(batch)

        batches: Batches[int] = Batches(settle, most=3, at_once=1)
        for job in range(7):
            batches.add(job)
        await batches.close()
        return seen

    assert asyncio.run(run()) == [[0, 1, 2], [3, 4, 5], [6]]
