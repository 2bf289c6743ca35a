//! Bodies that are not acceptable JSON: truncated, doubled, too deep, not UTF-8, not an object.
//!
//! JSON that breaks the schema is in `breakage`.

/// One malformed body.
#[derive(Debug, Clone)]
pub struct Malformed {
    /// Description of the fault.
    pub name: &'static str,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Returns every kind of malformed body, derived from the valid JSON object `good`. A body may be nested `depth` levels deep.
pub fn malformed_bodies(good: &str, depth: usize) -> Vec<Malformed> {
    let inner = good.trim().trim_start_matches('{').trim_end_matches('}');
    let with = |member: &str| format!("{{{inner},{member}}}").into_bytes();
    let deep = |levels: usize| with(&format!("\"deep\":{}1{}", "[".repeat(levels), "]".repeat(levels)));
    let mut truncated = good.as_bytes().to_vec();
    truncated.pop();
    let mut latin = b"{\"extra\":\"caf\xe9\",".to_vec();
    latin.extend_from_slice(inner.as_bytes());
    latin.push(b'}');
    let marked = ["\u{feff}", good].concat().into_bytes();
    [
        ("empty body", Vec::new()),
        ("only white space", b"  \n".to_vec()),
        ("truncated", truncated),
        ("trailing comma", format!("{{{inner},}}").into_bytes()),
        ("trailing text", format!("{good} x").into_bytes()),
        ("two values", format!("{good}{good}").into_bytes()),
        ("single quotes", b"{'topic':'a'}".to_vec()),
        ("a comment", format!("/* a */ {good}").into_bytes()),
        ("NaN", with("\"extra\":NaN")),
        ("leading zero", with("\"extra\":01")),
        ("bare word", b"topic".to_vec()),
        ("an array", format!("[{good}]").into_bytes()),
        ("a string", b"\"topic\"".to_vec()),
        ("a number", b"1".to_vec()),
        ("null", b"null".to_vec()),
        ("true", b"true".to_vec()),
        ("a member twice", with("\"topic\":\"again\"")),
        ("a member twice below", with("\"extra\":{\"a\":1,\"a\":2}")),
        ("a member twice, once escaped", with("\"\\u0074opic\":\"again\"")),
        ("a byte order mark", marked),
        ("an unpaired surrogate", with("\"extra\":\"\\ud800\"")),
        ("an unpaired low surrogate", with("\"extra\":\"\\udc00\"")),
        ("a pair of surrogates the wrong way round", with("\"extra\":\"\\udc00\\ud800\"")),
        ("an unpaired surrogate in a name", with("\"ex\\ud83dtra\":1")),
        ("a raw control character", with("\"extra\":\"a\u{1}b\"")),
        ("a bad escape", with("\"extra\":\"\\x41\"")),
        ("not UTF-8", latin),
        // The surrounding object is the first level.
        ("nesting one level too deep", deep(depth)),
        ("nesting too deep", deep(depth + 72)),
        ("very deep nesting", deep(depth * 78)),
    ]
    .into_iter()
    .map(|(name, bytes)| Malformed { name, bytes })
    .collect()
}
