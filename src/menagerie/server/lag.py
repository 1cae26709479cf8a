"""How much lag a player is forgiven: what pings have measured, within a quota that grows with each turn.

A client that feigns lag gains no more than the quota.
"""

from menagerie.match.clock import SECOND, Control

GAIN, GAIN_PER_SECOND, MOST_GAIN = 150, 4, 1000
FIRST, MOST = 3, 7
"""The quota at the start and its limit, in gains."""
GRACE = 300
"""How long after zero a turn that was on its way may still arrive, at most."""


def gain(control: Control) -> int:
    """What the quota grows by with each turn."""
    return min(MOST_GAIN, GAIN + GAIN_PER_SECOND * (control.estimate or 0) // SECOND)


def first_quota(control: Control) -> int:
    """The quota before the first turn."""
    return FIRST * gain(control)


def forgiven(lag: int, quota: int) -> int:
    """What of a turn's time was the network's."""
    return max(0, min(lag, quota))


def next_quota(control: Control, quota: int, used: int) -> int:
    """The quota after a turn that has used some of it."""
    return min(MOST * gain(control), quota - used + gain(control))
