"""Opens connections that send octets and read nothing, with the smallest buffers: never-reads.py PORT COUNT OCTETS.

Prints "open" once all have sent, and keeps them until it is killed.
"""

import socket
import sys
import time

port, count, octets = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].encode()
kept = []
for _ in range(count):
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2304)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    client.settimeout(10)
    try:
        client.connect(("127.0.0.1", port))
        client.sendall(octets)
    except OSError:
        pass
    kept.append(client)
print("open", flush=True)
time.sleep(600)
