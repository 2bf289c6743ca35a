//! Shows a history as text: one line for each call, with a bar for its time.

use std::fmt::Write as _;

use super::explain::Event;

/// Number of characters of the longest bar.
const WIDTH: u64 = 24;

/// Returns the events in the order in which they began, with their clients if there are several. A mark shows the event at the index `marked`.
pub fn diagram<Call: std::fmt::Display, Answer: std::fmt::Display>(
    events: &[Event<Call, Answer>],
    marked: usize,
) -> String {
    let mut order: Vec<usize> = (0..events.len()).collect();
    order.sort_by_key(|at| events[*at].begun);
    let begin = events.iter().map(|event| event.begun).min().unwrap_or_default();
    let ends = events.iter().filter(|event| event.answer.is_some()).map(|event| event.ended);
    let whole = ends.max().unwrap_or_default().saturating_sub(begin).max(1);
    let column = |time: u64| (time.saturating_sub(begin) * (WIDTH - 1) / whole).min(WIDTH - 1);
    let is_alone = events.iter().all(|event| event.client == events[0].client);
    let mut text = String::new();
    for at in order {
        let Event { client, call, answer, begun, ended } = &events[at];
        let from = column(*begun);
        let to = if answer.is_some() { column(*ended) } else { WIDTH - 1 };
        let bar: String = (0..WIDTH).map(|at| if (from..=to).contains(&at) { '=' } else { ' ' }).collect();
        let answer = answer.as_ref().map_or_else(|| "no response".to_owned(), ToString::to_string);
        let mark = if at == marked { " <- contradicts the others" } else { "" };
        let client = if is_alone { String::new() } else { format!("client {client} ") };
        // Writing to a `String` never fails.
        let _ = writeln!(text, "{client}|{bar}| {call}: {answer}{mark}");
    }
    text.truncate(text.trim_end().len());
    text
}
