"""Fairy-Stockfish as a program: how it is started, whichever there is, and what it has to be told.

`python tests/oracles/stockfish.py` installs the npm package in the user's cache, where none is found.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

CONFIG = Path(__file__).with_name("chak.ini")
"""The variants that it does not know by itself."""
CACHE = Path.home() / ".cache" / "menagerie"
PACKAGE, VERSION = "fairy-stockfish-nnue.wasm", "1.1.12"
INSTALL = ("npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(CACHE), f"{PACKAGE}@{VERSION}")


@dataclass(frozen=True)
class Program:
    """A Fairy-Stockfish that can be started."""

    command: tuple[str, ...]
    config: str
    """Where it finds CONFIG."""

    def options(self, protocol: str) -> dict[str, str]:
        """What it is told in a protocol to play our games with one thread and without a network."""
        network = "Use NNUE" if protocol == "uci" else "Use_NNUE"
        return {"VariantPath": self.config, "Threads": "1", network: "false"}


@dataclass(frozen=True)
class Missing:
    """There is none, and why."""

    reason: str


def find() -> Program | Missing:
    """A program built natively first, it is twice as fast as the npm package."""
    if program := shutil.which(os.environ.get("FAIRY_STOCKFISH", "fairy-stockfish")):
        return Program((program,), str(CONFIG))
    script, node = CACHE / "node_modules" / PACKAGE / "uci.js", shutil.which("node")
    if node and script.exists():
        # The package sees no disk: UCI_NNUE_FILE is its one way to carry a file inside, and puts it at the root.
        # Where node has fetch the package tries to load its own file as if from a server.
        carry = ("env", f"UCI_NNUE_FILE={CONFIG}")
        return Program((*carry, node, "--no-experimental-fetch", str(script)), f"/{CONFIG.name}")
    reason = f"not installed: {' '.join(INSTALL)}, or set FAIRY_STOCKFISH to a program built with largeboards=yes"
    return Missing(reason)


if __name__ == "__main__":
    if isinstance(find(), Missing):
        CACHE.mkdir(parents=True, exist_ok=True)
        sys.exit(subprocess.run(INSTALL, check=False).returncode)
