//! Unknown ids of leads.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Cases, Context, Request, Requirement, Verdict, demand, ensure};
use crate::steps::control;
use crate::steps::operations::unknown_id;

const LEADS: &[Capability] = &[Capability::LEADS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.unknown.not-found",
            "GET /leads/{lead_id} with an unknown id is answered 404 lead_not_found, or with another 4xx if the id contains NUL, a slash, a semicolon or bytes that are not UTF-8.",
            &[Sentence("There is no such lead."), Sentence("The id is unknown, or the key may not use it.")],
            unknown,
        )
        .needs(LEADS)
        .drawn("unknown ids", Cases::Divided(4), |space, draw| {
            // One id with a sign, however few cases there are.
            if draw.index() == 1 { json!("a,b") } else { unknown_id(space, "get_lead", draw) }
        }),
    ]
}

async fn unknown(context: Context, id: Value) -> Verdict {
    let segment = id.as_str().unwrap_or("x");
    let exchange = context.send(Request::new("get_lead", "GET", &format!("/leads/{segment}"))).await?;
    if may_be_refused_earlier(segment) {
        ensure((400..500).contains(&exchange.status), "a 4xx status", || demand::seen(&exchange))?;
    } else {
        demand::problem(&exchange, 404, &["lead_not_found"])?;
    }
    control::lead(&context).await
}

/// Returns true if a server or a proxy may refuse this segment of a path before the server searches for the id.
fn may_be_refused_earlier(segment: &str) -> bool {
    let decoded = url::form_urlencoded::parse(segment.as_bytes()).next();
    decoded.is_some_and(|(id, _)| id.contains(['\0', '/', ';', char::REPLACEMENT_CHARACTER]))
}

#[cfg(test)]
mod tests {
    use super::may_be_refused_earlier;

    #[test]
    fn only_some_ids_may_be_refused_before_they_are_looked_up() {
        for segment in ["%00", "a%2Fb", "..%2F..", "a;b", "a%3Bb", "%FF%FE", "%C3%28"] {
            assert!(may_be_refused_earlier(segment), "{segment}");
        }
        for segment in ["x", "a,b", "%25", "%F0%9F%98%80", "%27%20OR%201%3D1--", ""] {
            assert!(!may_be_refused_earlier(segment), "{segment}");
        }
    }
}
