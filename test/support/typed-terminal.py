"""Runs a command on a terminal of its own, and types the first argument once it has asked something.

Prints what the terminal shows as it comes. The command's exit code is this program's.
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
        sys.stdout.buffer.write(piece)
        sys.stdout.flush()
        if not typed and shown.endswith((b": ", b"Ctrl-C ends it.\r\n")):
            os.write(terminal, sys.argv[1].encode())
            typed = True
except OSError:
    # How Linux reports that the other end has been closed.
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
