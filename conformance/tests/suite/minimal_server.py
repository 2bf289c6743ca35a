"""A server with the two operations that docs/service.md describes, and nothing else. It prints its port."""

import json
import re
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "live_minimal_0123456789abcdef"
WEBSITE = "site-1"
articles = {}


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def respond(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def may_call(self):
        scheme, _, key = self.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer" and key == KEY:
            return True
        self.respond(401, {"error": "wrong key"})
        return False

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self.may_call():
            return
        if self.path != "/api/v1/generate":
            return self.respond(404, {"error": "not found"})
        try:
            request = json.loads(body)
            topic, website = request["topic"], request["website_id"]
        except (ValueError, KeyError, TypeError):
            return self.respond(400, {"error": "a topic and a website_id are required"})
        if website != WEBSITE or not isinstance(topic, str):
            return self.respond(400, {"error": "unknown website or wrong topic"})
        job = uuid.uuid4().hex
        threading.Timer(0.1, lambda: articles.update({job: topic})).start()
        self.respond(200, {"job_id": job})

    def do_GET(self):
        if not self.may_call():
            return
        path = re.fullmatch(r"/api/v1/articles/([0-9a-f]{32})", self.path)
        topic = articles.get(path.group(1)) if path else None
        if topic is None:
            return self.respond(404, {"error": "not found"})
        self.respond(200, {"id": path.group(1), "title": topic, "text": f"An article about {topic}."})

    do_HEAD = do_GET


server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
print(server.server_port, flush=True)
server.serve_forever()
