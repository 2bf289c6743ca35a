//! Slips in reading JSON.

broken! { "json":
    ESCAPED_TWIN: "escaped-twin", "Names are compared before their escapes are resolved.", ["generate.json.malformed"];
    LOW_SURROGATE: "low-surrogate", "An unpaired low surrogate becomes a replacement character.", ["generate.json.malformed"];
    DEPTH_129: "depth-129", "Nesting of one level more than the limit is read.", ["generate.json.malformed"];
    EXPONENT_WHOLE: "exponent-whole", "A number with an exponent is an integer when its value is whole.", ["generate.json.number-forms"];
    BIG_IS_MALFORMED: "big-is-malformed", "Integers beyond 64 bits are taken for malformed JSON.", ["generate.json.number-forms"];
    LAST_MEMBER_WINS: "last-member-wins", "Of two members with the same name the last wins.", ["generate.json.malformed"];
    BYTE_ORDER_MARK: "byte-order-mark", "A byte order mark is skipped.", ["generate.json.malformed"];
    LONE_SURROGATE: "lone-surrogate", "An unpaired surrogate becomes a replacement character.", ["generate.json.malformed"];
    ANY_DEPTH: "any-depth", "Nesting has no limit.", ["generate.json.malformed"];
    DEPTH_16: "depth-16", "Nesting over 16 levels is refused.", ["generate.unknown-members.ignored"];
    TRAILING_TEXT: "trailing-text", "What follows the JSON value is ignored.", ["generate.json.malformed"];
    TRAILING_COMMA: "trailing-comma", "A comma before a closing brace is accepted.", ["generate.json.malformed"];
    LOSSY_UTF8: "lossy-utf8", "Bytes that are no UTF-8 are replaced.", ["generate.json.malformed"];
    NOT_AN_OBJECT: "not-an-object", "A body that is no object is treated like an empty one.", ["generate.json.malformed"];
    EMPTY_BODY: "empty-body", "An empty body is treated like an empty object.", ["generate.json.malformed"];
    RAW_CONTROLS: "raw-controls", "Control characters may stand unescaped in strings.", ["generate.json.malformed"];
    LEADING_ZERO: "leading-zero", "Numbers may begin with zeros.", ["generate.json.malformed"];
    IS_422: "is-422", "A body that is no JSON is answered 422.", ["generate.json.malformed"];
}
