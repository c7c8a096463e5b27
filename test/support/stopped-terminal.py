"""Runs a command on a terminal of its own, which is stopped (as by Ctrl-S) once the command listens.

Prints the port then. SIGTERM goes on to the command, whose exit code is this program's.
"""

import os
import re
import signal
import subprocess
import sys
import termios

master, slave = os.openpty()
command = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=slave)
signal.signal(signal.SIGTERM, lambda *_: command.terminate())
shown = ""
while (listening := re.search(r"Listening at\s+http://\S+:(\d+)\b", shown)) is None:
    shown += os.read(master, 65536).decode()
termios.tcflow(slave, termios.TCOOFF)
print(listening.group(1), flush=True)
sys.exit(command.wait())
