//! Slips in what is sent to receivers.

broken! { "hooks":
    ARTICLE_BEFORE: "article-before", "The payload shows the article as it was before it was published.", ["hooks.article.same-as-read"];
    SLUG_ANEW: "slug-anew", "The payload's slug is made anew from the title.", ["hooks.article.same-as-read"];
    POST_IS_JOB: "post-is-job", "scheduled_post_id of the payload is the job's id.", ["hooks.article.names-origin"];
    TIMESTAMP_LOCAL: "timestamp-local", "timestamp is that of the clock on the wall, labelled Z.", ["hooks.times.real"];
    LEAD_UNSENT: "lead-unsent", "A captured lead sends nothing.", ["hooks.lead.sent"];
    ARTICLE_UNSENT: "article-unsent", "A published article sends nothing.", ["hooks.article.sent"];
    ARTICLE_EARLY: "article-early", "The hook of an article is sent before the API shows it published.", ["hooks.article.readable"];
    LEAD_EARLY: "lead-early", "The hook of a lead is sent before the API shows it.", ["hooks.lead.readable"];
    DRAFT_SENT: "draft-sent", "A finished draft is announced as published.", ["hooks.article.not-before"];
    IS_PUT: "is-put", "Hooks are sent with PUT.", ["hooks.request.json-post"];
    IS_TEXT: "is-text", "Hooks are labelled text/plain.", ["hooks.request.json-post"];
    ONE_TYPE: "one-type", "Every event has the same type.", ["hooks.payload.schema"];
    NO_API_VERSION: "no-api-version", "Payloads lack api_version.", ["hooks.payload.schema"];
    FLAT_DATA: "flat-data", "The lead stands in data without its name.", ["hooks.payload.schema"];
    TEXT_LATIN: "text-latin", "Letters outside of Latin-1 are lost in payloads.", ["hooks.lead.text-survives"];
    TEXT_CUT: "text-cut", "The message is cut at 255 characters in payloads.", ["hooks.lead.text-survives"];
    BURST_COALESCED: "burst-coalesced", "Of leads within the same second one is announced.", ["hooks.lead.burst"];
    WITH_CONTENT: "with-content", "Payloads carry the article's text.", ["hooks.payload.small"];
    SECRET_IN_PAYLOAD: "secret-in-payload", "Payloads repeat the secret.", ["hooks.payload.no-secrets"];
    SIGNED_REWRITTEN: "signed-rewritten", "The signature is made over JSON that is written anew.", ["hooks.signature.verifies"];
    SIGNED_HEX: "signed-hex", "The signature is written in hexadecimal digits.", ["hooks.signature.verifies"];
    SIGNED_WITHOUT_ID: "signed-without-id", "The id is not signed.", ["hooks.signature.verifies"];
    SIGNED_WITHOUT_TIME: "signed-without-time", "The time is not signed.", ["hooks.signature.verifies"];
    SIGNED_WITH_TEXT: "signed-with-text", "The secret's text is the key, not what it encodes.", ["hooks.signature.verifies"];
    TIME_IN_MILLIS: "time-in-millis", "webhook-timestamp is in milliseconds.", ["hooks.signature.timestamp"];
    TIME_ISO: "time-iso", "webhook-timestamp is written like a time in JSON.", ["hooks.signature.timestamp"];
    NO_ID: "no-id", "webhook-id is missing.", ["hooks.signature.headers"];
    ID_WITH_DOT: "id-with-dot", "webhook-id holds a dot.", ["hooks.signature.id"];
    ID_OF_DELIVERY: "id-of-delivery", "webhook-id is the delivery's and not the event's.", ["hooks.signature.id"];
    ID_OF_ATTEMPT: "id-of-attempt", "webhook-id differs from attempt to attempt.", ["hooks.retry.same-event"];
    BODY_OF_ATTEMPT: "body-of-attempt", "The payload tells the number of the attempt.", ["hooks.retry.same-event"];
    TIME_OF_EVENT: "time-of-event", "All attempts have the timestamp of the event.", ["hooks.retry.same-event"];
    FILTER_IGNORED: "filter-ignored", "Every endpoint gets every event.", ["hooks.registration.filter"];
    FORMER_DROPPED: "former-dropped", "After a rotation only the new secret signs.", ["hooks.secret.rotation"];
    FORMER_ONLY: "former-only", "After a rotation the former secret signs alone until it ends.", ["hooks.secret.rotation"];
    AGAIN_UNSENT: "again-unsent", "A redelivery is promised and not made.", ["hooks.delivery.redelivered"];
    GAPS_SHRINK: "gaps-shrink", "After the first retry the pauses are a second.", ["hooks.retry.gaps"];
    PRIVATE_REGISTERED: "private-registered", "Private addresses are registered.", ["hooks.registration.private-addresses"];
    ANY_CERTIFICATE: "any-certificate", "Certificates are not checked.", ["hooks.delivery.untrusted-certificate"];
    ONLY_200: "only-200", "Only 200 counts as success.", ["hooks.delivery.any-2xx"];
    REDIRECTS: "redirects", "Redirects are followed.", ["hooks.delivery.no-permanent-redirects"];
    REPEAT_SENT: "repeat-sent", "A repeated form is announced again.", ["hooks.lead.one-event"];
    SOURCE_UNTOLD: "source-untold", "The hook of a lead does not tell where it came from.", ["hooks.lead.same-as-api"];
    ID_OF_ENDPOINT: "id-of-endpoint", "webhook-id differs from endpoint to endpoint.", ["hooks.lead.same-everywhere"];
}
