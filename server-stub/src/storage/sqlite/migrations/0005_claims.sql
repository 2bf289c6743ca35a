-- The token of a worker that holds a job for which it has no slot yet. lease_token stays that of the last attempt that began.
ALTER TABLE jobs ADD COLUMN claim_token TEXT;
