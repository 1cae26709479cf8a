"""A CUDA device that is none: kernels run thread after thread on the CPU, to try what is around them."""

from collections.abc import Callable
from typing import Any

import numpy as np


class DeviceArray(np.ndarray):
    """An array that claims to lie on a device."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.__array_interface__

    def copy_to_host(self, out: np.ndarray | None = None) -> np.ndarray:
        if out is None:
            return np.array(self)
        out[...] = self
        return out

    def copy_to_device(self, source: np.ndarray) -> None:
        self[...] = source


class Kernel:
    """Called with a grid, it runs once for every thread of it."""

    def __init__(self, device: "FakeCuda", function: Callable[..., object]) -> None:
        self.device, self.function = device, function

    def __getitem__(self, grid: tuple[int, int]) -> Callable[..., None]:
        def launch(*arguments: object) -> None:
            for thread in range(grid[0] * grid[1]):
                self.device.thread = thread
                self.function(*arguments)

        return launch


class FakeCuda:
    """As much of `numba.cuda` as the solver uses."""

    thread = 0

    def __init__(self, is_there: bool = True) -> None:
        self.is_there = is_there

    def is_available(self) -> bool:
        return self.is_there

    def jit(self, function: Callable[..., object]) -> Kernel:
        return Kernel(self, function)

    def grid(self, _: int) -> int:
        return self.thread

    def to_device(self, array: np.ndarray) -> DeviceArray:
        return array.copy().view(DeviceArray)

    def device_array(self, size: int, kind: np.dtype) -> DeviceArray:
        return np.zeros(size, kind).view(DeviceArray)

    def synchronize(self) -> None:
        """Everything is done already."""
