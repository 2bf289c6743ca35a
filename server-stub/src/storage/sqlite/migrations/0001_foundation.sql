-- Times are milliseconds since the Unix epoch, JSON is TEXT. In the three queues (jobs, scheduled_posts, deliveries)
-- run_at is when anybody may take the row next, NULL when nobody may; a claim moves it to the end of its lease and
-- writes a lease_token of its own, without which nothing is recorded.

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

INSERT INTO settings (name, value) VALUES ('token_secret', randomblob(32));

CREATE TABLE accounts (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE brand_voices (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    profile    TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX brand_voices_default ON brand_voices (account_id) WHERE is_default = 1;

CREATE TABLE websites (
    id             TEXT PRIMARY KEY,
    account_id     TEXT NOT NULL REFERENCES accounts (id),
    status         TEXT NOT NULL CHECK (status IN ('active', 'paused', 'archived')),
    name           TEXT NOT NULL,
    url            TEXT NOT NULL,
    language       TEXT NOT NULL,
    time_zone      TEXT NOT NULL,
    auto_publish   INTEGER NOT NULL CHECK (auto_publish IN (0, 1)),
    brand_voice_id TEXT REFERENCES brand_voices (id),
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX websites_newest ON websites (account_id, created_at DESC, id DESC);

CREATE TABLE api_keys (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL REFERENCES accounts (id),
    name        TEXT NOT NULL,
    secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    last4       TEXT NOT NULL,
    permissions TEXT NOT NULL,
    website_ids TEXT,
    quotas      TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER,
    revoked_at  INTEGER
) STRICT;
CREATE INDEX api_keys_account ON api_keys (account_id);

CREATE TABLE jobs (
    id                TEXT PRIMARY KEY,
    account_id        TEXT NOT NULL,
    website_id        TEXT NOT NULL REFERENCES websites (id),
    scheduled_post_id TEXT NOT NULL,
    request           TEXT NOT NULL,
    status            TEXT NOT NULL CHECK (status IN ('queued', 'in_progress', 'completed', 'failed', 'cancelled')),
    progress          INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 100),
    article_id        TEXT,
    attempts          INTEGER NOT NULL,
    error             TEXT,
    deadline_at       INTEGER NOT NULL,
    created_at        INTEGER NOT NULL,
    started_at        INTEGER,
    finished_at       INTEGER,
    run_at            INTEGER,
    lease_token       TEXT,
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (run_at IS NULL)),
    CHECK ((status = 'completed') = (article_id IS NOT NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL))
) STRICT;
CREATE INDEX jobs_due ON jobs (run_at, id) WHERE run_at IS NOT NULL;
CREATE INDEX jobs_deadline ON jobs (deadline_at) WHERE run_at IS NOT NULL;

-- How many jobs of a website have not ended: counting rows at every submission would cost more the fuller the queue is.
CREATE TABLE queue_depths (
    website_id TEXT PRIMARY KEY REFERENCES websites (id),
    account_id TEXT NOT NULL,
    unfinished INTEGER NOT NULL CHECK (unfinished >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX queue_depths_account ON queue_depths (account_id);
CREATE TRIGGER queue_depths_open AFTER INSERT ON websites BEGIN
    INSERT INTO queue_depths (website_id, account_id, unfinished) VALUES (NEW.id, NEW.account_id, 0);
END;
CREATE TRIGGER queue_depths_grow AFTER INSERT ON jobs WHEN NEW.run_at IS NOT NULL BEGIN
    UPDATE queue_depths SET unfinished = unfinished + 1 WHERE website_id = NEW.website_id;
END;
CREATE TRIGGER queue_depths_shrink AFTER UPDATE OF run_at ON jobs WHEN OLD.run_at IS NOT NULL AND NEW.run_at IS NULL BEGIN
    UPDATE queue_depths SET unfinished = unfinished - 1 WHERE website_id = NEW.website_id;
END;

CREATE TABLE scheduled_posts (
    id           TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL,
    website_id   TEXT NOT NULL REFERENCES websites (id),
    job_id       TEXT UNIQUE REFERENCES jobs (id),
    article_id   TEXT,
    topic        TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN
        ('queued', 'generating', 'ready', 'scheduled', 'publishing', 'published', 'failed', 'cancelled')),
    publish_at   INTEGER,
    published_at INTEGER,
    auto_publish INTEGER NOT NULL CHECK (auto_publish IN (0, 1)),
    attempts     INTEGER NOT NULL,
    error        TEXT,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    run_at       INTEGER,
    lease_token  TEXT,
    CHECK ((status IN ('scheduled', 'publishing')) = (run_at IS NOT NULL)),
    CHECK ((status = 'published') = (published_at IS NOT NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL))
) STRICT;
CREATE INDEX scheduled_posts_newest ON scheduled_posts (account_id, created_at DESC, id DESC);
CREATE INDEX scheduled_posts_due ON scheduled_posts (run_at, id) WHERE run_at IS NOT NULL;

-- body and summary are the JSON that is served; what queries need stands in columns of its own.
CREATE TABLE articles (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    website_id TEXT NOT NULL REFERENCES websites (id),
    job_id     TEXT UNIQUE REFERENCES jobs (id),
    status     TEXT NOT NULL CHECK (status IN ('draft', 'scheduled', 'published', 'archived')),
    slug       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    etag       TEXT NOT NULL,
    summary    TEXT NOT NULL,
    body       TEXT NOT NULL,
    UNIQUE (website_id, slug)
) STRICT;
CREATE INDEX articles_newest ON articles (account_id, created_at DESC, id DESC);
CREATE INDEX articles_newest_of_website ON articles (website_id, created_at DESC, id DESC);

-- identity is what two captures must share to be one lead; NULL when there is no e-mail address to compare.
CREATE TABLE leads (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL,
    website_id  TEXT NOT NULL REFERENCES websites (id),
    article_id  TEXT,
    identity    TEXT,
    captured_at INTEGER NOT NULL,
    body        TEXT NOT NULL
) STRICT;
CREATE INDEX leads_newest ON leads (account_id, captured_at DESC, id DESC);
CREATE INDEX leads_newest_of_website ON leads (website_id, captured_at DESC, id DESC);
CREATE INDEX leads_identity ON leads (identity, captured_at) WHERE identity IS NOT NULL;

CREATE TABLE hook_endpoints (
    id              TEXT PRIMARY KEY,
    account_id      TEXT NOT NULL REFERENCES accounts (id),
    url             TEXT NOT NULL,
    events          TEXT NOT NULL,
    website_id      TEXT REFERENCES websites (id),
    description     TEXT,
    secret          TEXT NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('active', 'paused', 'disabled')),
    include_content INTEGER NOT NULL CHECK (include_content IN (0, 1)),
    created_at      INTEGER NOT NULL,
    last_success_at INTEGER,
    last_failure_at INTEGER,
    failing_since   INTEGER
) STRICT;
CREATE INDEX hook_endpoints_account ON hook_endpoints (account_id);

-- body is signed and sent as it stands, so it is made once.
CREATE TABLE events (
    id                TEXT PRIMARY KEY,
    account_id        TEXT NOT NULL,
    website_id        TEXT NOT NULL,
    type              TEXT NOT NULL,
    object_id         TEXT NOT NULL,
    created_at        INTEGER NOT NULL,
    body              BLOB NOT NULL,
    body_with_content BLOB,
    UNIQUE (type, object_id)
) STRICT;

CREATE TABLE deliveries (
    id          TEXT PRIMARY KEY,
    event_id    TEXT NOT NULL REFERENCES events (id),
    endpoint_id TEXT NOT NULL REFERENCES hook_endpoints (id) ON DELETE CASCADE,
    status      TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'exhausted')),
    attempts    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    run_at      INTEGER,
    lease_token TEXT,
    UNIQUE (endpoint_id, event_id),
    CHECK ((status = 'pending') = (run_at IS NOT NULL))
) STRICT;
CREATE INDEX deliveries_due ON deliveries (endpoint_id, run_at, id) WHERE run_at IS NOT NULL;
CREATE INDEX deliveries_leased ON deliveries (endpoint_id) WHERE lease_token IS NOT NULL;

CREATE TABLE attempts (
    id              INTEGER PRIMARY KEY,
    delivery_id     TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number          INTEGER NOT NULL,
    started_at      INTEGER NOT NULL,
    duration_ms     INTEGER NOT NULL,
    response_status INTEGER,
    error           TEXT,
    retry_after_ms  INTEGER,
    response_head   TEXT
) STRICT;
CREATE INDEX attempts_delivery ON attempts (delivery_id, number);

CREATE TABLE idempotency_keys (
    account_id  TEXT NOT NULL,
    operation   TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
    job_id      TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    body        BLOB NOT NULL,
    PRIMARY KEY (account_id, operation, key)
) STRICT;
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
