"""Learning itself, which only PyTorch can do: left out of `make test`, see CONTRIBUTING.md."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pickomino.bots.champion.net import WinNet
from pickomino.rules import PickominoError
from pickomino.tensor import batch_of, scattered
from pickomino.training.families import FAMILIES, family_rules
from tests.tensor.games import positions

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("family", FAMILIES)
def test_learning_runs_saves_and_resumes(family: str, tmp_path: Path) -> None:
    import torch

    from pickomino.training.learn import Learner, TrainingSettings

    settings = TrainingSettings(family=family, seats=3, batch=16, width=16, minutes=1e-9, cycles=1)
    learner = Learner(settings, tmp_path, torch.device("cpu"))
    learner.step()
    learner.run()
    assert 0 < learner.residual(learner.rules, steps=2) < 1
    again = Learner(settings, tmp_path, torch.device("cpu"))
    assert again.resume()
    assert again.steps == learner.steps
    assert all(
        bool((mine == its).all())
        for mine, its in zip(again.batch.columns(), learner.batch.columns(), strict=True)
    )
    assert (tmp_path / f"{family}-3.npz").exists()


def test_a_focused_lesson_draws_turns_where_the_net_is_wrong(tmp_path: Path) -> None:
    import torch

    from pickomino.training.learn import Learner, TrainingSettings

    settings = TrainingSettings(batch=16, width=16, window=4, lessons=3, focus=2)
    learner = Learner(settings, tmp_path, torch.device("cpu"))
    for _ in range(settings.window - 1):
        learner.step()
    learner._played.backed[:] = learner.net.estimate(learner._played.batch).view_as(learner._played.backed)
    learner.step()  # the last turn of the window is the only one that the net does not know
    every, *focused = learner._sample.unbind(1)
    assert sorted(every.flatten().tolist()) == list(range(4 * 16))
    assert all(int(lesson.min()) >= 3 * 16 for lesson in focused)


def test_a_net_that_diverges_is_an_error_and_not_written(tmp_path: Path) -> None:
    import torch

    from pickomino.training.learn import Learner, TrainingSettings

    learner = Learner(TrainingSettings(batch=16, width=16, window=2), tmp_path, torch.device("cpu"))
    with torch.no_grad():
        learner.net.last.bias[:] = torch.nan
    with pytest.raises(PickominoError, match="classic-2: the net has diverged after 3 steps"):
        learner.run(log_every=3)
    assert not list(tmp_path.iterdir())


def test_a_net_is_measured(tmp_path: Path) -> None:
    import torch

    from pickomino.training.learn import Learner, TrainingSettings

    figures = Learner(TrainingSettings(batch=16, width=16), tmp_path, torch.device("cpu")).measure(games=2)
    found = figures["classic"]
    assert isinstance(found, dict)
    assert set(found) == {"bellman_residual", "ev:loss=1,steal=1", "ev:loss=1,steal=0"}
    assert found["ev:loss=1,steal=1"]["games"] == 2


@pytest.mark.parametrize("family", FAMILIES)
def test_weights_mean_the_same_at_the_table(family: str) -> None:
    import torch

    from pickomino.tensor.torch_arrays import TorchArrays
    from pickomino.tensor.torch_net import TorchNet, sight

    torch.manual_seed(1)
    rules = family_rules(family, 3, TorchArrays(torch.device("cpu"), 1), FAMILIES[family][-1])
    batch = scattered(rules, 30)
    arrays = TorchNet(family, sight(family, batch).shape[1], 3, 32).arrays()
    expected = TorchNet.of(family, arrays).estimate(batch).numpy()
    found = WinNet(family, arrays).shares(batch_of(positions(batch)))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)


def test_smoke_says_so_and_writes_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pickomino.training import __main__ as command

    monkeypatch.setitem(command._SMOKE, "minutes", "0.01")
    assert command.main(["--smoke", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("smoke: 0.01 minutes with a small net")
    assert {path.suffix for path in tmp_path.iterdir()} >= {".npz", ".json", ".jsonl"}
