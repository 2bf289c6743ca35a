-- interruptions: attempts whose process died. A delivery is scheduled, or sent once beside its schedule (kind manual or test);
-- then resume_status and resume_at say where it stands again when that attempt fails.

ALTER TABLE jobs ADD COLUMN interruptions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scheduled_posts ADD COLUMN interruptions INTEGER NOT NULL DEFAULT 0;

-- Both secrets are sealed; former_secrets is a JSON array of {"secret", "until"}, newest first.
ALTER TABLE hook_endpoints ADD COLUMN former_secrets TEXT NOT NULL DEFAULT '[]';
ALTER TABLE hook_endpoints ADD COLUMN disabled_reason TEXT CHECK (disabled_reason IN ('gone', 'failing'));
ALTER TABLE hook_endpoints ADD COLUMN failing_event_id TEXT;
ALTER TABLE hook_endpoints ADD COLUMN is_spread INTEGER NOT NULL DEFAULT 0 CHECK (is_spread IN (0, 1));
ALTER TABLE hook_endpoints ADD COLUMN failed_attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hook_endpoints ADD COLUMN exhausted INTEGER NOT NULL DEFAULT 0;

ALTER TABLE deliveries ADD COLUMN kind TEXT NOT NULL DEFAULT 'scheduled' CHECK (kind IN ('scheduled', 'manual', 'test'));
ALTER TABLE deliveries ADD COLUMN resume_status TEXT CHECK (resume_status IN ('pending', 'succeeded', 'failed', 'exhausted'));
ALTER TABLE deliveries ADD COLUMN resume_at INTEGER;
CREATE INDEX deliveries_event ON deliveries (event_id);
CREATE INDEX deliveries_log ON deliveries (endpoint_id, created_at DESC, id DESC);

ALTER TABLE attempts ADD COLUMN kind TEXT NOT NULL DEFAULT 'scheduled' CHECK (kind IN ('scheduled', 'manual', 'test'));
ALTER TABLE attempts ADD COLUMN response_headers TEXT;

CREATE INDEX events_age ON events (created_at);
CREATE INDEX events_account ON events (account_id, created_at);

CREATE INDEX articles_published ON articles (website_id, created_at DESC, id DESC) WHERE status = 'published';
CREATE INDEX articles_changed ON articles (account_id, updated_at);
CREATE INDEX leads_of_article ON leads (article_id, captured_at DESC, id DESC) WHERE article_id IS NOT NULL;
