-- What all processes together have leased of quotas. PostgreSQL only: an SQLite file is served by one process, which counts in its
-- memory. UNLOGGED, because a window lasts a minute: a lease costs no write to disk, and after a crash of PostgreSQL the windows begin
-- anew. subject is the id of a key, or what stands for an address.
CREATE UNLOGGED TABLE quota_windows (
    policy  TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    length  BIGINT NOT NULL CHECK (length > 0),
    ends_at BIGINT NOT NULL,
    leased  BIGINT NOT NULL CHECK (leased >= 0),
    granted BIGINT NOT NULL,
    PRIMARY KEY (policy, subject, length)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX quota_windows_ended ON quota_windows (ends_at);
