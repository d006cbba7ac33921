# SPDX-License-Identifier: MIT
"""The flashing tool of a FakeDesk: fake_tool.py FOLDER NAME ARGUMENT..."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

folder, arguments = Path(sys.argv[1]), sys.argv[3:]
with (folder / "calls.log").open("a") as log:
    log.write(json.dumps(arguments) + "\n")
behaviours = json.loads((folder / "behaviours.json").read_text())
now = behaviours[0]
if len(behaviours) > 1:
    (folder / "behaviours.json").write_text(json.dumps(behaviours[1:]))
if "code" in now:
    print(now["says"], file=sys.stderr)
    sys.exit(now["code"])

program = re.findall(r"[^\s:]+\.(?:elf|hex|uf2|bin)", " ".join(arguments))[0]
words = [word.replace("{file}", program) for word in now["command"]]
said = folder / "said.log"
output = os.open(now["wire"], os.O_WRONLY) if "wire" in now else subprocess.DEVNULL
with said.open("wb") as errors:
    board = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True)
(folder / "started" / str(board.pid)).touch()
if "wire" not in now:
    while "\n" not in said.read_text():
        if board.poll() is not None:
            sys.exit(f"the board did not start: {said.read_text()}")
        time.sleep(0.01)
    port = Path(arguments[arguments.index("-P" if "-P" in arguments else "--port") + 1])
    fresh = port.with_suffix(".new")
    fresh.symlink_to(said.read_text().splitlines()[0])
    fresh.replace(port)  # a reader sees either the one or the other
print("avrdude done.  Thank you.", file=sys.stderr)
