"""How the champion learns: self-play on a GPU with the exact turn solver. Needs NumPy and PyTorch, nothing else.

    python -m pickomino.training --seats 2 --minutes 4 --out weights/

`pickomino.tensor` holds the games and what the end of a turn does to them; `backup` is the exact turn solver on arrays,
`turn` plays turns by it, `net` is what learns, `learn` ties them together, `contest` measures strength on the way. Only
`net`, `learn` and the GPU kernel need PyTorch; NumPy runs the rest, and so do the tests.
"""
