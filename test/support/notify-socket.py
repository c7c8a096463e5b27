"""Receives what services tell systemd: prints each notice on a line.

Usage: notify-socket.py ADDRESS. An address that begins with @ is abstract. Prints "bound" once it receives.
"""

import socket
import sys

address = sys.argv[1]
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind("\0" + address[1:] if address.startswith("@") else address)
print("bound", flush=True)
while True:
    # The descriptor that comes with BARRIER=1 is closed unread, which is what the sender waits for.
    print(receiver.recv(4096).decode().replace("\n", " "), flush=True)
