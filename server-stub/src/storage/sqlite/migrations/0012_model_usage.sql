-- What the attempts at a job used of a language model, as sums; cost_nanodollars is NULL where no price was known. A table of its own,
-- because most jobs use none, and whoever adds to it does not wait for the job's row. Jobs are never deleted, so nothing refers to them.
CREATE TABLE model_usage (
    job_id           TEXT PRIMARY KEY,
    writer           TEXT NOT NULL,
    requests         INTEGER NOT NULL CHECK (requests >= 0),
    failed_requests  INTEGER NOT NULL CHECK (failed_requests >= 0),
    input_tokens     INTEGER NOT NULL CHECK (input_tokens >= 0),
    output_tokens    INTEGER NOT NULL CHECK (output_tokens >= 0),
    cost_nanodollars INTEGER CHECK (cost_nanodollars >= 0),
    is_estimated     INTEGER NOT NULL CHECK (is_estimated = 0 OR is_estimated = 1)
) WITHOUT ROWID;
