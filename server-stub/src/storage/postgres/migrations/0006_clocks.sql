-- deadline_at is what callers are shown, by the wall clock. expires_at is when the job fails, in the steady time of the queues; NULL
-- is written by older processes, which show the steady time.
ALTER TABLE jobs ADD COLUMN expires_at BIGINT;
CREATE INDEX jobs_expiry ON jobs (COALESCE(expires_at, deadline_at)) WHERE run_at IS NOT NULL;
