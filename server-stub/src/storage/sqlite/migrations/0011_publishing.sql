-- Where the articles of a website go; one without a row has the hosted site.
CREATE TABLE publishing_targets (
    website_id   TEXT PRIMARY KEY,
    kind         TEXT NOT NULL CHECK (kind = 'directory' OR kind = 'push'),
    folder       TEXT UNIQUE,
    front_matter TEXT,
    url          TEXT,
    secret       TEXT,
    updated_at   INTEGER NOT NULL
) STRICT;

-- The folders in which an article may have a file: written before the file is. Where the article was taken down, remove_at tells when
-- to remove it, in steady time.
CREATE TABLE published_files (
    article_id TEXT NOT NULL,
    folder     TEXT NOT NULL,
    remove_at  INTEGER,
    PRIMARY KEY (article_id, folder)
) STRICT, WITHOUT ROWID;
CREATE INDEX published_files_due ON published_files (remove_at) WHERE remove_at IS NOT NULL;
