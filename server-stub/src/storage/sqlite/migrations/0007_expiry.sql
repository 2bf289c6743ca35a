-- Jobs expire by jobs_expiry now, and every new job pays for each index. One process serves a file, so no older one misses this index.
DROP INDEX jobs_deadline;
