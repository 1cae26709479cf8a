"""What a Prometheus server can ask this one."""

from prometheus_client import Counter, Gauge, Histogram

FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

turns = Counter("menagerie_turns_total", "Turns played, by who played them", ["player"])
turn_seconds = Histogram("menagerie_turn_seconds", "From a turn's receipt to its acknowledgement", buckets=FAST)
refusals = Counter("menagerie_refusals_total", "Requests that were refused, by ground", ["ground"])
matches = Counter("menagerie_matches_total", "Matches begun, by game", ["game"])
sockets = Gauge("menagerie_sockets", "Open sockets", ["kind"])
rooms = Gauge("menagerie_rooms", "Matches held in memory")
conflicts = Counter("menagerie_conflicts_total", "Changes decided anew because another server was faster")
engine_seconds = Histogram("menagerie_engine_seconds", "How long the machine thought", buckets=(*FAST, 5.0, 10.0, 30.0))
jobs_waiting = Gauge("menagerie_jobs_waiting", "Turns of the machine that nobody works on yet")
workers_replaced = Counter("menagerie_workers_replaced_total", "Engine processes that died or took too long")
stood_in = Counter("menagerie_stood_in_total", "Turns of the machine that the server had to find itself")
heap = Gauge("menagerie_heap_bytes", "Bytes of the C library's heaps that are in use")
loop_lag = Histogram("menagerie_loop_lag_seconds", "How late the event loop is", buckets=FAST)
requests = Counter("menagerie_requests_total", "HTTP requests, by status", ["status"])
