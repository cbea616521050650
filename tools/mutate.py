"""Mutation testing of the rules:   python tools/mutate.py [--module NAME ...] [TEST ...]

Each mutant is the rules with one small mistake in them: a `<` that is `<=`, an operand less, another number. A
mutant that no test notices survives and is shown: a test is missing, or the mistake makes no difference.

One pytest session collects the tests; every mutant is a fork of it. A mistake inside a function gets its new
code object put into the function that everyone has imported already, so a fork pays for nothing but its tests.
Mistakes in what a module does when it is imported (tables, defaults) need a session of their own.

Left alone: imports, annotations, assertions (they speak to the type checker), decorators, docstrings, `__all__`.
"""

from __future__ import annotations

import argparse
import ast
import functools
import importlib
import importlib.abc
import importlib.util
import inspect
import os
import signal
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import pytest

PACKAGE = "pickomino.rules"
FOLDER = Path(__file__).parent.parent / "src" / PACKAGE.replace(".", "/")
TESTS = (
    *(f"tests/rules/test_{name}.py" for name in ("editions", "positions", "examples", "perft")),
    *(f"tests/notation/test_{name}.py" for name in ("moves", "positions", "records")),
)
QUICK = 0.15  # seconds: a mutant has most of the tests to itself in a few seconds without the slower ones
SECONDS = 60  # a mutant that takes longer runs in circles

OTHER: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or},
    **{ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult},
    **{ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr},
}
OTHER_NAME = {"sorted": "list", "min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """A module with one mistake."""

    module: str
    line: int
    before: str
    after: str
    function: str  # the top-level function or method it is in; "" where the module is made
    code: types.CodeType  # of the function, else of the module

    def __str__(self) -> str:
        return f"{self.module.rpartition('.')[2]}.py:{self.line}: {self.before}  ->  {self.after}"


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    """What one node might wrongly have been."""
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str(value)):
            yield ast.Constant(f"{value}~" if value else "~")
        case ast.Name(id=name) if name in OTHER_NAME:
            yield ast.Name(OTHER_NAME[name], ast.Load())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(left, op, right) if type(op) in OTHER:
            yield ast.BinOp(left, OTHER[type(op)](), right)
        case ast.AugAssign(target, op, value) if type(op) in OTHER:
            yield ast.AugAssign(target, OTHER[type(op)](), value)
            yield ast.Pass()
        case ast.BoolOp(op, values):
            yield ast.BoolOp(OTHER[type(op)](), values)
            for index in range(len(values)):
                yield ast.BoolOp(op, [*values[:index], *values[index + 1 :]]) if len(values) > 2 else values[1 - index]
        case ast.Compare(left, ops, right):
            for index, op in enumerate(ops):
                yield ast.Compare(left, [*ops[:index], OTHER[type(op)](), *ops[index + 1 :]], right)
        case ast.If(test, body, orelse) if not isinstance(test, ast.Compare):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test, body, orelse) if not isinstance(test, ast.Compare):
            yield ast.IfExp(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.comprehension(target, it, ifs):
            for index in range(len(ifs)):
                yield ast.comprehension(target, it, [*ifs[:index], *ifs[index + 1 :]], node.is_async)
        case ast.match_case(pattern, ast.expr() as guard, body):
            yield ast.match_case(pattern, ast.UnaryOp(ast.Not(), guard), body)
        case ast.Call(func, args, keywords):
            for index in range(len(keywords)):
                yield ast.Call(func, args, [*keywords[:index], *keywords[index + 1 :]])
        case ast.Raise() | ast.Return(value=ast.expr()) | ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            yield ast.Pass()


def left_alone(parent: ast.AST, field: str, node: ast.AST) -> bool:
    if field in ("annotation", "returns", "decorator_list", "format_spec"):
        return True
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
    return False


def mutants(module: str) -> Iterator[Mutant]:
    """Every mistake of a module, one at a time."""
    source = (FOLDER / f"{module.rpartition('.')[2]}.py").read_text("utf-8")
    tree = ast.parse(source)
    original = ast.unparse(tree)

    def visit(node: ast.AST, function: str, outer: str) -> Iterator[Mutant]:
        for field, value in ast.iter_fields(node):
            for index, child in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(child, ast.AST) or left_alone(node, field, child):
                    continue

                def put(new: ast.AST, value: Any = value, index: int = index, field: str = field) -> None:
                    if isinstance(value, list):
                        value[index] = new
                    else:
                        setattr(node, field, new)

                # Inside the body of a top-level function or method; its defaults belong to the module.
                inside = function or (
                    f"{outer}{node.name}" if isinstance(node, ast.FunctionDef) and field == "body" else ""
                )
                for new in replacements(child):
                    put(new)
                    code = _compiled(tree, inside)
                    if code is not None and ast.unparse(tree) != original:
                        line = getattr(child, "lineno", getattr(node, "lineno", 0))
                        yield Mutant(module, line, _short(child), _short(new), inside, code)
                    put(child)
                name = f"{outer}{node.name}." if isinstance(node, ast.ClassDef) else outer
                yield from visit(child, inside, name)

    yield from visit(tree, "", "")


def _compiled(tree: ast.Module, function: str) -> types.CodeType | None:
    try:
        code: types.CodeType = compile(ast.fix_missing_locations(tree), "<mutant>", "exec")
    except (SyntaxError, ValueError, TypeError):
        return None  # as an empty `yield` that made a function a generator
    for name in function.split(".") if function else ():
        code = next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
    return code


def _short(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:90]


# --- running them ---------------------------------------------------------------------------------


def install(mutant: Mutant) -> None:
    """Put the mistake into this process: into the loaded function, or into what will be imported."""
    if not mutant.function:
        sys.meta_path.insert(0, _Mistaken(mutant))
        return
    found: Any = importlib.import_module(mutant.module)
    for name in mutant.function.split("."):
        found = inspect.getattr_static(found, name)
    found = getattr(found, "fget", None) or getattr(found, "__func__", None) or found
    inspect.unwrap(found).__code__ = mutant.code
    forget()


def forget() -> None:
    """Empty the caches of the package."""
    for name, module in list(sys.modules.items()):
        if name.startswith(PACKAGE):
            for thing in vars(module).values():
                if isinstance(thing, functools._lru_cache_wrapper):
                    thing.cache_clear()


class _Mistaken(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with a mistake in it."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        return importlib.util.spec_from_loader(name, self) if name == self._mutant.module else None

    def exec_module(self, module: types.ModuleType) -> None:
        exec(self._mutant.code, module.__dict__)


def survives(mutant: Mutant | None, run: Callable[[], bool]) -> bool:
    """Run the tests in a fork with the mistake in it; True if they all pass."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    signal.alarm(SECONDS)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    passed = False
    try:
        if mutant is not None:
            install(mutant)
        passed = run()
    finally:
        os._exit(not passed)


class Session:
    """A pytest plugin: in place of running the tests once it runs them in a fork per mutant."""

    def __init__(self, todo: Sequence[Mutant]) -> None:
        self._todo = todo
        self.survivors: list[Mutant] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        reached, first = {}, []
        for item in session.items:
            began = process_time()
            reached[item] = self._reached(item)
            if process_time() - began < QUICK:
                first.append(item)
        print(f"{len(first)} of {len(session.items)} tests", flush=True)
        for mutant in self._todo:
            items = [item for item in first if (mutant.module, mutant.function) in reached[item]]
            read, write = os.pipe()
            if survives(mutant, lambda items=items, write=write: self._all_pass(items, write)):
                report(mutant, self.survivors)
            os.close(write)
            if killer := os.read(read, 9):  # what kills one mutant kills its neighbour
                item = items[int(killer)]
                first.remove(item)
                first.insert(0, item)
            os.close(read)
        return True

    def _reached(self, item: pytest.Item) -> set[tuple[str, str]]:
        """The functions that a test calls; no other mistake can matter to it."""
        called: set[tuple[str, str]] = set()

        def note(frame: types.FrameType, event: str, _: object) -> None:
            if event == "call":
                called.add((frame.f_globals.get("__name__", ""), frame.f_code.co_qualname.split(".<locals>")[0]))

        forget()
        sys.setprofile(note)
        passed = self._passes(item)
        sys.setprofile(None)
        if not passed:
            raise pytest.UsageError(f"{item.nodeid} fails without a mistake")
        return called

    def _all_pass(self, items: list[pytest.Item], write: int) -> bool:
        for index, item in enumerate(items):
            if not self._passes(item):
                os.write(write, str(index).encode())
                return False
        return True

    @staticmethod
    def _passes(item: pytest.Item) -> bool:
        from _pytest.runner import runtestprotocol  # what `pytest_runtest_protocol` calls; it alone gives reports

        return all(report.passed for report in runtestprotocol(item, log=False, nextitem=None))


def report(mutant: Mutant, survivors: list[Mutant]) -> None:
    survivors.append(mutant)
    print(mutant, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Mutation testing of the rules.")
    parser.add_argument("--module", action="append", metavar="NAME", help="of pickomino.rules; all unless given")
    parser.add_argument("tests", nargs="*", default=TESTS, metavar="TEST", help="those that state what they expect")
    args = parser.parse_args(argv)
    names = args.module or sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
    todo = [mutant for name in names for mutant in mutants(f"{PACKAGE}.{name}")]
    options = ["-x", "--assert=plain", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:terminal", *args.tests]
    at_import = [mutant for mutant in todo if not mutant.function]
    if not survives(None, lambda: pytest.main(options) == 0):
        sys.exit("the tests fail without a mistake")
    survivors = [mutant for mutant in at_import if survives(mutant, lambda: pytest.main(options) == 0)]
    for mutant in survivors:
        print(mutant)
    session = Session([mutant for mutant in todo if mutant.function])
    pytest.main(options, [session])
    survivors += session.survivors
    print(f"{len(todo)} mutants, {len(survivors)} survive")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
