"""Uses a client that openapi-python-client generated: queues an article, waits for it, reads it, lists leads, and reads the event that
announces the article. Takes the address of the server, the key and the website from the environment. `.ci/generators` runs it.

It trusts whoever calls its receiver. A real receiver verifies the signature first: see docs/hooks.md.
"""

import json
import os
import queue
import threading
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer

from contentgen_client import AuthenticatedClient
from contentgen_client.api.articles import get_article
from contentgen_client.api.generation import generate
from contentgen_client.api.jobs import get_job
from contentgen_client.api.leads import list_leads
from contentgen_client.models import Article, ArticlePublishedEvent, GenerateRequest, Job, LeadPage, Problem, QueuedJob

TOPIC = "Keeping a rye starter alive through winter"

website_id = os.environ["CONTENTGEN_WEBSITE_ID"]
client = AuthenticatedClient(
    base_url=os.environ["CONTENTGEN_BASE_URL"],
    token=os.environ["CONTENTGEN_API_KEY"],
    timeout=60,
)
events: "queue.Queue[ArticlePublishedEvent]" = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if event["type"] == "article.published":
            events.put(ArticlePublishedEvent.from_dict(event))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


receiver = HTTPServer(("127.0.0.1", int(os.environ["CONTENTGEN_HOOK_PORT"])), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()

order = GenerateRequest(topic=TOPIC, website_id=website_id, target_word_count=300, auto_publish=True)
queued = generate.sync(client=client, body=order, idempotency_key=str(uuid.uuid4()))
assert isinstance(queued, QueuedJob), queued

while True:
    job = get_job.sync(queued.job_id, client=client, prefer="wait=30")
    assert isinstance(job, Job), job
    if job.done:
        break
assert isinstance(job.article_id, str), f"the job ended without an article: {job}"

article = get_article.sync(job.article_id, client=client)
assert isinstance(article, Article), article
assert article.topic == TOPIC
assert article.outline and article.word_count > 100

leads = list_leads.sync(client=client, website_id=website_id, limit=5)
assert isinstance(leads, LeadPage), leads
assert leads.items[0].email == "reader@example.com"

unknown = get_job.sync("job_unknown", client=client)
assert isinstance(unknown, Problem) and unknown.code == "job_not_found", unknown

event = events.get(timeout=60)
while event.data.article.id != article.id:
    event = events.get(timeout=60)
assert event.data.article.title == article.title
print(f"Python: read {article.word_count} words, {len(leads.items)} lead and the event {event.type_.value}")
