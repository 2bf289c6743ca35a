//! Slips around quotas.

broken! { "limits":
    ONE_PURSE: "one-purse", "Requests to generate are charged to the policy api.", ["limits.quota.apart"];
    QUEUED_ANYWAY: "queued-anyway", "A request beyond the quota is queued, and then refused.", ["limits.quota.nothing-queued"];
    UNANNOUNCED: "unannounced", "Answers do not tell the quota.", ["limits.quota.announced", "http.quota.announced"];
    UNANNOUNCED_ON_404: "unannounced-on-404", "Refusals do not tell the quota.", ["http.quota.announced"];
    UNENFORCED: "unenforced", "The quota is told and not enforced.", ["limits.quota.exceeded"];
    ONE_MORE: "one-more", "One request more than the quota gets through.", ["limits.quota.exact"];
    NOT_COUNTED: "not-counted", "What is left never changes.", ["limits.quota.counts-down"];
    CHARGED_TWICE: "charged-twice", "Each request is charged twice.", ["limits.quota.counts-down"];
    NO_RETRY_AFTER: "no-retry-after", "The 429 has no Retry-After.", ["limits.quota.exceeded"];
    RETRY_AFTER_DATE: "retry-after-date", "Retry-After of the 429 is a date.", ["limits.quota.exceeded"];
    RETRY_AFTER_0: "retry-after-0", "Retry-After of the 429 is 0.", ["limits.quota.exceeded"];
    PLAIN_TYPE: "plain-type", "The type of the 429 is about:blank.", ["limits.quota.exceeded"];
    NO_POLICIES: "no-policies", "The 429 lacks violated-policies.", ["limits.quota.exceeded"];
    IS_503: "is-503", "A spent quota is answered 503.", ["limits.quota.exceeded"];
    LOCKED_OUT: "locked-out", "Who exceeds the quota is locked out for longer than Retry-After says.", ["limits.quota.recovers"];
}
