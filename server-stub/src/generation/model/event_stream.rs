//! Parses a response as JSON objects: one, or those of server-sent events. Only `data` fields of events are used.

use serde_json::Value;

/// Maximum number of attempts to parse an event before the empty line that ends it.
const MAX_TRIES: u32 = 16;

/// Returns the JSON objects of a response and ignores its `Content-Type`: one object, or the events of a stream. `None` for anything
/// else.
pub(super) fn objects(body: &str) -> Option<Vec<Value>> {
    let body = body.trim_start_matches('\u{feff}').trim();
    if body.starts_with('{') { Some(vec![serde_json::from_str(body).ok()?]) } else { events(body) }
}

/// Returns the JSON data of all events, or `None` if the text is not an event stream. Skips data that is not JSON, such as
/// `[DONE]`.
fn events(text: &str) -> Option<Vec<Value>> {
    let mut events = Vec::new();
    let mut data = String::new();
    let mut is_stream = false;
    // Parsing an unfinished event takes time proportional to its length.
    let mut tries = 0;
    for line in text.lines().chain([""]) {
        if line.is_empty() {
            events.extend(serde_json::from_str(&data).ok());
            data.clear();
            tries = 0;
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        match field {
            "data" => {
                is_stream = true;
                // Some endpoints send events without an empty line between them.
                if tries < MAX_TRIES {
                    tries += 1;
                    if let Ok(whole) = serde_json::from_str(&data) {
                        events.push(whole);
                        data.clear();
                        tries = 0;
                    }
                }
                data.push_str(value.strip_prefix(' ').unwrap_or(value));
            }
            "" | "event" | "id" | "retry" => {}
            _ => return None,
        }
    }
    is_stream.then_some(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_with_and_without_empty_lines_between_them() {
        let text = ": hello\n\nevent: a\ndata: {\"n\":1}\n\ndata:{\"n\":2}\ndata: {\"n\":3}\n\ndata: [DONE]\n\n";
        let numbers: Vec<_> = events(text).unwrap().iter().map(|event| event["n"].as_u64()).collect();
        assert_eq!(numbers, [Some(1), Some(2), Some(3)]);
    }

    #[test]
    fn text_that_is_not_an_event_stream_is_none() {
        assert_eq!(events("<html>\n<p>Bad gateway</p>"), None);
        assert_eq!(events(""), None);
    }
}
