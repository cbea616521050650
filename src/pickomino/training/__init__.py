"""How the champion learns: self-play on a GPU with the exact turn solver. Needs NumPy and PyTorch, nothing else.

    python -m pickomino.training --seats 2 --minutes 4 --out weights/

`table` plays turns for thousands of games at once, `features` shows a net what it needs to know, `backup` is the exact
turn solver on tensors, `learn` ties them together, `contest` measures strength on the way.
"""
