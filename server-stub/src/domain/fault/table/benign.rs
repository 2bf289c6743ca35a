//! Servers that are correct and different: every requirement of their profile must let them pass.

macro_rules! benign {
    ($($constant:ident: $profile:ident, $name:literal, $description:literal;)+) => {
        $(
            #[doc = concat!("`benign.", $name, "`")]
            pub const $constant: $crate::domain::fault::Fault = $crate::domain::fault::Fault {
                name: concat!("benign.", $name),
                area: "benign",
                description: $description,
                kind: $crate::domain::fault::Kind::Benign($crate::domain::fault::Profile::$profile),
            };
        )+
        pub(super) const ALL: &[$crate::domain::fault::Fault] = &[$($constant),+];
    };
}

benign! {
    IDS_UPPER: Full, "ids-upper", "Ids are written in capitals.";
    IDS_LONG: Full, "ids-long", "Ids have a hundred characters, with every one that needs no encoding.";
    PRETTY: Full, "pretty", "JSON is written over many lines.";
    REVERSED: Full, "reversed", "Members come in the opposite order.";
    ASCII: Full, "ascii", "JSON is written in ASCII, everything else escaped.";
    CHUNKED: Full, "chunked", "Bodies come in many small chunks.";
    EXTRA_MEMBERS: Full, "extra-members", "Every object has members that the document does not name.";
    EXTRA_HEADERS: Full, "extra-headers", "Answers carry headers of a proxy, a cookie and a policy.";
    NULLS_LEFT_OUT: Full, "nulls-left-out", "Members that are null are left out.";
    SLOW: Full, "slow", "Every answer takes a twentieth of a second longer.";
    SLOW_WRITER: Full, "slow-writer", "Every article takes half a second.";
    FAILING_JOBS: Full, "failing-jobs", "Every fourth job fails, as jobs may.";
    OTHER_TAGS: Full, "other-tags", "Entity tags are long and hold a comma.";
    TITLE_CASE: Full, "title-case", "Names of headers are written with capitals.";
    NO_KEEP_ALIVE: Full, "no-keep-alive", "Each connection is closed after one answer, as announced.";
    CHARSET: Full, "charset", "Media types carry a charset.";
    ABSOLUTE: Full, "absolute", "Location, Content-Location and Link are whole URLs.";
    IN_FLIGHT: Full, "in-flight", "A repeat that meets the first request is answered 409 idempotency_in_flight.";
    SHORT_PAGES: Full, "short-pages", "Pages hold fewer rows than they may.";
    EMPTY_PAGES: Full, "empty-pages", "The last page is an empty one behind the last row.";
    OTHER_TOKENS: Full, "other-tokens", "Page tokens hold plus signs, slashes and equals signs.";
    NO_PREFERENCE_APPLIED: Full, "no-preference-applied", "Preference-Applied is never sent.";
    LONG_RETRY_AFTER: Full, "long-retry-after", "Retry-After asks for a longer pause.";
    SPARSE_PROBLEMS: Full, "sparse-problems", "Problems lack instance.";
    RICH_PROBLEMS: Full, "rich-problems", "Problems have members of the server's own.";
    LISTS_REVALIDATED: Full, "lists-revalidated", "Lists of what is not personal are private, no-cache.";
    TWO_POLICIES: Full, "two-policies", "A second, longer quota is told beside the first.";
    TWO_CHALLENGES: Full, "two-challenges", "The challenge has more parameters.";
    ALLOW_SPACED: Full, "allow-spaced", "Allow is written in another order and with more spaces.";
    TWO_SIGNATURES: Full, "two-signatures", "Hooks carry a signature of another version and one of a secret that is being replaced.";
    HOOK_EXTRAS: Full, "hook-extras", "Hooks carry further headers and members.";
    HOOK_PRETTY: Full, "hook-pretty", "Payloads of hooks are written over many lines.";
    HOOK_LATE: Full, "hook-late", "Hooks leave half a second later.";
    IS_200: Core, "is-200", "POST /generate is answered 200.";
    IS_201: Core, "is-201", "POST /generate is answered 201.";
    ONLY_JOB_ID: Core, "only-job-id", "POST /generate is answered with the job's id alone.";
    ERRORS_HTML: Core, "errors-html", "Refusals are pages for people.";
    ERRORS_EMPTY: Core, "errors-empty", "Refusals have no body.";
    ERRORS_400: Core, "errors-400", "Every refusal is a 400.";
    KEYS_403: Core, "keys-403", "A missing and a wrong key are answered 403.";
    DOCUMENTED_ONLY: Core, "documented-only", "There are only the two documented operations.";
    BARE_ARTICLE: Core, "bare-article", "An article is a title and a text, under names of its own.";
}
