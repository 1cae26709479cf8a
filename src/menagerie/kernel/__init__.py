"""What makes the rules fast: records, compilation, paths and walks. The kernel knows no game."""

import numba.extending

from menagerie.kernel import intrinsics

intrinsics.register(numba.extending.overload, numba.extending.intrinsic)  # type: ignore[no-untyped-call]
