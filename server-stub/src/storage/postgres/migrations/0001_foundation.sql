-- The same tables as in SQLite; see there for what the columns mean. Ids are compared byte by byte ("C"), as everywhere else.
-- The queues change all the time, so their dead rows are swept early.

-- Times are milliseconds since the Unix epoch, JSON is TEXT. In the three queues (jobs, scheduled_posts, deliveries)
-- run_at is when anybody may take the row next, NULL when nobody may; a claim moves it to the end of its lease and
-- writes a lease_token of its own, without which nothing is recorded.

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value BYTEA NOT NULL
);

CREATE TABLE accounts (
    id         TEXT COLLATE "C" PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

CREATE TABLE brand_voices (
    id         TEXT COLLATE "C" PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    is_default BIGINT NOT NULL CHECK (is_default IN (0, 1)),
    profile    TEXT NOT NULL
);
CREATE UNIQUE INDEX brand_voices_default ON brand_voices (account_id) WHERE is_default = 1;

CREATE TABLE websites (
    id             TEXT COLLATE "C" PRIMARY KEY,
    account_id     TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    status         TEXT NOT NULL CHECK (status IN ('active', 'paused', 'archived')),
    name           TEXT NOT NULL,
    url            TEXT NOT NULL,
    language       TEXT NOT NULL,
    time_zone      TEXT NOT NULL,
    auto_publish   BIGINT NOT NULL CHECK (auto_publish IN (0, 1)),
    brand_voice_id TEXT COLLATE "C" REFERENCES brand_voices (id),
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);
CREATE INDEX websites_newest ON websites (account_id, created_at DESC, id DESC);

CREATE TABLE api_keys (
    id          TEXT COLLATE "C" PRIMARY KEY,
    account_id  TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    name        TEXT NOT NULL,
    secret_hash BYTEA NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    last4       TEXT NOT NULL,
    permissions TEXT NOT NULL,
    website_ids TEXT,
    quotas      TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT,
    revoked_at  BIGINT
);
CREATE INDEX api_keys_account ON api_keys (account_id);

-- Jobs and posts have no foreign keys: who queues them holds the row of the website in queue_depths, which has one, and adds
-- job and post in one transaction; checking each row once more took a third of the time.
CREATE TABLE jobs (
    id                TEXT COLLATE "C" PRIMARY KEY,
    account_id        TEXT COLLATE "C" NOT NULL,
    website_id        TEXT COLLATE "C" NOT NULL,
    scheduled_post_id TEXT COLLATE "C" NOT NULL,
    request           TEXT NOT NULL,
    status            TEXT NOT NULL CHECK (status IN ('queued', 'in_progress', 'completed', 'failed', 'cancelled')),
    progress          BIGINT NOT NULL CHECK (progress BETWEEN 0 AND 100),
    article_id        TEXT COLLATE "C",
    attempts          BIGINT NOT NULL,
    error             TEXT,
    deadline_at       BIGINT NOT NULL,
    created_at        BIGINT NOT NULL,
    started_at        BIGINT,
    finished_at       BIGINT,
    run_at            BIGINT,
    lease_token       TEXT,
    interruptions     BIGINT NOT NULL DEFAULT 0,
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (run_at IS NULL)),
    CHECK ((status = 'completed') = (article_id IS NOT NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL))
);
CREATE INDEX jobs_due ON jobs (run_at, id) WHERE run_at IS NOT NULL;
CREATE INDEX jobs_deadline ON jobs (deadline_at) WHERE run_at IS NOT NULL;

-- How many jobs of a website have not ended: counting rows at every submission would cost more the fuller the queue is.
CREATE TABLE queue_depths (
    website_id TEXT COLLATE "C" PRIMARY KEY REFERENCES websites (id),
    account_id TEXT COLLATE "C" NOT NULL,
    unfinished BIGINT NOT NULL CHECK (unfinished >= 0)
);
CREATE INDEX queue_depths_account ON queue_depths (account_id);
CREATE FUNCTION queue_depths_open() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO queue_depths (website_id, account_id, unfinished) VALUES (NEW.id, NEW.account_id, 0);
    RETURN NULL;
END $$;
CREATE TRIGGER queue_depths_open AFTER INSERT ON websites FOR EACH ROW EXECUTE FUNCTION queue_depths_open();
-- Once for each statement, not for each row: a batch of submissions changes the counter of its website once.
CREATE FUNCTION queue_depths_grow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE queue_depths SET unfinished = unfinished + grown.jobs
    FROM (SELECT website_id, count(*) AS jobs FROM added WHERE run_at IS NOT NULL GROUP BY website_id) AS grown
    WHERE queue_depths.website_id = grown.website_id;
    RETURN NULL;
END $$;
CREATE TRIGGER queue_depths_grow AFTER INSERT ON jobs REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION queue_depths_grow();
CREATE FUNCTION queue_depths_shrink() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE queue_depths SET unfinished = unfinished - 1 WHERE website_id = NEW.website_id;
    RETURN NULL;
END $$;
CREATE TRIGGER queue_depths_shrink AFTER UPDATE OF run_at ON jobs FOR EACH ROW
    WHEN (OLD.run_at IS NOT NULL AND NEW.run_at IS NULL) EXECUTE FUNCTION queue_depths_shrink();

CREATE TABLE scheduled_posts (
    id           TEXT COLLATE "C" PRIMARY KEY,
    account_id   TEXT COLLATE "C" NOT NULL,
    website_id   TEXT COLLATE "C" NOT NULL,
    job_id       TEXT COLLATE "C" UNIQUE,
    article_id   TEXT COLLATE "C",
    topic        TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN
        ('queued', 'generating', 'ready', 'scheduled', 'publishing', 'published', 'failed', 'cancelled')),
    publish_at   BIGINT,
    published_at BIGINT,
    auto_publish BIGINT NOT NULL CHECK (auto_publish IN (0, 1)),
    attempts     BIGINT NOT NULL,
    error        TEXT,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    run_at       BIGINT,
    lease_token  TEXT,
    interruptions BIGINT NOT NULL DEFAULT 0,
    CHECK ((status IN ('scheduled', 'publishing')) = (run_at IS NOT NULL)),
    CHECK ((status = 'published') = (published_at IS NOT NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL))
);
CREATE INDEX scheduled_posts_newest ON scheduled_posts (account_id, created_at DESC, id DESC);
CREATE INDEX scheduled_posts_due ON scheduled_posts (run_at, id) WHERE run_at IS NOT NULL;

-- body and summary are the JSON that is served; what queries need stands in columns of its own.
CREATE TABLE articles (
    id         TEXT COLLATE "C" PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL,
    website_id TEXT COLLATE "C" NOT NULL REFERENCES websites (id),
    job_id     TEXT COLLATE "C" UNIQUE REFERENCES jobs (id),
    status     TEXT NOT NULL CHECK (status IN ('draft', 'scheduled', 'published', 'archived')),
    slug       TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    etag       TEXT NOT NULL,
    summary    TEXT NOT NULL,
    body       TEXT NOT NULL,
    UNIQUE (website_id, slug)
);
CREATE INDEX articles_newest ON articles (account_id, created_at DESC, id DESC);
CREATE INDEX articles_newest_of_website ON articles (website_id, created_at DESC, id DESC);

-- identity is what two captures must share to be one lead; NULL when there is no e-mail address to compare.
CREATE TABLE leads (
    id          TEXT COLLATE "C" PRIMARY KEY,
    account_id  TEXT COLLATE "C" NOT NULL,
    website_id  TEXT COLLATE "C" NOT NULL REFERENCES websites (id),
    article_id  TEXT COLLATE "C",
    identity    TEXT,
    captured_at BIGINT NOT NULL,
    body        TEXT NOT NULL
);
CREATE INDEX leads_newest ON leads (account_id, captured_at DESC, id DESC);
CREATE INDEX leads_newest_of_website ON leads (website_id, captured_at DESC, id DESC);
CREATE INDEX leads_identity ON leads (identity, captured_at) WHERE identity IS NOT NULL;

CREATE TABLE hook_endpoints (
    id              TEXT COLLATE "C" PRIMARY KEY,
    account_id      TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    url             TEXT NOT NULL,
    events          TEXT NOT NULL,
    website_id      TEXT COLLATE "C" REFERENCES websites (id),
    description     TEXT,
    secret          TEXT NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('active', 'paused', 'disabled')),
    include_content BIGINT NOT NULL CHECK (include_content IN (0, 1)),
    created_at      BIGINT NOT NULL,
    last_success_at BIGINT,
    last_failure_at BIGINT,
    failing_since   BIGINT,
    former_secrets  TEXT NOT NULL DEFAULT '[]',
    disabled_reason TEXT CHECK (disabled_reason IN ('gone', 'failing')),
    failing_event_id TEXT,
    is_spread       BIGINT NOT NULL DEFAULT 0 CHECK (is_spread IN (0, 1)),
    failed_attempts BIGINT NOT NULL DEFAULT 0,
    exhausted       BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX hook_endpoints_account ON hook_endpoints (account_id);

-- body is signed and sent as it stands, so it is made once.
CREATE TABLE events (
    id                TEXT COLLATE "C" PRIMARY KEY,
    account_id        TEXT COLLATE "C" NOT NULL,
    website_id        TEXT COLLATE "C" NOT NULL,
    type              TEXT NOT NULL,
    object_id         TEXT NOT NULL,
    created_at        BIGINT NOT NULL,
    body              BYTEA NOT NULL,
    body_with_content BYTEA,
    UNIQUE (type, object_id)
);

CREATE INDEX events_age ON events (created_at);
CREATE INDEX events_account ON events (account_id, created_at);

CREATE TABLE deliveries (
    id          TEXT COLLATE "C" PRIMARY KEY,
    event_id    TEXT COLLATE "C" NOT NULL REFERENCES events (id),
    endpoint_id TEXT COLLATE "C" NOT NULL REFERENCES hook_endpoints (id) ON DELETE CASCADE,
    status      TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'exhausted')),
    attempts    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    run_at      BIGINT,
    lease_token TEXT,
    kind        TEXT NOT NULL DEFAULT 'scheduled' CHECK (kind IN ('scheduled', 'manual', 'test')),
    resume_status TEXT CHECK (resume_status IN ('pending', 'succeeded', 'failed', 'exhausted')),
    resume_at   BIGINT,
    UNIQUE (endpoint_id, event_id),
    CHECK ((status = 'pending') = (run_at IS NOT NULL))
);
CREATE INDEX deliveries_due ON deliveries (endpoint_id, run_at, id) WHERE run_at IS NOT NULL;
CREATE INDEX deliveries_event ON deliveries (event_id);
CREATE INDEX deliveries_log ON deliveries (endpoint_id, created_at DESC, id DESC);
CREATE INDEX deliveries_leased ON deliveries (endpoint_id) WHERE lease_token IS NOT NULL;

CREATE TABLE attempts (
    id               BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id     TEXT COLLATE "C" NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number          BIGINT NOT NULL,
    started_at      BIGINT NOT NULL,
    duration_ms     BIGINT NOT NULL,
    response_status BIGINT,
    error           TEXT,
    retry_after_ms  BIGINT,
    response_head   TEXT,
    kind            TEXT NOT NULL DEFAULT 'scheduled' CHECK (kind IN ('scheduled', 'manual', 'test')),
    response_headers TEXT
);
CREATE INDEX attempts_delivery ON attempts (delivery_id, number);

CREATE TABLE idempotency_keys (
    account_id  TEXT COLLATE "C" NOT NULL,
    operation   TEXT NOT NULL,
    key         TEXT COLLATE "C" NOT NULL,
    fingerprint BYTEA NOT NULL CHECK (length(fingerprint) = 32),
    job_id      TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    body        BYTEA NOT NULL,
    PRIMARY KEY (account_id, operation, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
CREATE INDEX articles_published ON articles (website_id, created_at DESC, id DESC) WHERE status = 'published';
CREATE INDEX articles_changed ON articles (account_id, updated_at);
CREATE INDEX leads_of_article ON leads (article_id, captured_at DESC, id DESC) WHERE article_id IS NOT NULL;

ALTER TABLE jobs SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE scheduled_posts SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE queue_depths SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE queue_depths SET (fillfactor = 50);
-- What was erased is to be gone soon, however large these have become.
ALTER TABLE leads SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE events SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE attempts SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
