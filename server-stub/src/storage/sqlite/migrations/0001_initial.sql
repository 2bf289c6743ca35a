-- Times are milliseconds since the Unix epoch. JSON is TEXT.
--
-- The four queues are jobs, scheduled_posts, delivery_queue and article_updates. A worker may claim a row from run_at on, and no worker may if it is NULL. A
-- claim moves run_at to the end of its lease and writes a new lease_token. Only the holder of that token can record a result.
--
-- A check compares (status = 'active' OR …) instead of listing three or more values: SQLite builds a table in memory for such a list,
-- for each row that it checks.

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

-- deleted_at: the account is invisible from then on, and the background work removes it with all of its records. jobs: number of jobs
-- that were queued on jobs_day, days since the Unix epoch; counted only under a daily limit.
-- name: commands find the account by it. display_name: the name that its users chose; two accounts may have the same one.
CREATE TABLE accounts (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    display_name TEXT,
    created_at INTEGER NOT NULL,
    deleted_at INTEGER,
    jobs_day   INTEGER NOT NULL DEFAULT 0,
    jobs       INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX accounts_deleted ON accounts (id) WHERE deleted_at IS NOT NULL;

CREATE TABLE brand_voices (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    profile    TEXT NOT NULL
) STRICT;
-- Lists and counts of an account's profiles use this index, because brand_voices_default contains only default profiles.
CREATE INDEX brand_voices_account ON brand_voices (account_id);
CREATE UNIQUE INDEX brand_voices_default ON brand_voices (account_id) WHERE is_default = 1;

CREATE TABLE brand_voice_versions (
    voice_id   TEXT NOT NULL REFERENCES brand_voices (id),
    version    INTEGER NOT NULL,
    profile    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    saved_by   TEXT NOT NULL,
    PRIMARY KEY (voice_id, version)
) STRICT, WITHOUT ROWID;

-- lead_retention: how long leads are kept, in milliseconds; NULL means forever. publishing_slots: JSON as in the API; NULL means no
-- slots. consent_text and privacy_url: settings of the lead forms; NULL means the text of the service, or no page. deleted_at: as in
-- accounts.
CREATE TABLE websites (
    id                TEXT PRIMARY KEY,
    account_id        TEXT NOT NULL REFERENCES accounts (id),
    status            TEXT NOT NULL CHECK (status = 'active' OR status = 'paused' OR status = 'archived'),
    name              TEXT NOT NULL,
    url               TEXT NOT NULL,
    language          TEXT NOT NULL,
    time_zone         TEXT NOT NULL,
    auto_publish      INTEGER NOT NULL CHECK (auto_publish IN (0, 1)),
    publishing_slots  TEXT,
    brand_voice_id    TEXT REFERENCES brand_voices (id),
    lead_retention    INTEGER CHECK (lead_retention > 0),
    target_word_count INTEGER,
    consent_text      TEXT,
    privacy_url       TEXT,
    double_opt_in     INTEGER NOT NULL CHECK (double_opt_in IN (0, 1)),
    pages_at_url      INTEGER NOT NULL CHECK (pages_at_url IN (0, 1)),
    full_text_feed    INTEGER NOT NULL CHECK (full_text_feed IN (0, 1)),
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    deleted_at        INTEGER
) STRICT;
CREATE INDEX websites_newest ON websites (account_id, created_at DESC, id DESC);
CREATE INDEX websites_deleted ON websites (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX websites_lead_retention ON websites (id) WHERE lead_retention IS NOT NULL;
-- Before a profile is removed, the server and the foreign key look for websites that use it. Most websites use the account's default.
CREATE INDEX websites_brand_voice ON websites (brand_voice_id) WHERE brand_voice_id IS NOT NULL;

-- Replaced consent texts: forms that were open at that time still send them.
CREATE TABLE former_consent_texts (
    website_id  TEXT NOT NULL,
    text        TEXT NOT NULL,
    replaced_at INTEGER NOT NULL
) STRICT;
CREATE INDEX former_consent_texts_of_website ON former_consent_texts (website_id, replaced_at);

CREATE TABLE api_keys (
    id           TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES accounts (id),
    name         TEXT NOT NULL,
    secret_hash  BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
    last4        TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    website_ids  TEXT,
    quotas       TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    last_used_at INTEGER
) STRICT;
CREATE INDEX api_keys_account ON api_keys (account_id);

-- deadline_at is the deadline that callers see, by the wall clock. The job fails at expires_at, in the steady time of the queues.
-- interruptions: attempts whose process died. claim_token: the token of a worker that claimed the job but has no free slot yet;
-- lease_token stays the token of the last attempt that began. is_set_aside: a process that cannot read the row has moved run_at.
CREATE TABLE jobs (
    id                TEXT PRIMARY KEY,
    account_id        TEXT NOT NULL,
    website_id        TEXT NOT NULL REFERENCES websites (id),
    scheduled_post_id TEXT NOT NULL,
    request           TEXT NOT NULL,
    status            TEXT NOT NULL CHECK (status = 'queued' OR status = 'in_progress' OR status = 'completed' OR status = 'failed' OR
        status = 'cancelled'),
    progress          INTEGER NOT NULL CHECK (progress BETWEEN 0 AND 100),
    article_id        TEXT,
    attempts          INTEGER NOT NULL,
    interruptions     INTEGER NOT NULL DEFAULT 0,
    error             TEXT,
    deadline_at       INTEGER NOT NULL,
    expires_at        INTEGER NOT NULL,
    created_at        INTEGER NOT NULL,
    started_at        INTEGER,
    finished_at       INTEGER,
    run_at            INTEGER,
    lease_token       TEXT,
    claim_token       TEXT,
    is_set_aside      INTEGER NOT NULL DEFAULT 0 CHECK (is_set_aside IN (0, 1)),
    CHECK ((status = 'completed' OR status = 'failed' OR status = 'cancelled') = (finished_at IS NOT NULL)),
    CHECK ((status = 'completed' OR status = 'failed' OR status = 'cancelled') = (run_at IS NULL)),
    CHECK ((status = 'completed') = (article_id IS NOT NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL))
) STRICT;
-- A claim looks up the accounts with due jobs, then the oldest jobs of each.
CREATE INDEX jobs_due ON jobs (account_id, run_at, id) WHERE run_at IS NOT NULL;
CREATE INDEX jobs_of_website ON jobs (website_id);
CREATE INDEX jobs_expiry ON jobs (expires_at) WHERE run_at IS NOT NULL;

-- Number of unfinished jobs of a website. Counting rows at each submission would cost more with every job in the queue.
CREATE TABLE queue_depths (
    website_id TEXT PRIMARY KEY REFERENCES websites (id),
    account_id TEXT NOT NULL,
    unfinished INTEGER NOT NULL CHECK (unfinished >= 0)
) STRICT, WITHOUT ROWID;
-- A submission adds up the unfinished jobs of its account. It reads only websites that have some.
CREATE INDEX queue_depths_busy ON queue_depths (account_id) WHERE unfinished > 0;
CREATE TRIGGER queue_depths_open AFTER INSERT ON websites BEGIN
    INSERT INTO queue_depths (website_id, account_id, unfinished) VALUES (NEW.id, NEW.account_id, 0);
END;
CREATE TRIGGER queue_depths_grow AFTER INSERT ON jobs WHEN NEW.run_at IS NOT NULL BEGIN
    UPDATE queue_depths SET unfinished = unfinished + 1 WHERE website_id = NEW.website_id;
END;
CREATE TRIGGER queue_depths_shrink AFTER UPDATE OF run_at ON jobs WHEN OLD.run_at IS NOT NULL AND NEW.run_at IS NULL BEGIN
    UPDATE queue_depths SET unfinished = unfinished - 1 WHERE website_id = NEW.website_id;
END;

-- Sums of what the attempts at a job used of a language model; cost_nanodollars is NULL if no price was known. This is a separate table
-- because most jobs use no model, and because adding to it does not wait for the job's row. It has no foreign key: a job is
-- deleted together with it. last_report names the report that was added last: it may arrive again.
CREATE TABLE model_usage (
    job_id           TEXT PRIMARY KEY,
    writer           TEXT NOT NULL,
    requests         INTEGER NOT NULL CHECK (requests >= 0),
    failed_requests  INTEGER NOT NULL CHECK (failed_requests >= 0),
    input_tokens     INTEGER NOT NULL CHECK (input_tokens >= 0),
    output_tokens    INTEGER NOT NULL CHECK (output_tokens >= 0),
    cost_nanodollars INTEGER CHECK (cost_nanodollars >= 0),
    is_estimated     INTEGER NOT NULL CHECK (is_estimated IN (0, 1)),
    last_report      TEXT NOT NULL
) WITHOUT ROWID;

-- A post in a publishing slot has the slot's time as publish_at. is_wall_time: run_at is a time by the wall clock, namely publish_at;
-- otherwise it is steady time.
CREATE TABLE scheduled_posts (
    id            TEXT PRIMARY KEY,
    account_id    TEXT NOT NULL,
    website_id    TEXT NOT NULL REFERENCES websites (id),
    job_id        TEXT UNIQUE REFERENCES jobs (id),
    article_id    TEXT,
    topic         TEXT NOT NULL,
    status        TEXT NOT NULL CHECK (status = 'queued' OR status = 'generating' OR status = 'ready' OR status = 'scheduled' OR
        status = 'publishing' OR status = 'published' OR status = 'failed' OR status = 'cancelled'),
    publish_at    INTEGER,
    published_at  INTEGER,
    auto_publish  INTEGER NOT NULL CHECK (auto_publish IN (0, 1)),
    attempts      INTEGER NOT NULL,
    interruptions INTEGER NOT NULL DEFAULT 0,
    error         TEXT,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    run_at        INTEGER,
    is_wall_time  INTEGER NOT NULL DEFAULT 0 CHECK (is_wall_time IN (0, 1)),
    lease_token   TEXT,
    CHECK ((status IN ('scheduled', 'publishing')) = (run_at IS NOT NULL)),
    CHECK (is_wall_time = 0 OR run_at = publish_at),
    CHECK ((status = 'published') = (published_at IS NOT NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL))
) STRICT;
CREATE INDEX scheduled_posts_newest ON scheduled_posts (account_id, created_at DESC, id DESC);
CREATE INDEX scheduled_posts_due ON scheduled_posts (run_at, id) WHERE run_at IS NOT NULL;
-- For lists limited to a website or a status: other indexes would walk over all posts of the account.
CREATE INDEX scheduled_posts_newest_of_website ON scheduled_posts (website_id, created_at DESC, id DESC);
CREATE INDEX scheduled_posts_newest_in_status ON scheduled_posts (account_id, status, created_at DESC, id DESC);
-- The taken slots of a website.
CREATE INDEX scheduled_posts_planned ON scheduled_posts (website_id, publish_at) WHERE publish_at IS NOT NULL;

-- The time from which another late article of a website may be published, in steady time.
CREATE TABLE late_publications (
    website_id TEXT PRIMARY KEY,
    next_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The job of an article may have been deleted: its id stays. body and summary are the JSON that is served. Queries use the other columns. search_text is the text that a search covers, in lower case.
-- is_hosted: 1 if the hosted site shows the article, 0 if another target does, NULL until it is first published.
CREATE TABLE articles (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL,
    website_id  TEXT NOT NULL REFERENCES websites (id),
    job_id      TEXT UNIQUE,
    status      TEXT NOT NULL CHECK (status = 'draft' OR status = 'scheduled' OR status = 'published' OR status = 'archived'),
    slug        TEXT NOT NULL,
    is_hosted   INTEGER CHECK (is_hosted IN (0, 1)),
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    etag        TEXT NOT NULL,
    search_text TEXT NOT NULL,
    summary     TEXT NOT NULL,
    body        TEXT NOT NULL,
    UNIQUE (website_id, slug)
) STRICT;
CREATE INDEX articles_newest ON articles (account_id, created_at DESC, id DESC);
CREATE INDEX articles_newest_of_website ON articles (website_id, created_at DESC, id DESC);
CREATE INDEX articles_published ON articles (website_id, created_at DESC, id DESC) WHERE status = 'published';
CREATE INDEX articles_changed ON articles (account_id, updated_at);
-- The latest change of what a website has ever shown.
CREATE INDEX articles_shown ON articles (website_id, updated_at) WHERE is_hosted IS NOT NULL;
CREATE INDEX articles_newest_in_status ON articles (account_id, status, created_at DESC, id DESC);
-- A search reads only this index, whatever else limits the list.
CREATE INDEX articles_search ON articles (account_id, created_at DESC, id DESC, status, website_id, search_text);

-- The publishing target of a website. A website without a row publishes on the hosted site.
CREATE TABLE publishing_targets (
    website_id   TEXT PRIMARY KEY,
    kind         TEXT NOT NULL CHECK (kind IN ('directory', 'push')),
    folder       TEXT UNIQUE,
    front_matter TEXT,
    url          TEXT,
    secret       TEXT,
    updated_at   INTEGER NOT NULL
) STRICT;

-- Folders in which an article may have a file. The row is written before the file. For an article that was taken down, remove_at is when
-- to remove the file, in steady time.
CREATE TABLE published_files (
    article_id TEXT NOT NULL,
    folder     TEXT NOT NULL,
    remove_at  INTEGER,
    PRIMARY KEY (article_id, folder)
) STRICT, WITHOUT ROWID;
CREATE INDEX published_files_due ON published_files (remove_at) WHERE remove_at IS NOT NULL;
-- When a website chooses a folder, the server looks for files of other websites there. The primary key begins with the article.
CREATE INDEX published_files_folder ON published_files (folder);

-- Published articles that a user edited and that are not on the hosted site. A row waits until the target of the website has the version.
-- error: why the target did not take it, for good; then run_at is NULL.
CREATE TABLE article_updates (
    article_id  TEXT PRIMARY KEY,
    version     INTEGER NOT NULL,
    attempts    INTEGER NOT NULL,
    run_at      INTEGER,
    lease_token TEXT,
    error       TEXT,
    CHECK ((error IS NULL) = (run_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX article_updates_due ON article_updates (run_at, article_id) WHERE run_at IS NOT NULL;

-- identity: what two captures must share to be one lead; NULL without an e-mail address. link_recipient: website and recipient of its
-- confirmation link; NULL without a link. is_pending: 1 while it waits for confirmation. search_text: as in articles.
CREATE TABLE leads (
    id             TEXT PRIMARY KEY,
    account_id     TEXT NOT NULL,
    website_id     TEXT NOT NULL REFERENCES websites (id),
    article_id     TEXT,
    identity       TEXT,
    link_recipient TEXT,
    is_pending     INTEGER NOT NULL DEFAULT 0 CHECK (is_pending IN (0, 1)),
    captured_at    INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    search_text    TEXT NOT NULL,
    body           TEXT NOT NULL
) STRICT;
CREATE INDEX leads_newest ON leads (account_id, captured_at DESC, id DESC);
CREATE INDEX leads_newest_of_website ON leads (website_id, captured_at DESC, id DESC);
CREATE INDEX leads_identity ON leads (identity, captured_at) WHERE identity IS NOT NULL;
CREATE INDEX leads_link ON leads (link_recipient, captured_at) WHERE link_recipient IS NOT NULL;
CREATE INDEX leads_unconfirmed ON leads (captured_at) WHERE is_pending = 1;
CREATE INDEX leads_of_article ON leads (article_id, captured_at DESC, id DESC) WHERE article_id IS NOT NULL;
-- A search reads only this index, as with articles_search.
CREATE INDEX leads_search ON leads (account_id, captured_at DESC, id DESC, website_id, article_id, search_text);
CREATE INDEX leads_changed ON leads (account_id, updated_at);

-- All secrets are sealed. former_secrets is a JSON array of {"secret", "until"}, newest first.
CREATE TABLE hook_endpoints (
    id               TEXT PRIMARY KEY,
    account_id       TEXT NOT NULL REFERENCES accounts (id),
    url              TEXT NOT NULL,
    events           TEXT NOT NULL,
    website_id       TEXT REFERENCES websites (id),
    description      TEXT,
    secret           TEXT NOT NULL,
    former_secrets   TEXT NOT NULL DEFAULT '[]',
    status           TEXT NOT NULL CHECK (status = 'active' OR status = 'paused' OR status = 'disabled'),
    disabled_reason  TEXT CHECK (disabled_reason IN ('gone', 'failing')),
    include_content  INTEGER NOT NULL CHECK (include_content IN (0, 1)),
    created_at       INTEGER NOT NULL,
    last_success_at  INTEGER,
    last_failure_at  INTEGER,
    failing_since    INTEGER,
    failing_event_id TEXT,
    is_spread        INTEGER NOT NULL DEFAULT 0 CHECK (is_spread IN (0, 1)),
    failed_attempts  INTEGER NOT NULL DEFAULT 0,
    exhausted        INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX hook_endpoints_account ON hook_endpoints (account_id);
CREATE INDEX hook_endpoints_website ON hook_endpoints (website_id) WHERE website_id IS NOT NULL;

-- body is made once: it is signed and sent as it is.
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
CREATE INDEX events_age ON events (created_at);
-- For the events that an endpoint missed, and for deliveries of one type.
CREATE INDEX events_account ON events (account_id, type, created_at);

-- All deliveries. status and attempts are those of the last end, or 'pending' and 0 before it: while a delivery waits, its state is in
-- delivery_queue. So a delivery changes its row, and its indexes, once.
CREATE TABLE deliveries (
    id          TEXT PRIMARY KEY,
    event_id    TEXT NOT NULL REFERENCES events (id),
    endpoint_id TEXT NOT NULL REFERENCES hook_endpoints (id) ON DELETE CASCADE,
    status      TEXT NOT NULL CHECK (status = 'pending' OR status = 'succeeded' OR status = 'failed' OR status = 'exhausted'),
    attempts    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    UNIQUE (event_id, endpoint_id)
) STRICT;
CREATE INDEX deliveries_log ON deliveries (endpoint_id, created_at DESC, id DESC);
CREATE INDEX deliveries_failed ON deliveries (endpoint_id, created_at DESC, id DESC)
    WHERE status = 'failed' OR status = 'exhausted';

-- Deliveries that wait or are being sent. One of the kinds manual and test is sent once in addition to its schedule. If that attempt
-- fails, it returns to the status in deliveries, and to resume_at if that is 'pending'.
CREATE TABLE delivery_queue (
    delivery_id TEXT PRIMARY KEY REFERENCES deliveries (id) ON DELETE CASCADE,
    endpoint_id TEXT NOT NULL,
    run_at      INTEGER NOT NULL,
    lease_token TEXT,
    attempts    INTEGER NOT NULL,
    kind        TEXT NOT NULL DEFAULT 'scheduled' CHECK (kind = 'scheduled' OR kind = 'manual' OR kind = 'test'),
    resume_at   INTEGER
) STRICT;
CREATE INDEX delivery_queue_due ON delivery_queue (endpoint_id, run_at, delivery_id);
-- A claim counts what is in flight to each endpoint. With the time in the index it reads no row of the queue for that.
CREATE INDEX delivery_queue_leased ON delivery_queue (endpoint_id, run_at) WHERE lease_token IS NOT NULL;

CREATE VIEW delivery_states AS
    SELECT deliveries.id, deliveries.event_id, deliveries.endpoint_id, deliveries.created_at,
        CASE WHEN queued.delivery_id IS NULL THEN deliveries.status ELSE 'pending' END AS status,
        coalesce(queued.attempts, deliveries.attempts) AS attempts,
        queued.run_at, queued.lease_token, coalesce(queued.kind, 'scheduled') AS kind,
        deliveries.status AS previous_status
    FROM deliveries LEFT JOIN delivery_queue AS queued ON queued.delivery_id = deliveries.id;

CREATE TABLE attempts (
    id               INTEGER PRIMARY KEY,
    delivery_id      TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number           INTEGER NOT NULL,
    kind             TEXT NOT NULL CHECK (kind = 'scheduled' OR kind = 'manual' OR kind = 'test'),
    started_at       INTEGER NOT NULL,
    duration_ms      INTEGER NOT NULL,
    request_headers  TEXT NOT NULL,
    response_status  INTEGER,
    error            TEXT,
    retry_after_ms   INTEGER,
    response_headers TEXT NOT NULL,
    response_head    TEXT
) STRICT;
CREATE INDEX attempts_delivery ON attempts (delivery_id, number);

CREATE TABLE idempotency_keys (
    account_id  TEXT NOT NULL,
    website_id  TEXT NOT NULL,
    operation   TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
    job_id      TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    body        BLOB NOT NULL,
    PRIMARY KEY (account_id, website_id, operation, key)
) STRICT;
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- The users of the dashboard, their sessions, and their changes.
-- One person may be a user of several accounts. Nobody learns whether an address is used in another account.
CREATE TABLE users (
    id              TEXT PRIMARY KEY,
    account_id      TEXT NOT NULL REFERENCES accounts (id),
    email           TEXT NOT NULL,
    password_hash   TEXT,
    created_at      INTEGER NOT NULL,
    last_sign_in_at INTEGER,
    UNIQUE (account_id, email)
) STRICT;
CREATE INDEX users_email ON users (email);

-- can_reset: the session began with a one-time link of another person, so its user may replace a forgotten password.
-- confirmed_at: when the user last proved their identity in the session.
CREATE TABLE user_sessions (
    id           TEXT PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash   BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    browser      TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    can_reset    INTEGER NOT NULL CHECK (can_reset IN (0, 1)),
    confirmed_at INTEGER
) STRICT;
CREATE INDEX user_sessions_user ON user_sessions (user_id);
CREATE INDEX user_sessions_expiry ON user_sessions (expires_at);

CREATE TABLE sign_in_links (
    token_hash BLOB PRIMARY KEY CHECK (length(token_hash) = 32),
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL,
    made_by    TEXT NOT NULL
) STRICT;
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);

-- Failed sign-ins by the hash of an e-mail address or of a network address. Unknown addresses are counted like known ones.
CREATE TABLE sign_in_attempts (
    subject      BLOB PRIMARY KEY CHECK (length(subject) = 32),
    failures     INTEGER NOT NULL,
    last_at      INTEGER NOT NULL,
    locked_until INTEGER
) STRICT;
CREATE INDEX sign_in_attempts_age ON sign_in_attempts (last_at);

-- Has no foreign key: the entry about the deletion of an account outlives the account.
CREATE TABLE audit_entries (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    at         INTEGER NOT NULL,
    actor      TEXT NOT NULL,
    action     TEXT NOT NULL,
    subject    TEXT,
    detail     TEXT
) STRICT;
CREATE INDEX audit_entries_newest ON audit_entries (account_id, at DESC, id DESC);

-- Counts of past days in a time zone, made once for the charts.
CREATE TABLE daily_statistics (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    time_zone  TEXT NOT NULL,
    day        INTEGER NOT NULL,
    articles   INTEGER NOT NULL,
    leads      INTEGER NOT NULL,
    deliveries INTEGER NOT NULL,
    failures   INTEGER NOT NULL,
    PRIMARY KEY (account_id, time_zone, day)
) STRICT, WITHOUT ROWID;
