"""Holds a listening socket and starts a command with it as systemd does, again each time that it ends, under load.

Usage: socket-holder.py ROUNDS COMMAND... Each round waits until the command listens and has answered some requests, and
ends it with SIGTERM. Clients ask all the time, each request on a connection of its own. Prints their outcomes.
"""

import json
import os
import socket
import subprocess
import sys
import threading

ROUNDS = int(sys.argv[1])
ANSWERS_A_ROUND = 50
FIRST_DESCRIPTOR = 3
REQUEST = (
    b"GET /service_cookie_transfer/a HTTP/1.1\r\n"
    b"Host: www.example.com\r\nConnection: close\r\n\r\n"
)

listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
address = listener.getsockname()
if listener.fileno() != FIRST_DESCRIPTOR:
    os.dup2(listener.fileno(), FIRST_DESCRIPTOR)
answered = threading.Semaphore(0)
outcomes: dict[str, int] = {}
lock = threading.Lock()
done = threading.Event()


def start() -> subprocess.Popen:
    def become_the_one_addressed() -> None:
        os.environ["LISTEN_FDS"] = "1"
        os.environ["LISTEN_PID"] = str(os.getpid())

    command = subprocess.Popen(
        sys.argv[2:],
        stdout=subprocess.PIPE,
        pass_fds=(FIRST_DESCRIPTOR,),
        preexec_fn=become_the_one_addressed,
    )
    for line in command.stdout:
        if b'"msg":"listening","listener":"public"' not in line:
            continue
        if not line.decode().rstrip().endswith(f':{address[1]}"}}'):
            command.kill()
            sys.exit("it listens elsewhere")
        threading.Thread(target=command.stdout.read, daemon=True).start()
        return command
    sys.exit("it did not listen")


def ask() -> str:
    try:
        with socket.create_connection(address, timeout=60) as connection:
            connection.sendall(REQUEST)
            answer = b""
            while chunk := connection.recv(65536):
                answer += chunk
            return answer.split(b"\r\n", 1)[0].decode() or "closed"
    except OSError as error:
        return type(error).__name__


def ask_on() -> None:
    while not done.is_set():
        outcome = ask()
        with lock:
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
        answered.release()


clients = [threading.Thread(target=ask_on) for _ in range(8)]
codes = []
for turn in range(ROUNDS):
    command = start()
    if turn == 0:
        for client in clients:
            client.start()
    for _ in range(ANSWERS_A_ROUND):
        answered.acquire()
    command.terminate()
    codes.append(command.wait())
command = start()
done.set()
for client in clients:
    client.join()
command.terminate()
codes.append(command.wait())
print(json.dumps({"outcomes": outcomes, "codes": codes}))
