-- For each `IN` of three values or more SQLite builds a table in memory, fills it and throws it away, and does so for every row that is
-- checked: three of them for a new job. Comparisons say the same and cost next to nothing. SQLite's documentation of ALTER TABLE
-- tells in "Making Other Kinds Of Table Schema Changes" how to change a check without copying its table. The changes of indexes below make
-- every open connection read the schema again with its next statement.
PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(sql,
    'status IN (''active'', ''paused'', ''archived'')',
    'status = ''active'' OR status = ''paused'' OR status = ''archived''')
WHERE type = 'table' AND name = 'websites';

UPDATE sqlite_schema SET sql = replace(replace(sql,
    'status IN (''queued'', ''in_progress'', ''completed'', ''failed'', ''cancelled'')',
    'status = ''queued'' OR status = ''in_progress'' OR status = ''completed'' OR status = ''failed'' OR status = ''cancelled'''),
    'status IN (''completed'', ''failed'', ''cancelled'')',
    'status = ''completed'' OR status = ''failed'' OR status = ''cancelled''')
WHERE type = 'table' AND name = 'jobs';

UPDATE sqlite_schema SET sql = replace(sql,
    'status IN
        (''queued'', ''generating'', ''ready'', ''scheduled'', ''publishing'', ''published'', ''failed'', ''cancelled'')',
    'status = ''queued'' OR status = ''generating'' OR status = ''ready'' OR status = ''scheduled'' OR
        status = ''publishing'' OR status = ''published'' OR status = ''failed'' OR status = ''cancelled''')
WHERE type = 'table' AND name = 'scheduled_posts';

UPDATE sqlite_schema SET sql = replace(sql,
    'status IN (''draft'', ''scheduled'', ''published'', ''archived'')',
    'status = ''draft'' OR status = ''scheduled'' OR status = ''published'' OR status = ''archived''')
WHERE type = 'table' AND name = 'articles';

UPDATE sqlite_schema SET sql = replace(sql,
    'status IN (''active'', ''paused'', ''disabled'')',
    'status = ''active'' OR status = ''paused'' OR status = ''disabled''')
WHERE type = 'table' AND name = 'hook_endpoints';

-- resume_status first: its name ends like that of the other column.
UPDATE sqlite_schema SET sql = replace(replace(replace(sql,
    'resume_status IN (''pending'', ''succeeded'', ''failed'', ''exhausted'')',
    'resume_status = ''pending'' OR resume_status = ''succeeded'' OR resume_status = ''failed'' OR resume_status = ''exhausted'''),
    'status IN (''pending'', ''succeeded'', ''failed'', ''exhausted'')',
    'status = ''pending'' OR status = ''succeeded'' OR status = ''failed'' OR status = ''exhausted'''),
    'kind IN (''scheduled'', ''manual'', ''test'')',
    'kind = ''scheduled'' OR kind = ''manual'' OR kind = ''test''')
WHERE type = 'table' AND name = 'deliveries';

UPDATE sqlite_schema SET sql = replace(sql,
    'kind IN (''scheduled'', ''manual'', ''test'')',
    'kind = ''scheduled'' OR kind = ''manual'' OR kind = ''test''')
WHERE type = 'table' AND name = 'attempts';

PRAGMA writable_schema = RESET;

-- A new job asks how many jobs of its account have not ended. So only the account's websites that have any are read.
DROP INDEX queue_depths_account;
CREATE INDEX queue_depths_busy ON queue_depths (account_id) WHERE unfinished > 0;

-- A claim counts what is in flight to each endpoint. With the time in the index it reads no delivery for that.
DROP INDEX deliveries_leased;
CREATE INDEX deliveries_leased ON deliveries (endpoint_id, run_at) WHERE lease_token IS NOT NULL;
