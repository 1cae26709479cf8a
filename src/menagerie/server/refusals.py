"""What the server does not do, and why: the one exception that goes back to whoever asked."""

from typing import Literal

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from menagerie.errors import MenagerieError

OUTAGE = (RedisError, SQLAlchemyError, OSError)
"""What is raised where the database or Redis is away; it passes, and the same can be tried again."""
Ground = Literal["illegal", "late", "seat", "over", "limit", "malformed", "impossible"]


class Refusal(MenagerieError):
    """Nothing was done. The ground is for programs, the words are for people."""

    def __init__(self, ground: Ground, words: str, nearest: list[str] | None = None) -> None:
        super().__init__(words)
        self.ground: Ground = ground
        self.nearest = nearest or []


class NotFound(MenagerieError):
    """There is no such thing."""
