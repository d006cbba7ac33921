# SPDX-License-Identifier: MIT
"""Chromium without a window, driven over a pipe: it opens a file, runs a script in it, and takes pictures.

The pipe is that of --remote-debugging-pipe: JSON messages, each ended by a zero, on the descriptors 3 and 4. No port
is opened, and times are those of the machine, which --virtual-time-budget would not give.
"""

from __future__ import annotations

import base64
import json
import os
import selectors
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from baton_lab.base.process import forget, start, stop

NAMES = ("chromium", "chromium-browser", "google-chrome")
LIMIT_S = 120.0
POLL_S = 0.05
NOTHING = (subprocess.DEVNULL, subprocess.DEVNULL, subprocess.DEVNULL)
OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
    "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
    "--window-size=1400,900",
)  # fmt: skip


class BrowserError(OSError):
    """Chromium is not there, says nothing in time, or a script of the page throws."""


def found() -> str:
    """Returns the browser's program; nothing if there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), "")


class Browser:
    """A browser with one page. It is a context: its end ends the processes of the browser."""

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self._limit_s, self._id, self._session, self._rest = limit_s, 0, "", b""

    def __enter__(self) -> Self:
        program = found()
        if not program:
            raise BrowserError("there is no Chromium; install it: apt-get install chromium")
        self._profile = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        to_read, self._writing = os.pipe()
        self._reading, to_write = os.pipe()
        options = [*OPTIONS, f"--user-data-dir={self._profile.name}", "about:blank"]
        # The shell gives the pipe the two numbers that the browser expects.
        line = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        self._process = start(
            ["/bin/bash", "-c", line, "browser", program, *options], cwd=Path(self._profile.name), streams=NOTHING,
            descriptors=(to_read, to_write),
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        try:
            targets = self.call("Target.getTargets")["targetInfos"]
            page = next(target["targetId"] for target in targets if target["type"] == "page")
            self._session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
            self.call("Page.enable")
            self.call("Performance.enable", timeDomain="threadTicks")
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        stop(self._process)
        forget(self._process)
        os.close(self._writing)
        os.close(self._reading)
        self._profile.cleanup()

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Calls a method of the browser's protocol and returns its result.

        Errors   BrowserError
        """
        self._id += 1
        message: dict[str, object] = {"id": self._id, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + self._limit_s
        while True:
            answer = self._message(end, method)
            if answer.get("id") == self._id:
                break
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message')}")
        result = answer["result"]
        assert isinstance(result, dict)
        return result

    def _message(self, end: float, method: str) -> dict[str, Any]:
        with selectors.DefaultSelector() as selector:
            selector.register(self._reading, selectors.EVENT_READ)
            while b"\0" not in self._rest:
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise BrowserError(f"Chromium does not answer to {method} within {self._limit_s:.0f} s")
                data = os.read(self._reading, 1 << 20)
                if not data:
                    raise BrowserError(f"Chromium ended during {method}")
                self._rest += data
        text, _, self._rest = self._rest.partition(b"\0")
        found = json.loads(text)
        assert isinstance(found, dict)
        return found

    def resize(self, width: int, height: int, *, dark: bool = False) -> None:
        """Gives the window a size and a scheme of colours."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def open(self, path: Path) -> None:
        """Opens a file."""
        self.call("Page.navigate", url=path.resolve().as_uri())

    def evaluate(self, script: str) -> Any:
        """Returns the value of a script, and awaits it if it is a promise.

        Errors   BrowserError: it throws.
        """
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(
                details.get("exception", {}).get("description") or details.get("text", "a script throws")
            )
        return answer["result"].get("value")

    def processor_s(self) -> float:
        """Returns the processor time that the page's thread has spent on tasks, in seconds."""
        metrics = self.call("Performance.getMetrics")["metrics"]
        return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))

    def until(self, script: str) -> None:
        """Waits until a script gives something true.

        Errors   BrowserError: it does not within the limit, or it throws.
        """
        end = time.monotonic() + self._limit_s
        while not self.evaluate(script):
            if time.monotonic() > end:
                raise BrowserError(f"not within {self._limit_s:.0f} s: {script}")
            time.sleep(POLL_S)

    def picture(self) -> bytes:
        """Returns the window as a PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def key(self, key: str, *, code: int = 0) -> None:
        """Presses and releases a key; one that writes a character writes it."""
        text = {"text": key} if len(key) == 1 else {}
        code = code or (ord(key.upper()) if len(key) == 1 else 0)
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def click(self, x: float, y: float) -> None:
        """Clicks at a point of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
