-- Lists that ask for a website or a status: without these they walk over all that the account ever had.
CREATE INDEX scheduled_posts_newest_of_website ON scheduled_posts (website_id, created_at DESC, id DESC);
CREATE INDEX scheduled_posts_newest_in_status ON scheduled_posts (account_id, status, created_at DESC, id DESC);
CREATE INDEX articles_newest_in_status ON articles (account_id, status, created_at DESC, id DESC);
