"""An import-linter contract: a package imports itself, the standard library and a list of names, no more."""

import sys

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class OnlyContract(Contract):
    """Holds for direct imports. A package that does not exist yet keeps the contract.

    Options: `importer`, the package; `allowed`, what it may import besides itself and the standard library.
    """

    type_name = "only"

    importer = fields.StringField()
    allowed = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        package = str(self.importer)
        allowed = [package, *(str(name) for name in self.contract_options["allowed"])]
        found = [
            f"{module} -> {imported} (line {line})"
            for module in sorted(graph.modules)
            if _within(module, package)
            for imported in sorted(graph.find_modules_directly_imported_by(module))
            if imported.partition(".")[0] not in sys.stdlib_module_names
            if not any(_within(imported, name) for name in allowed)
            for line in _lines(graph, module, imported)
        ]
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["found"]:
            output.print_error(f"- {line}")
        output.new_line()


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def _lines(graph: ImportGraph, importer: str, imported: str) -> list[int]:
    details = graph.get_import_details(importer=importer, imported=imported)
    return [detail["line_number"] for detail in details]
