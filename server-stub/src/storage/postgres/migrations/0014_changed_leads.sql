-- When a lead last changed; NULL while it is as it was captured. Only a confirmation changes leads. Its time is in the JSON, in UTC with
-- milliseconds. No version with confirmations was released, so few rows have to be filled in.
ALTER TABLE leads ADD COLUMN updated_at BIGINT;
UPDATE leads SET updated_at = (EXTRACT(EPOCH FROM (body::json #>> '{confirmation,confirmed_at}')::timestamptz) * 1000)::bigint
WHERE body::json #>> '{confirmation,confirmed_at}' IS NOT NULL;
CREATE INDEX leads_changed ON leads (account_id, COALESCE(updated_at, captured_at));

-- Processes older than this script confirm a lead without recording its last change. Newer ones always change it with the body.
CREATE FUNCTION leads_record_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.updated_at := (EXTRACT(EPOCH FROM (NEW.body::json #>> '{confirmation,confirmed_at}')::timestamptz) * 1000)::bigint;
    RETURN NEW;
END $$;
CREATE TRIGGER leads_record_change BEFORE UPDATE OF body ON leads FOR EACH ROW
    WHEN (NEW.updated_at IS NOT DISTINCT FROM OLD.updated_at)
    EXECUTE FUNCTION leads_record_change();
