"""What a script says in a process of its own, with compiled or with interpreted players."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent.parent


def probe(script: str, *, compiled: bool) -> Any:
    """What it prints: a list of `COMPILED` and this."""
    environment = {"NUMBA_DISABLE_JIT": "0" if compiled else "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    was, found = json.loads(done.stdout)
    assert was is compiled
    return found
