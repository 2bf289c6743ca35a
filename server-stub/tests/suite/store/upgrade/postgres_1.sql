-- The statements of schema versions 1 and 2 of PostgreSQL, prepared as its processes keep them.

PREPARE insert_account (text, text, bigint) AS
INSERT INTO accounts (id, name, created_at) VALUES ($1, $2, $3);

PREPARE insert_website (text, text, bigint) AS
INSERT INTO websites (id, account_id, status, name, url, language, time_zone, auto_publish, brand_voice_id, created_at, updated_at)
VALUES ($1, $2, 'active', 'A website', 'https://example.org/', 'en', 'UTC', 1, NULL, $3, $3);

PREPARE lock_queue_depths (text[]) AS
SELECT input.number, website_id, queue_depths.account_id, unfinished
FROM unnest($1::text[]) WITH ORDINALITY AS input (account_id, number)
JOIN queue_depths ON queue_depths.account_id = input.account_id
ORDER BY website_id FOR UPDATE OF queue_depths;

PREPARE insert_jobs (text[], text[], text[], text[], text[], text[], int8[], int8[], int8[], int8[]) AS
INSERT INTO jobs (id, account_id, website_id, scheduled_post_id, request, status, progress, attempts, deadline_at, created_at, run_at)
SELECT id, account_id, website_id, scheduled_post_id, request, status, progress, attempts, deadline_at, created_at, created_at
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[], $8::int8[], $9::int8[], $10::int8[])
    AS input (id, account_id, website_id, scheduled_post_id, request, status, progress, attempts, deadline_at, created_at);

PREPARE insert_posts (text[], text[], text[], text[], text[], text[], int8[], int8[], int8[], int8[], int8[]) AS
INSERT INTO scheduled_posts (id, account_id, website_id, job_id, topic, status, publish_at, auto_publish, attempts, created_at,
    updated_at)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[], $8::int8[], $9::int8[],
    $10::int8[], $11::int8[]);

PREPARE due_jobs (bigint, bigint) AS
SELECT id, account_id, website_id, scheduled_post_id, request, status, progress, article_id, attempts, interruptions, error,
    deadline_at, created_at, started_at, finished_at, CASE WHEN lease_token IS NULL THEN 0 ELSE 1 END
FROM jobs WHERE run_at <= $1 AND (deadline_at > $1 OR lease_token IS NOT NULL) ORDER BY run_at, id LIMIT $2
FOR UPDATE SKIP LOCKED;

PREPARE lease_jobs (text[], int8[], int8[], int8[], int8[], int8[], int8[], text[]) AS
UPDATE jobs SET status = 'in_progress', attempts = input.attempts, interruptions = input.interruptions, progress = input.progress,
    started_at = input.started_at, deadline_at = input.deadline_at, run_at = input.run_at, lease_token = input.lease_token
FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::text[])
    AS input (id, attempts, interruptions, progress, started_at, deadline_at, run_at, lease_token)
WHERE jobs.id = input.id;

PREPARE begin_posts (text[], int8[]) AS
UPDATE scheduled_posts SET status = 'generating', updated_at = input.updated_at
FROM unnest($1::text[], $2::int8[]) AS input (id, updated_at)
WHERE scheduled_posts.id = input.id AND status = 'queued';

PREPARE renew_job (text, text, bigint) AS
UPDATE jobs SET run_at = $3 WHERE id = $1 AND lease_token = $2 AND status = 'in_progress';

PREPARE retry_job (text, bigint) AS
UPDATE jobs SET run_at = $2, lease_token = NULL WHERE id = $1;

PREPARE cancel_job (text, bigint) AS
UPDATE jobs SET status = 'cancelled', finished_at = $2, run_at = NULL, lease_token = NULL WHERE id = $1;

PREPARE cancel_post (text, bigint) AS
UPDATE scheduled_posts SET status = 'cancelled', updated_at = $2 WHERE id = $1;

PREPARE lock_leased (text[], text[]) AS
SELECT input.number, id, account_id, website_id, scheduled_post_id, request, status, progress, article_id, attempts, interruptions,
    error, deadline_at, created_at, started_at, finished_at
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS input (job_id, token, number)
JOIN jobs ON jobs.id = input.job_id AND jobs.lease_token = input.token
WHERE status = 'in_progress'
ORDER BY input.number FOR UPDATE OF jobs;

PREPARE insert_articles (text[], text[], text[], text[], text[], text[], int8[], int8[], text[], text[], text[]) AS
INSERT INTO articles (id, account_id, website_id, job_id, status, slug, created_at, updated_at, etag, summary, body)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[], $8::int8[], $9::text[],
    $10::text[], $11::text[]);

PREPARE complete_jobs (text[], text[], int8[]) AS
UPDATE jobs SET status = 'completed', progress = 100, article_id = input.article_id, finished_at = input.finished_at, run_at = NULL,
    lease_token = NULL
FROM unnest($1::text[], $2::text[], $3::int8[]) AS input (id, article_id, finished_at)
WHERE jobs.id = input.id;

PREPARE move_posts (text[], text[], text[], int8[], int8[]) AS
UPDATE scheduled_posts SET status = input.status, article_id = input.article_id, run_at = input.run_at, updated_at = input.updated_at
FROM unnest($1::text[], $2::text[], $3::text[], $4::int8[], $5::int8[]) AS input (id, status, article_id, run_at, updated_at)
WHERE scheduled_posts.id = input.id;

PREPARE known_lead (text, bigint) AS
SELECT 1 FROM leads WHERE identity = $1 AND captured_at >= $2 LIMIT 1;

PREPARE insert_lead (text, text, text, text, text, bigint, text) AS
INSERT INTO leads (id, account_id, website_id, article_id, identity, captured_at, body) VALUES ($1, $2, $3, $4, $5, $6, $7);

PREPARE insert_event (text, text, text, text, text, bigint, bytea, bytea) AS
INSERT INTO events (id, account_id, website_id, type, object_id, created_at, body, body_with_content)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

PREPARE subscribers (text, text) AS
SELECT id, status, events FROM hook_endpoints WHERE account_id = $1 AND (website_id IS NULL OR website_id = $2)
ORDER BY id FOR KEY SHARE;

PREPARE insert_deliveries (text[], text[], text[], int8[]) AS
INSERT INTO deliveries (id, event_id, endpoint_id, status, attempts, created_at, run_at)
SELECT id, event_id, endpoint_id, 'pending', 0, created_at, created_at
FROM unnest($1::text[], $2::text[], $3::text[], $4::int8[]) AS input (id, event_id, endpoint_id, created_at);
