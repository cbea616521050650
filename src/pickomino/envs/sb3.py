"""The vector env as a `VecEnv` of Stable-Baselines3, which brings PyTorch and is not among our extras."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino.envs.vector import PickominoVectorEnv
from pickomino.rules.errors import MissingExtraError

try:
    VecEnv: Any = import_module("stable_baselines3.common.vec_env").VecEnv
except ImportError as error:
    raise MissingExtraError(
        "pickomino.envs.sb3 needs Stable-Baselines3: pip install stable-baselines3"
    ) from error


class PickominoVecEnv(VecEnv):  # type: ignore[misc]  # it is not there where types are checked
    """Thousands of games in one process; `options` are those of `PickominoVectorEnv`.

    The masks are where sb3-contrib's MaskablePPO looks for them, `action_masks`. Where a game ended the info has
    ``terminal_observation``, ``TimeLimit.truncated``, and what `PickominoEnv` reports at the end.
    """

    def __init__(self, num_envs: int = 1024, **options: Any) -> None:
        self.envs = PickominoVectorEnv(num_envs, **options)
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)
        self._actions: NDArray[np.int64] = np.zeros(num_envs, dtype=np.int64)

    def reset(self) -> Any:
        """New games; `seed` before it fixes them and all that follow."""
        observations, _ = self.envs.reset(seed=list(self._seeds))
        self._reset_seeds()
        return observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        observations, rewards, over, broken_off, told = self.envs.step(self._actions)
        done = over | broken_off
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for lane in np.flatnonzero(done).tolist():
            final = told["final_info"]
            infos[lane] = {name: final[name][lane] for name in final if not name.startswith("_")}
            infos[lane]["terminal_observation"] = told["final_obs"][lane]
            infos[lane]["TimeLimit.truncated"] = bool(broken_off[lane])
        return observations, rewards.astype(np.float32), done, infos

    def close(self) -> None:
        self.envs.close()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves: (games, moves)."""
        return self.envs.action_masks()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        value = getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **options: Any) -> list[Any]:
        """A method of the vector env, which answers for all games at once: one answer per game."""
        answers = getattr(self.envs, method_name)(*args, **options)
        return [answers[index] for index in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]
