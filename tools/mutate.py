"""Mutation testing of the rules:   python tools/mutate.py [--module NAME ...] [TEST ...]

A mutant is the rules with one small mistake in them: a `<` that is `<=`, an operand less, another number. A mutant
that no test notices survives and is shown: a test is missing, or the mistake makes no difference.

One pytest session collects the tests; every mutant is a fork of it. A mistake inside a function gets its new
code object put into the function that everyone has imported already, so a fork pays for nothing but its tests.
Mistakes in what a module does when it is imported (tables, defaults) need a session of their own.

Left alone: imports, annotations, assertions (they speak to the type checker), decorators, prose, `__all__`.
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
from _pytest.runner import runtestprotocol  # pytest's own: it runs one test and gives the reports back

PACKAGE = "pickomino.rules"
FOLDER = Path(__file__).parent.parent / "src" / PACKAGE.replace(".", "/")
TESTS = (
    *(f"tests/rules/test_{name}.py" for name in ("editions", "house", "plies", "positions")),
    *(f"tests/rules/test_{name}.py" for name in ("examples", "events", "perft")),
    *(f"tests/notation/test_{name}.py" for name in ("moves", "positions", "records")),
)
OPTIONS = ("-x", "--assert=plain", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:terminal")
QUICK = 0.1  # seconds: nine tests of ten are quicker, and those take a few seconds together
CIRCLES = 60  # seconds of processor time: a mutant that takes longer runs in circles

# One line for comparisons, one for logic, one for arithmetic.
PAIRS = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)),
    *((ast.And, ast.Or), (ast.BitAnd, ast.BitOr)),
    *((ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv), (ast.LShift, ast.RShift)),
)
OTHER: dict[type[ast.AST], Any] = {ast.Mod: ast.Mult, ast.Pow: ast.Mult}
OTHER |= dict(PAIRS) | {other: one for one, other in PAIRS}
OTHER_NAME = {"sorted": "list", "min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """A module with one mistake."""

    module: str
    line: int
    before: str
    after: str
    function: str  # the top-level function or method it is in; "" where the module is made
    code: types.CodeType  # of that function, else of the module

    def __str__(self) -> str:
        return f"{self.module.rpartition('.')[2]}.py:{self.line}: {self.before}  ->  {self.after}"


# --- making them ----------------------------------------------------------------------------------


def mistakes(node: ast.AST) -> Iterator[ast.AST]:
    """What one node might wrongly have been."""
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if " " not in value:  # else it is prose
            yield ast.Constant(f"{value}~")
        case ast.Name(id=name) if name in OTHER_NAME:
            yield ast.Name(OTHER_NAME[name], ast.Load())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(left, operator, right):
            yield ast.BinOp(left, OTHER[type(operator)](), right)
        case ast.AugAssign(target, operator, change):
            yield ast.AugAssign(target, OTHER[type(operator)](), change)
            yield ast.Pass()
        case ast.BoolOp(op, values):
            yield ast.BoolOp(OTHER[type(op)](), values)
            yield from (ast.BoolOp(op, rest) if len(rest) > 1 else rest[0] for rest in _one_less(values))
        case ast.Compare(left, ops, right):
            for index, compared in enumerate(ops):
                yield ast.Compare(left, [*ops[:index], OTHER[type(compared)](), *ops[index + 1 :]], right)
        case ast.If(test, body, orelse) if not isinstance(test, ast.Compare):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test, chosen, otherwise) if not isinstance(test, ast.Compare):
            yield ast.IfExp(ast.UnaryOp(ast.Not(), test), chosen, otherwise)
        case ast.match_case(pattern, ast.expr() as guard, body):
            yield ast.match_case(pattern, ast.UnaryOp(ast.Not(), guard), body)
        case ast.comprehension(target, source, conditions):
            yield from (ast.comprehension(target, source, rest, 0) for rest in _one_less(conditions))
        case ast.Call(function, arguments, keywords):
            yield from (ast.Call(function, arguments, rest) for rest in _one_less(keywords))
        case ast.Return(value=ast.Constant(value=None)):
            pass  # the end of a function says the same
        case ast.Raise() | ast.Return(value=ast.expr()) | ast.Expr():
            yield ast.Pass()


def _one_less(items: list[Any]) -> Iterator[list[Any]]:
    for index in range(len(items)):
        yield [*items[:index], *items[index + 1 :]]


def left_alone(field: str, node: ast.AST) -> bool:
    if field in ("annotation", "returns", "decorator_list", "format_spec"):
        return True
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.Expr(value=ast.Constant()):
            return True
        case (
            ast.Assign(targets=[ast.Name(id="__all__")]) | ast.AnnAssign(annotation=ast.Name(id="TypeAlias"))
        ):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
    return False


def mutants(module: str) -> Iterator[Mutant]:
    """Every mistake of a module, one at a time."""
    tree = ast.parse((FOLDER / f"{module}.py").read_text("utf-8"))

    def visit(node: ast.AST, function: str, outer: str) -> Iterator[Mutant]:
        if isinstance(node, ast.ClassDef):
            outer = f"{outer}{node.name}."
        for field, value in ast.iter_fields(node):
            # Inside the body of a top-level function or method; its defaults belong to the module.
            # The functions of `edition` have done their work by then: they make the tables.
            body = isinstance(node, ast.FunctionDef) and field == "body" and module != "edition"
            inside = function or (f"{outer}{node.name}" if body else "")  # type: ignore[attr-defined]  # a def
            places = value if isinstance(value, list) else [value]
            for index, child in enumerate(places):
                if not isinstance(child, ast.AST) or left_alone(field, child):
                    continue
                line = getattr(child, "lineno", getattr(node, "lineno", 0))
                for new in mistakes(child):
                    places[index] = new
                    setattr(node, field, value if places is value else new)
                    if (code := _compiled(tree, inside)) is not None:
                        yield Mutant(f"{PACKAGE}.{module}", line, _short(child), _short(new), inside, code)
                places[index] = child
                setattr(node, field, value)
                yield from visit(child, inside, outer)

    yield from visit(tree, "", "")


def _compiled(tree: ast.Module, function: str) -> types.CodeType | None:
    try:
        code: types.CodeType = compile(ast.fix_missing_locations(tree), "<mutant>", "exec")
    except (SyntaxError, ValueError):
        return None
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
    found: Any = sys.modules[mutant.module]
    for name in mutant.function.split("."):
        found = inspect.getattr_static(found, name)
    found = getattr(found, "fget", None) or getattr(found, "__func__", None) or found
    inspect.unwrap(found).__code__ = mutant.code
    for name, module in sys.modules.items():
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
    """Whether all tests pass in a fork with the mistake in it (or with none)."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    passed = False
    try:
        signal.setitimer(signal.ITIMER_PROF, CIRCLES)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        if mutant is not None:
            install(mutant)
        passed = run()
    finally:
        os._exit(not passed)


def session_passes(tests: Sequence[str]) -> bool:
    return pytest.main([*OPTIONS, *tests]) == 0


class Forks:
    """A pytest plugin: in place of running the tests once it runs the quick ones in a fork per mutant."""

    def __init__(self, todo: Sequence[Mutant]) -> None:
        self._todo = todo
        self.survivors: list[Mutant] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = [item for item in session.items if self._is_quick(item)]
        for mutant in self._todo:
            killer, write = os.pipe()
            if survives(mutant, functools.partial(self._all_pass, items, write)):
                self.survivors.append(mutant)
                print(mutant, flush=True)
            os.close(write)
            if index := os.read(killer, 9):
                items.insert(0, items.pop(int(index)))  # what kills one mutant kills its neighbour
            os.close(killer)
        return True

    def _is_quick(self, item: pytest.Item) -> bool:
        began = process_time()
        if not self._passes(item):
            raise pytest.UsageError(f"{item.nodeid} fails without a mistake")
        return process_time() - began < QUICK

    def _all_pass(self, items: list[pytest.Item], killer: int) -> bool:
        for index, item in enumerate(items):
            if not self._passes(item):
                os.write(killer, str(index).encode())
                return False
        return True

    @staticmethod
    def _passes(item: pytest.Item) -> bool:
        return all(report.passed for report in runtestprotocol(item, log=False))


def main(argv: Sequence[str] | None = None) -> int:
    modules = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
    parser = argparse.ArgumentParser(description="Mutation testing of the rules.")
    parser.add_argument(
        "--module", action="append", choices=modules, help="of pickomino.rules; all unless given"
    )
    parser.add_argument(
        "tests", nargs="*", default=TESTS, metavar="TEST", help="pytest's words for what to run"
    )
    args = parser.parse_args(argv)
    todo = [mutant for name in args.module or modules for mutant in mutants(name)]
    # These tests use no plugin, and without them a session starts in half the time.
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    run = functools.partial(session_passes, args.tests)
    if not survives(None, run):
        sys.exit("the tests fail without a mistake")
    survivors = [mutant for mutant in todo if not mutant.function and survives(mutant, run)]
    print(*survivors, sep="\n", flush=True)
    forks = Forks([mutant for mutant in todo if mutant.function])
    pytest.main([*OPTIONS, *args.tests], [forks])
    survivors += forks.survivors
    print(f"{len(todo)} mutants, {len(survivors)} survive")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
