"""The examples run, and do what they say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from pickomino.baselines import NetBot
from pickomino.baselines.net import Mlp
from pickomino.envs import MissingExtraError
from pickomino.envs.errors import need

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "envs"


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_random_agent() -> None:
    example = load("random_agent")
    assert example.against_bots() in (0.0, 0.5, 1.0)
    assert sum(example.among_agents().values()) == pytest.approx(1)
    assert example.many_at_once(steps=2500) > 0


def test_learned_value_comes_close_to_the_exact_one() -> None:
    start, exact, error = load("learned_value").main(["--steps", "1200"])
    assert start == pytest.approx(exact, abs=0.04)
    assert error < 0.05


def test_openspiels_mcts_plays_a_game() -> None:
    assert sum(load("openspiel_mcts").main(["--simulations", "5"])) == pytest.approx(1)


def test_the_pool_of_past_policies_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    example = load("self_play_pool")
    members: list[NetBot] = []

    def member(net: Mlp, **options: Any) -> NetBot:
        members.append(NetBot(net, **options))
        return members[-1]

    monkeypatch.setattr(example, "NetBot", member)
    share = example.main(["--steps", "3000", "--lanes", "4", "--members", "2", "--every", "1"])
    one, other, *_, now = (
        bot.net.parameters[0] for bot in members
    )  # the last one measures the policy at the end
    same = [np.array_equal(past, now) for past in (one, other)]
    assert sorted(same) == [False, True], (
        "one member is the policy of the last update, the other an earlier one"
    )
    assert share < 0.3  # hardly begun


@pytest.mark.soak
def test_masked_ppo_runs(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not among what the tests install")
    pytest.importorskip("sb3_contrib", reason="nor is sb3-contrib")
    saved = tmp_path / "agent.zip"
    options = ["--steps", "20000", "--every", "1000000", "--games", "100", "--save", str(saved)]
    load("masked_ppo").main(options)
    assert saved.is_file()


def test_what_is_missing_is_named_with_its_extra() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install pickomino\[envs\]"):
        need("no_such_module", "envs")
    import pickomino.envs

    with pytest.raises(AttributeError, match="nothing"):
        pickomino.envs.nothing  # noqa: B018
