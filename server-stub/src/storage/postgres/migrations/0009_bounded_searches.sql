-- What a search looks at is read from an index alone, whatever else the list is limited to.
DROP INDEX articles_search;
CREATE INDEX articles_search ON articles (account_id, created_at DESC, id DESC, status, website_id, search_text);
DROP INDEX leads_search;
CREATE INDEX leads_search ON leads (account_id, captured_at DESC, id DESC, website_id, article_id, search_text);

-- Whether a session began with a one-time link, after which a forgotten password may be replaced.
ALTER TABLE user_sessions ADD COLUMN is_by_link BIGINT NOT NULL DEFAULT 0 CHECK (is_by_link IN (0, 1));
