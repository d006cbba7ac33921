# SPDX-License-Identifier: MIT
"""The other side of a connection of TLS, for tests: `client` sends and receives, `server` answers one request."""

import http.server
import socket
import ssl
import sys
from pathlib import Path


def converse(port: int, folder: Path) -> str:
    """Sends a megabyte to a server that sends it back, and returns the version and the end."""
    context = ssl.create_default_context(cafile=str(folder / "authorities.pem"))
    sent = b"x" * (1 << 20)
    received = b""
    with socket.create_connection(("127.0.0.1", port)) as plain:
        with context.wrap_socket(plain, server_hostname="localhost", suppress_ragged_eofs=False) as secured:
            for start in range(0, len(sent), 1 << 16):
                secured.sendall(sent[start : start + (1 << 16)])
                while len(received) < start + (1 << 16):
                    received += secured.recv(1 << 16)
            secured.sendall(b".")
            # An end that was not said would be an exception.
            last = secured.recv(1) + secured.recv(1)
            return f"{secured.version()} {received == sent} {last!r}"


class Answerer(http.server.BaseHTTPRequestHandler):
    """Answers with the protocol that the client has offered."""

    def do_GET(self) -> None:
        """Answers."""
        text = str(self.connection.selected_alpn_protocol()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def serve(folder: Path) -> None:
    """Prints its port, and answers one connection."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "chain.pem", folder / "key.pem")
    context.set_alpn_protocols(["h2", "http/1.1"])
    server = http.server.HTTPServer(("127.0.0.1", 0), Answerer)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    server.handle_request()


if __name__ == "__main__":
    if sys.argv[1] == "client":
        print(converse(int(sys.argv[2]), Path(sys.argv[3])))
    else:
        serve(Path(sys.argv[2]))
