"""The tables of the database. Times are milliseconds since 1970; texts of JSON hold what no query asks for."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    false,
)

metadata = MetaData()

people = Table(
    "people",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("folded", String(40), unique=True),  # the name in small letters; none for guests
    Column("kind", String(8), nullable=False),
    Column("password", Text),
    Column("created", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("expires", BigInteger, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("label", String(60), nullable=False),
    Column("created", BigInteger, nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("game", String(40), nullable=False),
    Column("against", String(8), nullable=False),  # people, or the machine
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("changed", BigInteger, nullable=False, server_default="0"),  # 0: before that was noted
    PrimaryKeyConstraint("person", "game", "against"),
    Index("leaders", "game", "against", "rating"),
)

seeks = Table(
    "seeks",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("terms", Text, nullable=False),
    Column("is_private", Boolean, nullable=False),
    Column("match", String(16)),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
)

matches = Table(
    "matches",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("terms", Text, nullable=False),  # what does not change: rules, start, clock, who sits where
    Column("standing", Text, nullable=False),  # what changes, less the turns
    Column("status", String(8), nullable=False),
    Column("version", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("due", BigInteger),  # when somebody must look at it again
    Column("created", BigInteger, nullable=False),
    Column("is_private", Boolean, nullable=False, server_default=false()),  # in no list but of those who play it
    Index("due_matches", "due"),
    Index("recent_matches", "game", "created"),
)

seats = Table(
    "seats",
    metadata,
    Column("match", ForeignKey("matches.id"), nullable=False),
    Column("player", Integer, nullable=False),
    Column("person", ForeignKey("people.id"), nullable=False),
    Column("created", BigInteger, nullable=False),
    PrimaryKeyConstraint("match", "player"),
    Index("seats_of", "person", "created"),
)

turns = Table(
    "turns",
    metadata,
    Column("match", ForeignKey("matches.id"), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("actions", Text, nullable=False),  # numbers with commas between them
    Column("request", String(40), nullable=False),  # the client's own name for it
    Column("spent", Integer),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("match", "ply"),
)

chat = Table(
    "chat",
    metadata,
    Column("match", ForeignKey("matches.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("name", String(40), nullable=False),
    Column("player", Integer),
    Column("text", String(200), nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("match", "number"),
)

servers = Table(
    "servers",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("seen", BigInteger, nullable=False),
)
