"""Receives webhooks, verifies their signatures, and prints the type and id of each event.

    pip install standardwebhooks
    CONTENTGEN_HOOK_SECRET=whsec_… python3 verify_webhook.py 9000
"""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

MAX_BODY_BYTES = 64 * 1024  # the service sends no larger body

webhook = Webhook(os.environ["CONTENTGEN_HOOK_SECRET"])


class Receiver(BaseHTTPRequestHandler):
    timeout = 15  # seconds without data from the sender

    def do_POST(self):
        try:
            # Verify the bytes as they arrived, before parsing them.
            event = webhook.verify(self.read_body(), dict(self.headers))
        except (WebhookVerificationError, ValueError) as error:
            self.log_error("refused: %s", error)
            self.respond(400)
            return
        print(event["type"], event["id"], flush=True)
        self.respond(204)

    def read_body(self):
        length = int(self.headers.get("Content-Length", "0"))
        if not 0 <= length <= MAX_BODY_BYTES:
            raise ValueError("the body is too large")
        body = self.rfile.read(length)
        if len(body) < length:
            raise ValueError("the body ended early")
        return body

    def respond(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
