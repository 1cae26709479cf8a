"""Whether a match is private becomes a column, and ratings know when they have changed."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None
SLICE = 1000


def upgrade() -> None:
    """Bring the tables forward."""
    # Not in a batch, which makes the table anew: SQLite does not let go of one that others refer to.
    op.add_column("matches", sa.Column("is_private", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("ratings", sa.Column("changed", sa.BigInteger(), nullable=False, server_default="0"))
    matches = sa.table("matches", sa.column("id"), sa.column("terms"), sa.column("is_private", sa.Boolean()))
    connection = op.get_bind()
    last = ""
    while rows := connection.execute(
        sa.select(matches.c.id, matches.c.terms).where(matches.c.id > last).order_by(matches.c.id).limit(SLICE)
    ).all():
        last = rows[-1].id
        private = [row.id for row in rows if json.loads(row.terms).get("is_private")]
        if private:
            connection.execute(sa.update(matches).where(matches.c.id.in_(private)).values(is_private=True))


def downgrade() -> None:
    """Bring them back."""
    op.drop_column("ratings", "changed")
    op.drop_column("matches", "is_private")
