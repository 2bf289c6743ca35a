-- What the attempts at a job used of a language model, as sums; cost_nanodollars is NULL where no price was known. Nothing refers to
-- jobs, which are never deleted: a foreign key would lock them while the schema changes.
CREATE TABLE model_usage (
    job_id           TEXT COLLATE "C" PRIMARY KEY,
    writer           TEXT NOT NULL,
    requests         BIGINT NOT NULL CHECK (requests >= 0),
    failed_requests  BIGINT NOT NULL CHECK (failed_requests >= 0),
    input_tokens     BIGINT NOT NULL CHECK (input_tokens >= 0),
    output_tokens    BIGINT NOT NULL CHECK (output_tokens >= 0),
    cost_nanodollars BIGINT CHECK (cost_nanodollars >= 0),
    is_estimated     BIGINT NOT NULL CHECK (is_estimated IN (0, 1))
);
