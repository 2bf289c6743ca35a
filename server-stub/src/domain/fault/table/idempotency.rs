//! Slips around `Idempotency-Key`.

broken! { "idempotency":
    KEY_WITH_BLANKS: "key-with-blanks", "Keys may hold blanks.", ["idempotency.key.characters"];
    BARE_ANY: "bare-any", "Bare keys may hold commas, semicolons and backslashes.", ["idempotency.key.characters"];
    QUOTES_COUNTED: "quotes-counted", "The quotes count towards the greatest length of a key.", ["idempotency.key.quoted-longest"];
    ESCAPES_DIFFER: "escapes-differ", "The fingerprint is taken of the text without its white space.", ["idempotency.replay.equal-values"];
    ITEMS_SORTED: "items-sorted", "Lists are sorted for the fingerprint.", ["idempotency.mismatch.order-of-items"];
    IGNORED: "ignored", "The header is ignored.", ["idempotency.replay.same-answer"];
    UNMARKED: "unmarked", "A replay lacks Idempotency-Replayed.", ["idempotency.replay.same-answer"];
    ALL_MARKED: "all-marked", "The first answer is marked as a replay too.", ["idempotency.replay.fresh-headers"];
    REPLAY_IS_200: "replay-is-200", "A replay is answered 200.", ["idempotency.replay.same-answer"];
    REPLAY_NO_LOCATION: "replay-no-location", "A replay has no Location.", ["idempotency.replay.same-answer"];
    REPLAY_CURRENT: "replay-current", "A replay shows the job as it stands now.", ["idempotency.replay.same-answer"];
    REPLAY_REQUEST_ID: "replay-request-id", "A replay repeats the first request id.", ["idempotency.replay.fresh-headers"];
    MISMATCH_REPLAYED: "mismatch-replayed", "Another body under a used key gets the first answer.", ["idempotency.mismatch.refused"];
    MISMATCH_QUEUED: "mismatch-queued", "Another body under a used key makes a job.", ["idempotency.mismatch.refused"];
    MISMATCH_IS_409: "mismatch-is-409", "Another body under a used key is answered 409.", ["idempotency.mismatch.refused"];
    OF_RAW_BYTES: "of-raw-bytes", "The fingerprint is taken of the bytes.", ["idempotency.replay.parsed-body"];
    OF_TOPIC: "of-topic", "The fingerprint is taken of topic and website only.", ["idempotency.mismatch.refused"];
    KEY_LOWER: "key-lower", "Keys are compared without regard to case.", ["idempotency.keys.different-jobs"];
    QUOTES_KEPT: "quotes-kept", "Quotation marks count as part of the key.", ["idempotency.key.quoted"];
    KEY_256: "key-256", "Keys of any length are accepted.", ["idempotency.key.malformed"];
    KEY_128: "key-128", "Keys over 128 characters are refused.", ["idempotency.key.longest"];
    KEY_CUT: "key-cut", "Of a key the first 64 characters count.", ["idempotency.key.longest"];
    KEY_EMPTY: "key-empty", "An empty key counts as none.", ["idempotency.key.malformed"];
    KEY_ANY_BYTE: "key-any-byte", "Keys may hold any characters.", ["idempotency.key.malformed"];
    FIRST_LINE: "first-line", "Of two lines with a key the first counts.", ["idempotency.key.malformed"];
    REFUSALS_KEPT: "refusals-kept", "Refusals are kept and replayed.", ["idempotency.refused.not-stored"];
    RACE: "race", "Between the look-up and the insertion another request fits in.", ["idempotency.concurrent.one-job"];
    CONCURRENT_IS_500: "concurrent-is-500", "A request that meets another with the same key breaks a constraint of the database.", ["idempotency.concurrent.one-job"];
    AFTER_VALIDATION: "after-validation", "The key is looked up after the schema was checked.", ["idempotency.order.before-validation"];
    BEFORE_JSON: "before-json", "The form of the key is checked before the JSON.", ["idempotency.order.before-validation"];
}
