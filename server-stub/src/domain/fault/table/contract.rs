//! Slips in the form of successful answers.

broken! { "contract":
    METADATA_DOTS: "metadata-dots", "Dots and dollars in names of metadata become underscores.", ["generate.metadata.names-kept"];
    METADATA_PROTO: "metadata-proto", "The name __proto__ in metadata is lost.", ["generate.metadata.names-kept"];
    JOB_TIMES_LOCAL: "job-times-local", "Times of jobs are those of the clock on the wall, labelled Z.", ["jobs.times.real"];
    ARTICLE_TIMES_LOCAL: "article-times-local", "Times of articles are those of the clock on the wall, labelled Z.", ["articles.times.real"];
    GENERATE_IS_200: "generate-is-200", "POST /generate is answered 200.", ["generate.valid.accepted"];
    JOB_ID_AS_ID: "job-id-as-id", "The answer calls the job's id `id`.", ["generate.documented.accepted"];
    JOB_ID_NUMBER: "job-id-number", "The answer's job_id is a number.", ["generate.documented.accepted"];
    STATUS_PENDING: "status-pending", "A queued job is called pending.", ["generate.valid.accepted"];
    TOPIC_TRIMMED: "topic-trimmed", "The topic is trimmed before it is kept.", ["generate.valid.echoed", "jobs.echo.what-was-sent"];
    TOPIC_255: "topic-255", "The topic is kept in a column of 255 characters.", ["generate.valid.echoed", "jobs.echo.what-was-sent"];
    TOPIC_LINES: "topic-lines", "White space within the topic is collapsed.", ["generate.valid.echoed", "jobs.echo.what-was-sent"];
    METADATA_LOWER: "metadata-lower", "Names in metadata are kept in lower case.", ["articles.echo.what-was-sent", "jobs.echo.what-was-sent"];
    METADATA_TRIMMED: "metadata-trimmed", "Values in metadata are trimmed.", ["articles.echo.what-was-sent", "jobs.echo.what-was-sent"];
    METADATA_EMPTY: "metadata-empty", "Empty values in metadata are dropped.", ["articles.echo.what-was-sent", "jobs.echo.what-was-sent"];
    SAME_TOPIC_SAME_JOB: "same-topic-same-job", "Equal requests are taken for repeats, also without an idempotency key.", ["generate.job-id.unique"];
    NO_LOCATION: "no-location", "The 202 has no Location.", ["generate.valid.named"];
    LOCATION_OF_POST: "location-of-post", "Location names the pipeline entry where it should name the job.", ["generate.valid.named"];
    NO_RETRY_AFTER: "no-retry-after", "The 202 has no Retry-After.", ["generate.valid.retry-after"];
    RETRY_AFTER_0: "retry-after-0", "Retry-After of the 202 is 0.", ["generate.valid.retry-after"];
    UNIX_TIMES: "unix-times", "created_at of the 202 is a number of seconds.", ["answers.generate.schema"];
    LOCAL_TIMES: "local-times", "Times are written with an offset and not in UTC.", ["answers.times.utc"];
    SECOND_TIMES: "second-times", "Times are written without milliseconds.", ["answers.times.utc"];
    METADATA_NULL: "metadata-null", "Empty metadata is null.", ["answers.generate.schema"];
    ATTEMPTS_TEXT: "attempts-text", "The number of a job's attempts is a text.", ["answers.get-job.schema"];
    NO_DONE: "no-done", "A job lacks the member done.", ["answers.get-job.schema"];
    CANCEL_EMPTY: "cancel-empty", "A cancelled job is answered 200 without a body.", ["answers.cancel-job.schema", "jobs.cancel.ends"];
    CANCEL_204: "cancel-204", "A cancelled job is answered 204.", ["jobs.cancel.ends"];
    TAGS_NULL: "tags-null", "Tags of listed articles are null.", ["answers.list-articles.schema"];
    WORDS_TEXT: "words-text", "word_count of an article is a text.", ["answers.get-article.schema"];
    NO_OUTLINE: "no-outline", "An article lacks its outline.", ["answers.get-article.schema"];
    FIELDS_NULL: "fields-null", "A lead without further fields has null in their place.", ["answers.get-lead.schema"];
    LEADS_NO_CONSENT: "leads-no-consent", "Listed leads lack their consent.", ["answers.list-leads.schema"];
    POST_NO_STATUS: "post-no-status", "Pipeline entries lack their status.", ["answers.list-scheduled-posts.schema"];
    WEBSITE_NAMES: "website-names", "Members of websites are written in camel case.", ["answers.list-websites.schema"];
    BARE_ARRAY: "bare-array", "The list of websites is a bare array.", ["answers.list-websites.schema"];
    TEXT_HTML: "text-html", "Answers are labelled text/html.", ["answers.get-job.schema"];
}
