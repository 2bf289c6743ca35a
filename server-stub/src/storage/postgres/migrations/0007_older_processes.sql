-- Processes older than 0005 know neither claim_token nor expires_at, and leave both stale when they begin a job or record a failed
-- attempt: a worker that comes back could begin the job under its lapsed claim, and the job would fail by the deadline of an earlier
-- attempt. Newer ones set lease_token only to the claim_token or to NULL, so any other value comes from an older process.
CREATE FUNCTION jobs_end_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.claim_token := NULL;
    IF NEW.lease_token IS NOT NULL THEN
        NEW.expires_at := NULL;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER jobs_end_claim BEFORE UPDATE OF lease_token ON jobs FOR EACH ROW
    WHEN (NEW.lease_token IS DISTINCT FROM OLD.lease_token AND NEW.lease_token IS DISTINCT FROM OLD.claim_token)
    EXECUTE FUNCTION jobs_end_claim();
