-- When a lead last changed; NULL while it is as it was captured. Only a confirmation changes leads. Its time is in the JSON, in UTC with
-- milliseconds. No version with confirmations was released, so few rows have to be filled in.
ALTER TABLE leads ADD COLUMN updated_at INTEGER;
UPDATE leads SET updated_at =
    CAST(strftime('%s', json_extract(body, '$.confirmation.confirmed_at')) AS INTEGER) * 1000
        + CAST(substr(json_extract(body, '$.confirmation.confirmed_at'), 21, 3) AS INTEGER)
WHERE CASE WHEN json_valid(body) THEN json_extract(body, '$.confirmation.confirmed_at') END IS NOT NULL;
CREATE INDEX leads_changed ON leads (account_id, COALESCE(updated_at, captured_at));
