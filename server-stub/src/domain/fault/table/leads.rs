//! Slips around leads.

broken! { "leads":
    TIMES_LOCAL: "times-local", "Times of leads are those of the clock on the wall, labelled Z.", ["leads.times.real"];
    CONSENT_LOCAL: "consent-local", "The time of consent is that of the visitor's clock, labelled Z.", ["leads.times.real"];
    TWICE: "twice", "A repeated form makes a second lead.", ["leads.capture.once"];
    EMAIL_WITH_CASE: "email-with-case", "Two spellings of an address are two people.", ["leads.capture.once"];
    LAST_WINS: "last-wins", "A repeated form overwrites the lead.", ["leads.capture.once"];
    EMAIL_LOWER: "email-lower", "The address is kept in lower case.", ["leads.capture.readable"];
    NAME_TRIMMED: "name-trimmed", "The name is trimmed and its white space collapsed.", ["leads.capture.readable"];
    MESSAGE_100: "message-100", "The message is cut at 100 characters.", ["leads.capture.readable"];
    MESSAGE_ASCII: "message-ascii", "Letters outside of Latin-1 are lost.", ["leads.capture.readable"];
    MESSAGE_ESCAPED: "message-escaped", "The message is escaped for HTML.", ["leads.capture.readable"];
    WITH_ADDRESS: "with-address", "The visitor's address is kept among the fields.", ["leads.privacy.no-address"];
    WITH_AGENT: "with-agent", "The visitor's browser is kept among the fields.", ["leads.privacy.no-address"];
    CACHEABLE: "cacheable", "Leads may be kept by caches.", ["leads.cache.no-store"];
    SINGLE_DIFFERS: "single-differs", "A single lead lacks its message.", ["leads.get.same-as-list"];
    UNKNOWN_IS_EMPTY: "unknown-is-empty", "An unknown lead is answered 200 with an empty object.", ["leads.unknown.not-found"];
    UNKNOWN_IS_400: "unknown-is-400", "An id that does not look like one is answered 400.", ["leads.unknown.not-found"];
    OLDEST_FIRST: "oldest-first", "Leads come oldest first.", ["leads.list.newest-first"];
    LOST: "lost", "Every second lead is lost.", ["leads.capture.readable"];
}
