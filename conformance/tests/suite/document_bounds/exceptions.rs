//! Bounds of the document that change no check, each with the reason.

/// Bounds that no run can observe.
pub(super) const UNSEEN: &[(&str, &str)] = &[
    ("/components/headers/X-Request-Id/required", "every answer must carry it, also those that are not described"),
    ("/components/responses/RequestTimeout/x-codes/0", "the default response has the same code"),
    ("/components/responses/FormNotFound/x-codes/0", "the default response has the same code"),
    ("/components/responses/ConfirmationNotFound/x-codes/0", "the default response has the same code"),
    ("/components/responses/FormOtherProblem/x-codes/0", "the 404 of each form has the same code"),
    ("/components/schemas/LeadForm/properties/email/pattern", "says what that of LeadCapture says, or nothing"),
    ("/components/schemas/LeadForm/properties/_elapsed/pattern", "says in digits what LeadCapture says as a number"),
    ("/x-limits/publish_ahead/maximum", "says in years what x-max-ahead of publish_at says"),
    ("/x-limits/slots_ahead/maximum", "slots are set in the dashboard"),
    ("/x-limits/rate_api/maximum", "a server announces its own number in RateLimit-Policy, which it is held to"),
    ("/x-limits/rate_api/window_seconds", "a server announces its own window in RateLimit-Policy, which it is held to"),
    ("/x-limits/rate_generate/maximum", "a server announces its own number in RateLimit-Policy, which it is held to"),
    (
        "/x-limits/rate_generate/window_seconds",
        "a server announces its own window in RateLimit-Policy, which it is held to",
    ),
    ("/x-limits/page_rate/maximum", "using up the quota of an address would delay other callers"),
    ("/x-limits/page_rate/window_seconds", "using up the quota of an address would delay other callers"),
    ("/x-limits/unfinished_jobs_per_account/maximum", "takes five hundred jobs that do not end"),
    ("/x-limits/long_polls/maximum", "a server may answer any request that waits at once"),
    ("/x-limits/publishing_attempts/maximum", "takes a website that fails"),
    ("/x-limits/hook_endpoints/maximum", "endpoints are made in the dashboard"),
    ("/x-limits/former_consent_texts/maximum", "takes a week"),
    ("/x-limits/unconfirmed_leads/maximum", "takes a month"),
];

/// Entries of `x-limits` and bounds of the form with flat names that repeat a schema's bound with the same number. The suite checks the
/// schema's bound.
pub(super) const TWINS: &[(&str, &str)] = &[
    ("/x-limits/topic_length/minimum", "/components/schemas/GenerateRequest/properties/topic/x-trimmed-length/min"),
    ("/x-limits/topic_length/maximum", "/components/schemas/GenerateRequest/properties/topic/x-trimmed-length/max"),
    ("/x-limits/website_id_length/minimum", "/components/schemas/GenerateRequest/properties/website_id/minLength"),
    ("/x-limits/website_id_length/maximum", "/components/schemas/GenerateRequest/properties/website_id/maxLength"),
    ("/x-limits/keywords/maximum", "/components/schemas/GenerateRequest/properties/keywords/maxItems"),
    ("/x-limits/keyword_length/minimum", "/components/schemas/GenerateRequest/properties/keywords/items/minLength"),
    ("/x-limits/keyword_length/maximum", "/components/schemas/GenerateRequest/properties/keywords/items/maxLength"),
    ("/x-limits/target_word_count/minimum", "/components/schemas/GenerateRequest/properties/target_word_count/minimum"),
    ("/x-limits/target_word_count/maximum", "/components/schemas/GenerateRequest/properties/target_word_count/maximum"),
    ("/x-limits/metadata_members/maximum", "/components/schemas/Metadata/maxProperties"),
    ("/x-limits/metadata_name_length/minimum", "/components/schemas/Metadata/x-key-length/min"),
    ("/x-limits/metadata_name_length/maximum", "/components/schemas/Metadata/x-key-length/max"),
    ("/x-limits/metadata_value_length/maximum", "/components/schemas/Metadata/additionalProperties/maxLength"),
    ("/x-limits/publishing_slots/maximum", "/components/schemas/Website/properties/publishing_slots/maxItems"),
    ("/x-limits/page_size/minimum", "/components/parameters/Limit/schema/minimum"),
    ("/x-limits/page_size/maximum", "/components/parameters/Limit/schema/maximum"),
    ("/x-limits/page_size/default", "/components/parameters/Limit/schema/default"),
    ("/x-limits/consent_text_length/minimum", "/components/schemas/WebsiteLeadForm/properties/consent_text/minLength"),
    ("/x-limits/consent_text_length/maximum", "/components/schemas/WebsiteLeadForm/properties/consent_text/maxLength"),
    ("/x-limits/capture_fields/maximum", "/components/schemas/LeadFields/maxProperties"),
    (
        "/components/schemas/LeadForm/properties/email/maxLength",
        "/components/schemas/LeadCapture/properties/email/maxLength",
    ),
    (
        "/components/schemas/LeadForm/properties/name/maxLength",
        "/components/schemas/LeadCapture/properties/name/maxLength",
    ),
    (
        "/components/schemas/LeadForm/properties/company/maxLength",
        "/components/schemas/LeadCapture/properties/company/maxLength",
    ),
    (
        "/components/schemas/LeadForm/properties/phone/maxLength",
        "/components/schemas/LeadCapture/properties/phone/maxLength",
    ),
    (
        "/components/schemas/LeadForm/properties/message/maxLength",
        "/components/schemas/LeadCapture/properties/message/maxLength",
    ),
    (
        "/components/schemas/LeadForm/properties/article_id/maxLength",
        "/components/schemas/LeadCapture/properties/article_id/maxLength",
    ),
    (
        "/components/schemas/LeadForm/properties/page_url/maxLength",
        "/components/schemas/LeadCaptureSource/properties/page_url/maxLength",
    ),
    (
        "/components/schemas/LeadForm/properties/referrer/maxLength",
        "/components/schemas/LeadCaptureSource/properties/referrer/maxLength",
    ),
    (
        "/components/schemas/LeadForm/properties/form_id/maxLength",
        "/components/schemas/LeadCaptureSource/properties/form_id/maxLength",
    ),
    (
        "/components/schemas/LeadForm/properties/consent_text/maxLength",
        "/components/schemas/LeadCaptureConsent/properties/text/maxLength",
    ),
];
