-- What the dashboard keeps: who may sign in, who is signed in, and who changed what.
CREATE TABLE users (
    id              TEXT PRIMARY KEY,
    account_id      TEXT NOT NULL REFERENCES accounts (id),
    email           TEXT NOT NULL UNIQUE,
    password_hash   TEXT,
    created_at      INTEGER NOT NULL,
    last_sign_in_at INTEGER
) STRICT;
CREATE INDEX users_account ON users (account_id);

CREATE TABLE user_sessions (
    id           TEXT PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_hash   BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    browser      TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX user_sessions_user ON user_sessions (user_id);
CREATE INDEX user_sessions_expiry ON user_sessions (expires_at);

CREATE TABLE sign_in_links (
    token_hash BLOB PRIMARY KEY CHECK (length(token_hash) = 32),
    user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);

-- Tries to sign in, by the hash of an e-mail address or of a network address: unknown addresses are counted like known ones.
CREATE TABLE sign_in_attempts (
    subject      BLOB PRIMARY KEY CHECK (length(subject) = 32),
    failures     INTEGER NOT NULL,
    last_at      INTEGER NOT NULL,
    locked_until INTEGER
) STRICT;
CREATE INDEX sign_in_attempts_age ON sign_in_attempts (last_at);

CREATE TABLE audit_entries (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    at         INTEGER NOT NULL,
    actor      TEXT NOT NULL,
    action     TEXT NOT NULL,
    subject    TEXT,
    detail     TEXT
) STRICT;
CREATE INDEX audit_entries_newest ON audit_entries (account_id, at DESC, id DESC);

CREATE TABLE brand_voice_versions (
    voice_id   TEXT NOT NULL REFERENCES brand_voices (id),
    version    INTEGER NOT NULL,
    profile    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    saved_by   TEXT NOT NULL,
    PRIMARY KEY (voice_id, version)
) STRICT, WITHOUT ROWID;

-- Days that are over, counted once for the charts.
CREATE TABLE daily_statistics (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    day        INTEGER NOT NULL,
    articles   INTEGER NOT NULL,
    leads      INTEGER NOT NULL,
    deliveries INTEGER NOT NULL,
    failures   INTEGER NOT NULL,
    PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;

ALTER TABLE websites ADD COLUMN target_word_count INTEGER;
ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;
ALTER TABLE attempts ADD COLUMN request_headers TEXT;

-- What a search looks through, in lower case. No version before this was released, so few rows have to be filled in.
ALTER TABLE articles ADD COLUMN search_text TEXT;
UPDATE articles SET search_text = lower(substr(summary, 1, 500));
CREATE INDEX articles_search ON articles (account_id, created_at DESC, id DESC, search_text);
ALTER TABLE leads ADD COLUMN search_text TEXT;
UPDATE leads SET search_text = lower(substr(body, 1, 500));
CREATE INDEX leads_search ON leads (account_id, captured_at DESC, id DESC, search_text);
CREATE INDEX deliveries_failed ON deliveries (endpoint_id, created_at DESC, id DESC)
    WHERE status = 'failed' OR status = 'exhausted';

-- Events are read by their type: those that an endpoint missed, and deliveries of one type.
DROP INDEX events_account;
CREATE INDEX events_account ON events (account_id, type, created_at);
