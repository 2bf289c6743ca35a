//! Slips in the bodies of refusals.

broken! { "problems":
    NO_DETAIL: "no-detail", "Problems lack their detail.", ["problems.members.complete"];
    UNKNOWN_BARE: "unknown-bare", "The problem of a path that is no route has code, status and title only.", ["problems.members.complete"];
    TYPE_BLANK: "type-blank", "The type of every problem is about:blank.", ["problems.type.names-code"];
    TYPE_OF_STATUS: "type-of-status", "The type names the status and not the code.", ["problems.type.names-code"];
    PLACE_MISSING: "place-missing", "A malformed query is refused without saying which parameter.", ["problems.errors.one-place"];
    PLACE_TWICE: "place-twice", "A fault of the body names the member as a parameter too.", ["problems.errors.one-place"];
    FIELD_CODE_OWN: "field-code-own", "Faults of members have codes of the validation library.", ["problems.errors.known-code"];
    HEADER_AS_POINTER: "header-as-pointer", "A malformed header is named like a member of the body.", ["problems.errors.header-named"];
    PLAIN_JSON: "plain-json", "Problems are labelled application/json.", ["problems.body.media-type"];
    TEXT: "text", "Problems are plain text.", ["problems.body.media-type", "problems.body.schema"];
    NO_STATUS: "no-status", "Problems lack their status.", ["problems.body.schema"];
    STATUS_TEXT: "status-text", "The status in a problem is a text.", ["problems.body.schema"];
    STATUS_400: "status-400", "The status in a problem is always 400.", ["problems.body.schema"];
    ERRORS_TEXTS: "errors-texts", "errors is a list of texts.", ["generate.invalid.required", "problems.body.schema"];
    TITLE_VARIES: "title-varies", "The title repeats the detail.", ["problems.code.table"];
    CODE_UPPER: "code-upper", "Codes are written in capitals.", ["problems.code.table"];
    CODE_HYPHENS: "code-hyphens", "Codes are written with hyphens.", ["problems.code.table"];
    REQUEST_ID_OTHER: "request-id-other", "request_id is made anew for the body.", ["problems.request-id.same"];
    INSTANCE_QUERY: "instance-query", "instance holds the query too.", ["problems.instance.path"];
    CACHEABLE: "cacheable", "Problems may be kept by caches.", ["problems.cache.no-store"];
    INTERNALS: "internals", "The detail shows the statement that found nothing.", ["problems.detail.no-internals"];
    NOT_FOUND_EMPTY: "not-found-empty", "An unknown job is answered 404 without a body.", ["jobs.unknown.not-found"];
}
