"""CUDA: importing this teaches the CUDA compiler our bit helpers, so that kernels call the compiled rules directly."""

from numba import cuda
from numba.cuda.extending import intrinsic, overload

from menagerie.kernel import intrinsics

intrinsics.register(overload, intrinsic)  # type: ignore[no-untyped-call]

__all__ = ["cuda"]
