"""Runs a command on a terminal of its own, and prints what the terminal shows as it comes.

SIGTERM and SIGHUP go on to the command, whose exit code is this program's.
"""

import os
import signal
import subprocess
import sys

master, slave = os.openpty()
command = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
os.close(slave)
for passed_on in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(passed_on, lambda number, _: command.send_signal(number))
try:
    while piece := os.read(master, 4096):
        sys.stdout.buffer.write(piece)
        sys.stdout.flush()
except OSError:
    # How Linux reports that the other end has been closed.
    pass
sys.exit(command.wait())
