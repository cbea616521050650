"""Learn to beat the bot ``cautious`` with a mask-aware PPO: sb3-contrib's MaskablePPO on two cores.

    pip install "pickomino[envs]" sb3-contrib
    python masked_ppo.py --steps 1500000

sb3-contrib brings PyTorch, which the project itself does not need. Now and then a line says how many of
its games against ``cautious`` the agent wins. Lead shaping: besides the win at the end, each step is rewarded
for the change of the lead in worms; these always add up to the final lead, so no detour pays.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnvWrapper

from pickomino.envs import PickominoVectorEnv
from pickomino.envs.sb3 import PickominoVecEnv

LEAD_WEIGHT = 0.1


class LeadShaping(VecEnvWrapper):
    """The reward plus a tenth of the change of the lead in worms."""

    def __init__(self, envs: PickominoVecEnv) -> None:
        super().__init__(envs)
        layout = envs.envs.games.layout
        self._worms, self._most = layout.slices["worms"], layout.most[layout.slices["worms"]]
        self._lead = np.zeros(envs.num_envs)

    def _lead_of(self, observations: np.ndarray) -> np.ndarray:
        worms = observations[:, self._worms] * self._most
        return worms[:, 0] - worms[:, 1:].max(axis=1)

    def reset(self) -> np.ndarray:
        observations = self.venv.reset()
        self._lead = self._lead_of(observations)
        return observations

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observations, rewards, done, infos = self.venv.step_wait()
        last = observations.copy()
        for lane in np.flatnonzero(done):
            last[lane] = infos[lane]["terminal_observation"]
        rewards = rewards + LEAD_WEIGHT * (self._lead_of(last) - self._lead)
        self._lead = self._lead_of(observations)
        return observations, rewards, done, infos


def win_rate(model: MaskablePPO, games: int, bot: str = "cautious", seed: int = 1) -> tuple[float, float]:
    """The share of wins over so many games, played side by side, and its standard error."""
    lanes = min(games, 500)
    envs = PickominoVectorEnv(lanes, bots=[bot])
    observations, infos = envs.reset(seed=seed)
    found: list[float] = []
    while len(found) < games:
        actions, _ = model.predict(observations, action_masks=infos["action_mask"], deterministic=True)
        observations, rewards, over, broken_off, infos = envs.step(actions)
        found += rewards[over | broken_off].tolist()
    return float(np.mean(found)), float(np.std(found) / len(found) ** 0.5)


class Report(BaseCallback):
    """A line of the learning curve every few steps."""

    def __init__(self, every: int, games: int) -> None:
        super().__init__()
        self._every, self._games, self._next, self._began = every, games, 0, time.perf_counter()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self._next:
            self._next += self._every
            self.line()

    def line(self) -> None:
        rate, error = win_rate(self.model, self._games)
        seconds = time.perf_counter() - self._began
        print(
            f"{self.num_timesteps:>9} steps {seconds:>6.0f} s  wins {100 * rate:5.1f} ± {100 * error:.1f} %",
            flush=True,
        )


def main(argv: list[str] | None = None) -> float:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1_500_000)
    parser.add_argument("--every", type=int, default=100_000, help="steps between two lines of the curve")
    parser.add_argument("--games", type=int, default=2_000, help="games for each line")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="where the learned agent goes")
    arguments = parser.parse_args(argv)
    torch.set_num_threads(1)  # small nets: a second thread costs more than it brings
    envs = LeadShaping(PickominoVecEnv(64, bots=["cautious"]))
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=256,
        batch_size=2048,
        n_epochs=4,
        learning_rate=lambda left: 1e-3 * left + 5e-5,
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.005,
        policy_kwargs={"net_arch": [128, 128]},
        seed=arguments.seed,
        device="cpu",
    )
    report = Report(arguments.every, arguments.games)
    model.learn(arguments.steps, callback=report)
    report.line()
    if arguments.save:
        model.save(arguments.save)
    return win_rate(model, 2 * arguments.games, seed=1_000_000)[0]


if __name__ == "__main__":
    main()
