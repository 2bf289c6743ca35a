"""Receives webhooks until one contains the link that confirms a lead.

Usage: confirmation.py PORT_FILE TOKEN_FILE. Writes its port and the token of the link to these files.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

port_file, token_file = map(Path, sys.argv[1:3])


class Receiver(BaseHTTPRequestHandler):
    token = None

    def do_POST(self):
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        link = event["data"].get("confirmation_url")
        if link:
            Receiver.token = link.rsplit("/", 1)[1]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
port_file.write_text(str(receiver.server_port))
while Receiver.token is None:
    receiver.handle_request()
token_file.write_text(Receiver.token)
