-- Where the articles of a website go; one without a row has the hosted site.
CREATE TABLE publishing_targets (
    website_id   TEXT COLLATE "C" PRIMARY KEY,
    kind         TEXT COLLATE "C" NOT NULL CHECK (kind = 'directory' OR kind = 'push'),
    folder       TEXT COLLATE "C" UNIQUE,
    front_matter TEXT,
    url          TEXT,
    secret       TEXT,
    updated_at   BIGINT NOT NULL
);

-- The folders in which an article may have a file: written before the file is. Where the article was taken down, remove_at tells when
-- to remove it, in steady time.
CREATE TABLE published_files (
    article_id TEXT COLLATE "C" NOT NULL,
    folder     TEXT COLLATE "C" NOT NULL,
    remove_at  BIGINT,
    PRIMARY KEY (article_id, folder)
);
CREATE INDEX published_files_due ON published_files (remove_at) WHERE remove_at IS NOT NULL;
