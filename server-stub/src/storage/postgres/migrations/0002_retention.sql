-- How long the leads of a website are kept, in milliseconds; NULL means for ever.
ALTER TABLE websites ADD COLUMN lead_retention BIGINT CHECK (lead_retention > 0);
CREATE INDEX websites_lead_retention ON websites (id) WHERE lead_retention IS NOT NULL;
