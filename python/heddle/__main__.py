"""`python -m heddle`: the command of this package; with --icd the path of its OpenCL driver.

SPDX-License-Identifier: MIT
"""
import os
import sys
from typing import List, NoReturn, Union

from . import _native


def _fail(why: str) -> NoReturn:
    print(f"heddle: {why}", file=sys.stderr)
    sys.exit(3)


def _run(arguments: List[str]) -> NoReturn:
    library = _native.own_file("libheddle.so")
    beside = os.path.join(os.path.dirname(sys.executable), "heddle")
    installed = os.path.join(os.path.dirname(library or ""), "..", "..", "bin", "heddle")
    command: Union[str, None] = next((p for p in (beside, installed) if os.access(p, os.X_OK)), None)
    try:
        if command is not None:
            os.execv(command, ["heddle", *arguments])
        os.execvp("heddle", ["heddle", *arguments])
    except OSError as error:
        _fail(f"the command was not found ({error.strerror})")


def main() -> None:
    if sys.argv[1:] == ["--icd"]:
        driver = _native.own_file("libheddle-cl.so")
        if driver is None:
            _fail("this package has no OpenCL driver; the one of `make install` is named in /etc/OpenCL/vendors")
        print(driver)
        return
    _run(sys.argv[1:])


main()
