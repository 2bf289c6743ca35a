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
    FORM_FIELDS_LOST: "form-fields-lost", "Further fields of a form are dropped.", ["capture.form.like-json"];
    FORM_UTM_FLAT: "form-utm-flat", "Campaign parameters of a form stay among its fields.", ["capture.form.like-json"];
    CONSENT_LOST: "consent-lost", "What was agreed to is not kept.", ["capture.json.whole"];
    TRAP_IGNORED: "trap-ignored", "Whoever fills the trap leaves a lead all the same.", ["capture.trap.no-lead"];
    TRAP_TOLD: "trap-told", "A filled trap is answered 422.", ["capture.trap.no-lead"];
    TRAP_ANNOUNCED: "trap-announced", "A filled trap leaves no lead and sends a hook.", ["hooks.trap.silent"];
    UNREACHABLE_TAKEN: "unreachable-taken", "A form without e-mail and telephone number is taken.", ["capture.contact.required"];
    NO_BOUNDS: "no-bounds", "Texts of a form may have any length.", ["capture.bounds.refused"];
    FIELDS_UNCOUNTED: "fields-uncounted", "A form may have any number of fields.", ["capture.bounds.refused"];
    BOUNDS_IN_UTF16: "bounds-in-utf16", "The length of a name is counted in UTF-16 units.", ["capture.bounds.maxima"];
    UNKNOWN_WEBSITE_TAKEN: "unknown-website-taken", "A form of an unknown website is answered 202.", ["capture.website.unknown"];
    PAUSED_WEBSITE_TAKEN: "paused-website-taken", "A paused website takes leads.", ["capture.website.paused"];
    SIZE_UNLIMITED: "size-unlimited", "A form may have 64 KiB.", ["capture.size.limit"];
    SIZE_16000: "size-16000", "A form may have 16,000 bytes.", ["capture.size.limit"];
    ID_TOLD: "id-told", "The 202 tells the lead's id.", ["capture.answer.no-id"];
    PHONE_IS_IDENTITY: "phone-is-identity", "Without an e-mail the telephone number tells whether a lead is new.", ["capture.identity.without-email"];
    FORM_IGNORED: "form-ignored", "One person on two forms of a website is one lead.", ["capture.identity.form"];
    KNOWN_LATE: "known-late", "Whether a lead is known is asked of a replica that lags by half a second.", ["capture.identity.racing"];
    ANY_ORIGIN: "any-origin", "Every origin may send the form.", ["capture.origin.foreign"];
    NO_ORIGIN: "no-origin", "Not even the website's own origin may send the form.", ["capture.origin.own"];
    ARTICLE_LOST: "article-lost", "The article of a form is not kept.", ["leads.filter.article-matches"];
    ARTICLE_OF_ANYONE: "article-of-anyone", "A form can name another account's article.", ["leads.filter.foreign-article"];
}
