-- What the lead forms of a website show and ask for; NULL is what the service itself says.
ALTER TABLE websites ADD COLUMN consent_text TEXT;
ALTER TABLE websites ADD COLUMN privacy_url TEXT;
ALTER TABLE websites ADD COLUMN double_opt_in INTEGER NOT NULL DEFAULT 0 CHECK (double_opt_in = 0 OR double_opt_in = 1);

-- Consent texts that were replaced: forms that were open meanwhile still send them.
CREATE TABLE former_consent_texts (
    website_id  TEXT NOT NULL,
    text        TEXT NOT NULL,
    replaced_at INTEGER NOT NULL
) STRICT;
CREATE INDEX former_consent_texts_of_website ON former_consent_texts (website_id, replaced_at);
