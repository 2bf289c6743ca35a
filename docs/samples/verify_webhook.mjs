// Receives webhooks, verifies their signatures, and prints the type and id of each event.
//
//     npm install standardwebhooks
//     CONTENTGEN_HOOK_SECRET=whsec_… node verify_webhook.mjs 9000

import { createServer } from "node:http";

import { Webhook } from "standardwebhooks";

const MAX_BODY_BYTES = 64 * 1024; // the service sends no larger body

const webhook = new Webhook(process.env.CONTENTGEN_HOOK_SECRET);

async function readBody(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  try {
    // Verify the bytes as they arrived, before parsing them.
    const event = webhook.verify(await readBody(request), request.headers);
    console.log(event.type, event.id);
    response.writeHead(204).end();
  } catch (error) {
    console.error("refused:", error.message);
    response.writeHead(400).end();
  }
});
server.listen(Number(process.argv[2]), "127.0.0.1");
