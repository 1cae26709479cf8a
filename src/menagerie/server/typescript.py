"""The messages as TypeScript types, so that the browser's are never written a second time.

python -m menagerie.server.typescript web/src/lib/messages.ts
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType, UnionType

import msgspec
from msgspec import inspect as kinds

from menagerie.server import bodies, facts, messages

HEAD = "// Generated from the server's messages by `python -m menagerie.server.typescript`; do not edit.\n"
UNIONS = {
    "FromClient": messages.FromClient,
    "FromServer": messages.FromServer,
    "FromLobby": messages.FromLobby,
    "ClockBody": bodies.ClockBody,
}
CONSTANTS = {
    "MESSAGE_BYTES": messages.MESSAGE_BYTES,
    "MOST_ACTIONS": messages.MOST_ACTIONS,
    "MOST_SAID": messages.MOST_SAID,
    "NAME_RULE": bodies.NAME_RULE,
    "PASSWORD_RULE": bodies.PASSWORD_RULE,
}
PLAIN = {
    kinds.StrType: "string",
    kinds.IntType: "number",
    kinds.FloatType: "number",
    kinds.BoolType: "boolean",
    kinds.NoneType: "null",
}


def generate() -> str:
    """The whole file."""
    parts = [HEAD, *(f"export const {name} = {value!r};\n" for name, value in CONSTANTS.items())]
    parts += [interface(struct) for module in (facts, messages, bodies) for struct in structs(module)]
    parts += [f"export type {name} =\n  | {union(of)};\n" for name, of in UNIONS.items()]
    return "\n".join(parts)


def structs(module: ModuleType) -> Iterator[type[msgspec.Struct]]:
    """The messages that a module defines, in its order, without their bases."""
    for found in vars(module).values():
        is_here = inspect.isclass(found) and found.__module__ == module.__name__
        if is_here and issubclass(found, msgspec.Struct) and (found.__struct_fields__ or found.__struct_config__.tag):
            yield found


def interface(struct: type[msgspec.Struct]) -> str:
    """One message."""
    info = kinds.type_info(struct)
    assert isinstance(info, kinds.StructType)
    lines = [comment(inspect.getdoc(struct) or "", ""), f"export interface {struct.__name__} {{"]
    if info.tag_field:
        lines.append(f"  {info.tag_field}: '{info.tag}';")
    about = sentences(struct)
    for field in info.fields:
        lines += [comment(about[field.name], "  ")] if field.name in about else []
        lines.append(f"  {field.encode_name}{'' if is_sure(struct, field) else '?'}: {name(field.type)};")
    return "\n".join([*lines, "}\n"])


def sentences(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The sentence that stands below a field, by the field's name."""
    body = ast.parse(inspect.getsource(struct)).body[0].body  # type: ignore[attr-defined]  # it is a class
    return {
        field.target.id: str(text.value.value)
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
    }


def is_sure(struct: type[msgspec.Struct], field: kinds.Field) -> bool:
    """Whether a field is always there, as in all that the server sends; a client may leave out what has a default."""
    return field.required or issubclass(struct, facts.Fact) or struct in from_server()


def from_server() -> tuple[type[msgspec.Struct], ...]:
    """The messages that only the server sends."""
    return (*messages.FromServer.__args__, *messages.FromLobby.__args__)


def comment(text: str, indent: str) -> str:
    """A sentence above what it is about."""
    return f"{indent}/** {' '.join(text.split())} */"


def name(kind: kinds.Type) -> str:
    """A type as TypeScript writes it."""
    if isinstance(kind, kinds.Metadata):
        return name(kind.type)
    if type(kind) in PLAIN:
        return PLAIN[type(kind)]
    if isinstance(kind, kinds.StructType):
        return kind.cls.__name__
    if isinstance(kind, kinds.LiteralType):
        return " | ".join(f"'{value}'" for value in kind.values)
    if isinstance(kind, kinds.ListType):
        inner = name(kind.item_type)
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if isinstance(kind, kinds.TupleType):
        return f"[{', '.join(map(name, kind.item_types))}]"
    if isinstance(kind, kinds.DictType):
        return f"Record<{name(kind.key_type)}, {name(kind.value_type)}>"
    if isinstance(kind, kinds.UnionType):
        if {part.cls for part in kind.types if isinstance(part, kinds.StructType)} == set(bodies.ClockBody.__args__):
            return "ClockBody"
        return " | ".join(map(name, kind.types))
    raise TypeError(f"there is no TypeScript for {kind}")


def union(of: UnionType) -> str:
    """The members of a union, a line each."""
    return "\n  | ".join(member.__name__ for member in of.__args__)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(generate(), encoding="utf-8")
