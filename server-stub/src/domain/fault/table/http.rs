//! Slips at the edge of HTTP.

broken! { "http":
    HEAD_WITHOUT_DATE: "head-without-date", "HEAD of an article has no Last-Modified.", ["http.head.records"];
    HEAD_WITHOUT_LINK: "head-without-link", "HEAD of a page has no Link.", ["http.head.records"];
    HEAD_UNCONDITIONAL: "head-unconditional", "HEAD does not look at If-None-Match.", ["http.head.conditional"];
    HEAD_OF_POST: "head-of-post", "HEAD is answered 200 for every path.", ["http.head.not-for-post"];
    ANY_METHOD: "any-method", "A method that is not known is treated like GET.", ["http.method.unusual"];
    ID_TRIMMED: "id-trimmed", "Blanks around an id are trimmed.", ["ids.near.not-found"];
    ID_TO_NUL: "id-to-nul", "An id ends at its first NUL.", ["ids.near.not-found"];
    ID_CUT: "id-cut", "Of an id as many characters count as ids have.", ["ids.near.not-found"];
    ID_WITHOUT_CASE: "id-without-case", "Ids are found without regard to case.", ["ids.case.distinct"];
    HEADERS_8K: "headers-8k", "The header block may have 8 KiB.", ["http.raw.headers-within"];
    HEADERS_32K: "headers-32k", "The header block may have 32 KiB.", ["http.raw.headers-within"];
    NOT_ACCEPTABLE: "not-acceptable", "Who does not accept JSON is refused.", ["http.accept.disregarded"];
    METHOD_IS_404: "method-is-404", "A wrong method is answered 404.", ["http.method.not-allowed"];
    NO_ALLOW: "no-allow", "The 405 has no Allow.", ["http.method.not-allowed"];
    ALLOW_WITHOUT_HEAD: "allow-without-head", "Allow lacks HEAD.", ["http.method.not-allowed"];
    OPTIONS_204: "options-204", "OPTIONS is answered 204.", ["http.method.not-allowed"];
    HEAD_IS_405: "head-is-405", "HEAD is not answered.", ["http.head.like-get"];
    HEAD_WITHOUT_TAG: "head-without-tag", "HEAD has no ETag.", ["http.head.like-get"];
    TRAILING_SLASH: "trailing-slash", "A slash at the end of a path is ignored.", ["http.route.unknown"];
    PATH_WITHOUT_CASE: "path-without-case", "Paths are found without regard to case.", ["http.route.unknown"];
    DOUBLE_SLASH: "double-slash", "Two slashes count as one.", ["http.route.unknown"];
    ANY_VERSION: "any-version", "Every version in the path is served.", ["http.route.unknown"];
    UNKNOWN_IS_HTML: "unknown-is-html", "An unknown path is answered with a page.", ["http.route.unknown"];
    KEY_BEFORE_ROUTE: "key-before-route", "The key is checked before the path.", ["http.order.route-first"];
    ID_ENCODED: "id-encoded", "Ids in paths are not decoded.", ["http.id.percent-encoded"];
    BODY_ON_GET: "body-on-get", "A GET with a body is refused.", ["http.body.ignored-on-get"];
    NO_REQUEST_ID: "no-request-id", "Answers have no X-Request-Id.", ["http.request-id.present"];
    CLIENT_REQUEST_ID: "client-request-id", "The client's X-Request-Id is taken over.", ["http.request-id.own"];
    SAME_REQUEST_ID: "same-request-id", "All requests of a connection have one id.", ["http.request-id.own"];
    ID_BREAKS: "id-breaks", "An id that is no UTF-8 makes the handler panic.", ["jobs.unknown.not-found"];
    LONG_ID_BREAKS: "long-id-breaks", "A long id is too long for a column.", ["jobs.unknown.not-found", "articles.unknown.not-found"];
    EMOJI_BREAKS: "emoji-breaks", "A topic beyond the basic plane breaks the database.", ["generate.valid.accepted"];
    QUOTE_BREAKS: "quote-breaks", "An apostrophe in the topic breaks the statement.", ["http.server-error.documented"];
    UNKNOWN_IS_410: "unknown-is-410", "An unknown job is answered 410.", ["http.status.documented", "jobs.unknown.not-found"];
    HEADERS_UNLIMITED: "headers-unlimited", "Headers have no limit.", ["http.raw.headers-too-large"];
    HEADERS_ARE_400: "headers-are-400", "Headers that are too large are answered 400.", ["http.raw.headers-too-large"];
    SLOW_QUEUE: "slow-queue", "POST /generate takes six seconds.", ["generate.documented.at-once"];
}
