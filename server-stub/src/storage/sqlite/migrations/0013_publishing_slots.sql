-- When a website publishes: JSON as in the API, NULL where it has no slots. A post that has a slot has it as publish_at.
ALTER TABLE websites ADD COLUMN publishing_slots TEXT;

-- Which times of a website are taken.
CREATE INDEX scheduled_posts_planned ON scheduled_posts (website_id, publish_at) WHERE publish_at IS NOT NULL;

-- From when on another late article of a website may be published, in steady time.
CREATE TABLE late_publications (
    website_id TEXT PRIMARY KEY,
    next_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
