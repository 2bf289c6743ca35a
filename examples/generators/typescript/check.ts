// Uses a client whose types openapi-typescript generated: queues an article, waits for it, reads it, lists leads, and reads the event that
// announces the article. Takes the address of the server, the key and the website from the environment. `.ci/generators` runs it.
//
// It trusts whoever calls its receiver. A real receiver verifies the signature first: see docs/hooks.md.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import createClient from "openapi-fetch";
import type { components, paths, webhooks } from "./schema.js";

type Published = webhooks["article.published"]["post"]["requestBody"]["content"]["application/json"];
type HookEvent = components["schemas"]["HookEvent"];

const TOPIC = "Keeping a rye starter alive through winter";

function setting(name: string): string {
  const value = process.env[name];
  assert(value, `set ${name}`);
  return value;
}

const client = createClient<paths>({
  baseUrl: setting("CONTENTGEN_BASE_URL"),
  headers: { Authorization: `Bearer ${setting("CONTENTGEN_API_KEY")}` },
});
const website_id = setting("CONTENTGEN_WEBSITE_ID");

// The event may arrive before the article was read, so all are kept.
const published = new Map<string, Published>();
const receiver = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const event: HookEvent = JSON.parse(body);
  // The type of the event tells what its data is.
  if (event.type === "article.published") published.set(event.data.article.id, event);
  response.writeHead(204).end();
  receiver.emit("event");
});
receiver.listen(Number(setting("CONTENTGEN_HOOK_PORT")), "127.0.0.1");
await once(receiver, "listening");

const queued = await client.POST("/api/v1/generate", {
  params: { header: { "Idempotency-Key": crypto.randomUUID() } },
  body: { topic: TOPIC, website_id, target_word_count: 300, auto_publish: true },
});
assert(queued.data, JSON.stringify(queued.error));
const path = { job_id: queued.data.job_id };

let job: components["schemas"]["Job"];
do {
  const answer = await client.GET("/api/v1/jobs/{job_id}", { params: { path, header: { Prefer: "wait=30" } } });
  assert(answer.data, JSON.stringify(answer.error));
  job = answer.data;
} while (!job.done);
assert(job.article_id, `the job ended without an article: ${job.status} ${job.error?.code}`);

const read = await client.GET("/api/v1/articles/{id}", { params: { path: { id: job.article_id } } });
assert(read.data, JSON.stringify(read.error));
const article = read.data;
assert.equal(article.topic, TOPIC);
assert(article.outline.length > 0 && article.word_count > 100);

const leads = await client.GET("/api/v1/leads", { params: { query: { website_id, limit: 5 } } });
assert(leads.data, JSON.stringify(leads.error));
assert.equal(leads.data.items[0]?.email, "reader@example.com");

const unknown = await client.GET("/api/v1/jobs/{job_id}", { params: { path: { job_id: "job_unknown" } } });
assert.equal(unknown.error?.code, "job_not_found");

while (!published.has(article.id)) await once(receiver, "event");
const event = published.get(article.id);
assert.equal(event?.data.article.title, article.title);
console.log(`TypeScript: read ${article.word_count} words, ${leads.data.items.length} lead and the event ${event?.type}`);
receiver.closeAllConnections();
receiver.close();
