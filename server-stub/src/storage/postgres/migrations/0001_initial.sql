-- The tables of SQLite: see `sqlite/migrations/0001_initial.sql` for the meaning of the columns. Ids are compared byte by byte ("C"), as in
-- SQLite and in the code.

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value BYTEA NOT NULL
);

-- name: commands find the account by it. display_name: the name that its users chose; two accounts may have the same one.
CREATE TABLE accounts (
    id         TEXT COLLATE "C" PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    display_name TEXT,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT,
    jobs_day   BIGINT NOT NULL DEFAULT 0,
    jobs       BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX accounts_deleted ON accounts (id) WHERE deleted_at IS NOT NULL;

CREATE TABLE brand_voices (
    id         TEXT COLLATE "C" PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    is_default BIGINT NOT NULL CHECK (is_default IN (0, 1)),
    profile    TEXT NOT NULL
);
-- Lists and counts of an account's profiles use this index, because brand_voices_default contains only default profiles.
CREATE INDEX brand_voices_account ON brand_voices (account_id);
CREATE UNIQUE INDEX brand_voices_default ON brand_voices (account_id) WHERE is_default = 1;

CREATE TABLE brand_voice_versions (
    voice_id   TEXT COLLATE "C" NOT NULL REFERENCES brand_voices (id),
    version    BIGINT NOT NULL,
    profile    TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    saved_by   TEXT NOT NULL,
    PRIMARY KEY (voice_id, version)
);

CREATE TABLE websites (
    id                TEXT COLLATE "C" PRIMARY KEY,
    account_id        TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    status            TEXT NOT NULL CHECK (status IN ('active', 'paused', 'archived')),
    name              TEXT NOT NULL,
    url               TEXT NOT NULL,
    language          TEXT NOT NULL,
    time_zone         TEXT NOT NULL,
    auto_publish      BIGINT NOT NULL CHECK (auto_publish IN (0, 1)),
    publishing_slots  TEXT,
    brand_voice_id    TEXT COLLATE "C" REFERENCES brand_voices (id),
    lead_retention    BIGINT CHECK (lead_retention > 0),
    target_word_count BIGINT,
    consent_text      TEXT,
    privacy_url       TEXT,
    double_opt_in     BIGINT NOT NULL CHECK (double_opt_in IN (0, 1)),
    pages_at_url      BIGINT NOT NULL CHECK (pages_at_url IN (0, 1)),
    full_text_feed    BIGINT NOT NULL CHECK (full_text_feed IN (0, 1)),
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL,
    deleted_at        BIGINT
);
CREATE INDEX websites_newest ON websites (account_id, created_at DESC, id DESC);
CREATE INDEX websites_deleted ON websites (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX websites_lead_retention ON websites (id) WHERE lead_retention IS NOT NULL;
-- Before a profile is removed, the server and the foreign key look for websites that use it. Most websites use the account's default.
CREATE INDEX websites_brand_voice ON websites (brand_voice_id) WHERE brand_voice_id IS NOT NULL;

CREATE TABLE former_consent_texts (
    website_id  TEXT COLLATE "C" NOT NULL,
    text        TEXT NOT NULL,
    replaced_at BIGINT NOT NULL
);
CREATE INDEX former_consent_texts_of_website ON former_consent_texts (website_id, replaced_at);

CREATE TABLE api_keys (
    id           TEXT COLLATE "C" PRIMARY KEY,
    account_id   TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    name         TEXT NOT NULL,
    secret_hash  BYTEA NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    last4        TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    website_ids  TEXT,
    quotas       TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    last_used_at BIGINT
);
CREATE INDEX api_keys_account ON api_keys (account_id);

-- Jobs and posts have no foreign keys, because checking each row again took a third of the time of a submission. The transaction that
-- adds a job with its post holds the row of queue_depths, which refers to the website.
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
    interruptions     BIGINT NOT NULL DEFAULT 0,
    error             TEXT,
    deadline_at       BIGINT NOT NULL,
    expires_at        BIGINT NOT NULL,
    created_at        BIGINT NOT NULL,
    started_at        BIGINT,
    finished_at       BIGINT,
    run_at            BIGINT,
    lease_token       TEXT,
    claim_token       TEXT,
    is_set_aside      BIGINT NOT NULL DEFAULT 0 CHECK (is_set_aside IN (0, 1)),
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (run_at IS NULL)),
    CHECK ((status = 'completed') = (article_id IS NOT NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL))
);
CREATE INDEX jobs_due ON jobs (account_id, run_at, id) WHERE run_at IS NOT NULL;
CREATE INDEX jobs_of_website ON jobs (website_id);
CREATE INDEX jobs_expiry ON jobs (expires_at) WHERE run_at IS NOT NULL;

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
-- Runs once for each statement, not for each row: a batch of submissions changes the counter of its website once.
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

CREATE TABLE model_usage (
    job_id           TEXT COLLATE "C" PRIMARY KEY,
    writer           TEXT NOT NULL,
    requests         BIGINT NOT NULL CHECK (requests >= 0),
    failed_requests  BIGINT NOT NULL CHECK (failed_requests >= 0),
    input_tokens     BIGINT NOT NULL CHECK (input_tokens >= 0),
    output_tokens    BIGINT NOT NULL CHECK (output_tokens >= 0),
    cost_nanodollars BIGINT CHECK (cost_nanodollars >= 0),
    is_estimated     BIGINT NOT NULL CHECK (is_estimated IN (0, 1)),
    last_report      TEXT NOT NULL
);

CREATE TABLE scheduled_posts (
    id            TEXT COLLATE "C" PRIMARY KEY,
    account_id    TEXT COLLATE "C" NOT NULL,
    website_id    TEXT COLLATE "C" NOT NULL,
    job_id        TEXT COLLATE "C" UNIQUE,
    article_id    TEXT COLLATE "C",
    topic         TEXT NOT NULL,
    status        TEXT NOT NULL CHECK (status IN
        ('queued', 'generating', 'ready', 'scheduled', 'publishing', 'published', 'failed', 'cancelled')),
    publish_at    BIGINT,
    published_at  BIGINT,
    auto_publish  BIGINT NOT NULL CHECK (auto_publish IN (0, 1)),
    attempts      BIGINT NOT NULL,
    interruptions BIGINT NOT NULL DEFAULT 0,
    error         TEXT,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    run_at        BIGINT,
    is_wall_time  BIGINT NOT NULL DEFAULT 0 CHECK (is_wall_time IN (0, 1)),
    lease_token   TEXT,
    CHECK ((status IN ('scheduled', 'publishing')) = (run_at IS NOT NULL)),
    CHECK (is_wall_time = 0 OR run_at = publish_at),
    CHECK ((status = 'published') = (published_at IS NOT NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL))
);
CREATE INDEX scheduled_posts_newest ON scheduled_posts (account_id, created_at DESC, id DESC);
CREATE INDEX scheduled_posts_due ON scheduled_posts (run_at, id) WHERE run_at IS NOT NULL;
-- For lists limited to a website or a status: other indexes would walk over all posts of the account.
CREATE INDEX scheduled_posts_newest_of_website ON scheduled_posts (website_id, created_at DESC, id DESC);
CREATE INDEX scheduled_posts_newest_in_status ON scheduled_posts (account_id, status, created_at DESC, id DESC);
-- The taken slots of a website.
CREATE INDEX scheduled_posts_planned ON scheduled_posts (website_id, publish_at) WHERE publish_at IS NOT NULL;

CREATE TABLE late_publications (
    website_id TEXT COLLATE "C" PRIMARY KEY,
    next_at    BIGINT NOT NULL
);

-- is_hosted: 1 if the hosted site shows the article, 0 if another target does, NULL until it is first published.
CREATE TABLE articles (
    id          TEXT COLLATE "C" PRIMARY KEY,
    account_id  TEXT COLLATE "C" NOT NULL,
    website_id  TEXT COLLATE "C" NOT NULL REFERENCES websites (id),
    job_id      TEXT COLLATE "C" UNIQUE,
    status      TEXT NOT NULL CHECK (status IN ('draft', 'scheduled', 'published', 'archived')),
    slug        TEXT COLLATE "C" NOT NULL,
    is_hosted   BIGINT CHECK (is_hosted IN (0, 1)),
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    etag        TEXT NOT NULL,
    search_text TEXT NOT NULL,
    summary     TEXT NOT NULL,
    body        TEXT NOT NULL,
    UNIQUE (website_id, slug)
);
CREATE INDEX articles_newest ON articles (account_id, created_at DESC, id DESC);
CREATE INDEX articles_newest_of_website ON articles (website_id, created_at DESC, id DESC);
CREATE INDEX articles_published ON articles (website_id, created_at DESC, id DESC) WHERE status = 'published';
CREATE INDEX articles_changed ON articles (account_id, updated_at);
-- The latest change of what a website has ever shown.
CREATE INDEX articles_shown ON articles (website_id, updated_at) WHERE is_hosted IS NOT NULL;
CREATE INDEX articles_newest_in_status ON articles (account_id, status, created_at DESC, id DESC);
-- A search reads only this index, whatever else limits the list.
CREATE INDEX articles_search ON articles (account_id, created_at DESC, id DESC, status, website_id, search_text);

CREATE TABLE publishing_targets (
    website_id   TEXT COLLATE "C" PRIMARY KEY,
    kind         TEXT COLLATE "C" NOT NULL CHECK (kind IN ('directory', 'push')),
    folder       TEXT COLLATE "C" UNIQUE,
    front_matter TEXT,
    url          TEXT,
    secret       TEXT,
    updated_at   BIGINT NOT NULL
);

CREATE TABLE published_files (
    article_id TEXT COLLATE "C" NOT NULL,
    folder     TEXT COLLATE "C" NOT NULL,
    remove_at  BIGINT,
    PRIMARY KEY (article_id, folder)
);
CREATE INDEX published_files_due ON published_files (remove_at) WHERE remove_at IS NOT NULL;
-- When a website chooses a folder, the server looks for files of other websites there. The primary key begins with the article.
CREATE INDEX published_files_folder ON published_files (folder);

CREATE TABLE article_updates (
    article_id  TEXT COLLATE "C" PRIMARY KEY,
    version     BIGINT NOT NULL,
    attempts    BIGINT NOT NULL,
    run_at      BIGINT,
    lease_token TEXT,
    error       TEXT,
    CHECK ((error IS NULL) = (run_at IS NOT NULL))
);
CREATE INDEX article_updates_due ON article_updates (run_at, article_id) WHERE run_at IS NOT NULL;

CREATE TABLE leads (
    id             TEXT COLLATE "C" PRIMARY KEY,
    account_id     TEXT COLLATE "C" NOT NULL,
    website_id     TEXT COLLATE "C" NOT NULL REFERENCES websites (id),
    article_id     TEXT COLLATE "C",
    identity       TEXT,
    link_recipient TEXT,
    is_pending     BIGINT NOT NULL DEFAULT 0 CHECK (is_pending IN (0, 1)),
    captured_at    BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    search_text    TEXT NOT NULL,
    body           TEXT NOT NULL
);
CREATE INDEX leads_newest ON leads (account_id, captured_at DESC, id DESC);
CREATE INDEX leads_newest_of_website ON leads (website_id, captured_at DESC, id DESC);
CREATE INDEX leads_identity ON leads (identity, captured_at) WHERE identity IS NOT NULL;
CREATE INDEX leads_link ON leads (link_recipient, captured_at) WHERE link_recipient IS NOT NULL;
CREATE INDEX leads_unconfirmed ON leads (captured_at) WHERE is_pending = 1;
CREATE INDEX leads_of_article ON leads (article_id, captured_at DESC, id DESC) WHERE article_id IS NOT NULL;
-- A search reads only this index, as with articles_search.
CREATE INDEX leads_search ON leads (account_id, captured_at DESC, id DESC, website_id, article_id, search_text);
CREATE INDEX leads_changed ON leads (account_id, updated_at);

CREATE TABLE hook_endpoints (
    id               TEXT COLLATE "C" PRIMARY KEY,
    account_id       TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    url              TEXT NOT NULL,
    events           TEXT NOT NULL,
    website_id       TEXT COLLATE "C" REFERENCES websites (id),
    description      TEXT,
    secret           TEXT NOT NULL,
    former_secrets   TEXT NOT NULL DEFAULT '[]',
    status           TEXT NOT NULL CHECK (status IN ('active', 'paused', 'disabled')),
    disabled_reason  TEXT CHECK (disabled_reason IN ('gone', 'failing')),
    include_content  BIGINT NOT NULL CHECK (include_content IN (0, 1)),
    created_at       BIGINT NOT NULL,
    last_success_at  BIGINT,
    last_failure_at  BIGINT,
    failing_since    BIGINT,
    failing_event_id TEXT,
    is_spread        BIGINT NOT NULL DEFAULT 0 CHECK (is_spread IN (0, 1)),
    failed_attempts  BIGINT NOT NULL DEFAULT 0,
    exhausted        BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX hook_endpoints_account ON hook_endpoints (account_id);
CREATE INDEX hook_endpoints_website ON hook_endpoints (website_id) WHERE website_id IS NOT NULL;

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
-- For the events that an endpoint missed, and for deliveries of one type.
CREATE INDEX events_account ON events (account_id, type, created_at);

-- All deliveries. status and attempts are those of the last end, or 'pending' and 0 before it: while a delivery waits, its state is in
-- delivery_queue. So a delivery changes its row, and its indexes, once.
CREATE TABLE deliveries (
    id          TEXT COLLATE "C" PRIMARY KEY,
    event_id    TEXT COLLATE "C" NOT NULL REFERENCES events (id),
    endpoint_id TEXT COLLATE "C" NOT NULL REFERENCES hook_endpoints (id) ON DELETE CASCADE,
    status      TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'exhausted')),
    attempts    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    UNIQUE (event_id, endpoint_id)
);
CREATE INDEX deliveries_log ON deliveries (endpoint_id, created_at DESC, id DESC);
CREATE INDEX deliveries_failed ON deliveries (endpoint_id, created_at DESC, id DESC)
    WHERE status = 'failed' OR status = 'exhausted';

-- Deliveries that wait or are being sent. One of the kinds manual and test is sent once in addition to its schedule. If that attempt
-- fails, it returns to the status in deliveries, and to resume_at if that is 'pending'.
CREATE TABLE delivery_queue (
    delivery_id TEXT COLLATE "C" PRIMARY KEY REFERENCES deliveries (id) ON DELETE CASCADE,
    endpoint_id TEXT COLLATE "C" NOT NULL,
    run_at      BIGINT NOT NULL,
    lease_token TEXT,
    attempts    BIGINT NOT NULL,
    kind        TEXT NOT NULL DEFAULT 'scheduled' CHECK (kind IN ('scheduled', 'manual', 'test')),
    resume_at   BIGINT
);
CREATE INDEX delivery_queue_due ON delivery_queue (endpoint_id, run_at, delivery_id);
CREATE INDEX delivery_queue_leased ON delivery_queue (endpoint_id) WHERE lease_token IS NOT NULL;

CREATE VIEW delivery_states AS
    SELECT deliveries.id, deliveries.event_id, deliveries.endpoint_id, deliveries.created_at,
        CASE WHEN queued.delivery_id IS NULL THEN deliveries.status ELSE 'pending' END AS status,
        coalesce(queued.attempts, deliveries.attempts) AS attempts,
        queued.run_at, queued.lease_token, coalesce(queued.kind, 'scheduled') AS kind,
        deliveries.status AS previous_status
    FROM deliveries LEFT JOIN delivery_queue AS queued ON queued.delivery_id = deliveries.id;

CREATE TABLE attempts (
    id               BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id      TEXT COLLATE "C" NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number           BIGINT NOT NULL,
    kind             TEXT NOT NULL CHECK (kind IN ('scheduled', 'manual', 'test')),
    started_at       BIGINT NOT NULL,
    duration_ms      BIGINT NOT NULL,
    request_headers  TEXT NOT NULL,
    response_status  BIGINT,
    error            TEXT,
    retry_after_ms   BIGINT,
    response_headers TEXT NOT NULL,
    response_head    TEXT
);
CREATE INDEX attempts_delivery ON attempts (delivery_id, number);

CREATE TABLE idempotency_keys (
    account_id  TEXT COLLATE "C" NOT NULL,
    website_id  TEXT COLLATE "C" NOT NULL,
    operation   TEXT NOT NULL,
    key         TEXT COLLATE "C" NOT NULL,
    fingerprint BYTEA NOT NULL CHECK (length(fingerprint) = 32),
    job_id      TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    body        BYTEA NOT NULL,
    PRIMARY KEY (account_id, website_id, operation, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- One person may be a user of several accounts. Nobody learns whether an address is used in another account.
CREATE TABLE users (
    id              TEXT COLLATE "C" PRIMARY KEY,
    account_id      TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    email           TEXT NOT NULL,
    password_hash   TEXT,
    created_at      BIGINT NOT NULL,
    last_sign_in_at BIGINT,
    UNIQUE (account_id, email)
);
CREATE INDEX users_email ON users (email);

CREATE TABLE user_sessions (
    id           TEXT COLLATE "C" PRIMARY KEY,
    user_id      TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash   BYTEA NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    browser      TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    can_reset    BIGINT NOT NULL CHECK (can_reset IN (0, 1)),
    confirmed_at BIGINT
);
CREATE INDEX user_sessions_user ON user_sessions (user_id);
CREATE INDEX user_sessions_expiry ON user_sessions (expires_at);

CREATE TABLE sign_in_links (
    token_hash BYTEA PRIMARY KEY CHECK (length(token_hash) = 32),
    user_id    TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL,
    made_by    TEXT NOT NULL
);
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);

CREATE TABLE sign_in_attempts (
    subject      BYTEA PRIMARY KEY CHECK (length(subject) = 32),
    failures     BIGINT NOT NULL,
    last_at      BIGINT NOT NULL,
    locked_until BIGINT
);
CREATE INDEX sign_in_attempts_age ON sign_in_attempts (last_at);

CREATE TABLE audit_entries (
    id         TEXT COLLATE "C" PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL,
    at         BIGINT NOT NULL,
    actor      TEXT NOT NULL,
    action     TEXT NOT NULL,
    subject    TEXT,
    detail     TEXT
);
CREATE INDEX audit_entries_newest ON audit_entries (account_id, at DESC, id DESC);

CREATE TABLE daily_statistics (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    time_zone  TEXT NOT NULL,
    day        BIGINT NOT NULL,
    articles   BIGINT NOT NULL,
    leads      BIGINT NOT NULL,
    deliveries BIGINT NOT NULL,
    failures   BIGINT NOT NULL,
    PRIMARY KEY (account_id, time_zone, day)
);

-- The parts of quotas that processes leased. Only PostgreSQL needs this table: the one process that serves an SQLite file counts in memory. It is
-- UNLOGGED because a window lasts a minute: a lease writes nothing to disk, and the windows begin anew after a crash of PostgreSQL.
-- subject is the id of a key, or the pseudonym of an address.
CREATE UNLOGGED TABLE quota_windows (
    policy  TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    length  BIGINT NOT NULL CHECK (length > 0),
    ends_at BIGINT NOT NULL,
    leased  BIGINT NOT NULL CHECK (leased >= 0),
    granted BIGINT NOT NULL,
    PRIMARY KEY (policy, subject, length)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX quota_windows_ended ON quota_windows (ends_at);

-- The queues change all the time, so their dead rows are removed early.
ALTER TABLE jobs SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE scheduled_posts SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE delivery_queue SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE queue_depths SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02, fillfactor = 50);
-- Erased data must be gone soon, however large these tables are.
ALTER TABLE leads SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE events SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE attempts SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
