"""Runs a command on a terminal of its own, and types the first argument once it has asked something.

Prints what the terminal shows. The command's exit code is this program's.
"""

import os
import pty
import sys

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown = b""
typed = False
try:
    while piece := os.read(terminal, 4096):
        shown += piece
        if not typed and shown.endswith(b": "):
            os.write(terminal, sys.argv[1].encode())
            typed = True
except OSError:
    # How Linux reports that the other end has been closed.
    pass
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
