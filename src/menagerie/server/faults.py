"""What is wrong with something that was sent, in words: the rule that it breaks, where people fill it in themselves."""

import re
from typing import Any

import msgspec
from msgspec import Struct
from msgspec import inspect as kinds

from menagerie.server.messages import Id

PLACE = re.compile(r"at `\$\.([\w.]+)`")
"""Where msgspec says that the fault is."""


class Envelope(Struct):
    """What can be read of a message whatever else is in it: what it is, and what its sender calls it."""

    type: str = ""
    id: Id | None = None


read_envelope = msgspec.json.Decoder(Envelope).decode


def envelope(sent: str | bytes) -> Envelope:
    """What can be read of something that was sent."""
    try:
        return read_envelope(sent)
    except (msgspec.MsgspecError, UnicodeError):
        return Envelope()


def in_words(error: Exception, kind: Any, sent: str | bytes) -> str:
    """What is wrong with something that should be of a kind; what only programs send is told in msgspec's words."""
    place = PLACE.search(str(error))
    rule = rule_at(kinds.type_info(kind), place[1].split("."), envelope(sent).type) if place else None
    return rule or f"that is not as it should be: {error}"


def rule_at(kind: kinds.Type, path: list[str], tag: str) -> str | None:
    """The rule of what lies at a path within a kind, as its type describes it; of several kinds, the tag's first."""
    if isinstance(kind, kinds.Metadata):
        about = (kind.extra_json_schema or {}).get("description")
        return rule_at(kind.type, path, tag) if path or about is None else str(about)
    if isinstance(kind, kinds.UnionType):
        tagged = sorted(kind.types, key=lambda one: getattr(one, "tag", None) != tag)
        return next(filter(None, (rule_at(one, path, tag) for one in tagged)), None)
    if isinstance(kind, kinds.StructType) and path:
        inner = [field.type for field in kind.fields if field.encode_name == path[0]]
        return rule_at(inner[0], path[1:], tag) if inner else None
    return None
