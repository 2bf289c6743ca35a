//! Reading leads: the list, single leads, unknown ids and caching.

use serde_json::{Value, json};

use crate::check::Source::{Sentence, Standard};
use crate::check::{
    About as _, Capability, Cases, Context, Exchange, Halt, Request, Requirement, Verdict, demand, ensure,
    header_fields,
};
use crate::steps::leads::captured;
use crate::steps::lists::List;
use crate::steps::operations::unknown_id;
use crate::steps::times::{moment, written_at};
use crate::steps::{self, control, lists};

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

const LEADS: &[Capability] = &[Capability::LEADS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.list.newest-first",
            "The list of leads is sorted by captured_at, newest first.",
            &[
                Sentence("Lists the captured leads, newest first by `captured_at`, then by `id`."),
                Sentence("A change does not move a lead."),
            ],
            newest_first,
        )
        .needs(CAPTURE),
        Requirement::new(
            "leads.get.same-as-list",
            "GET /leads/{lead_id} returns the lead with the same fields of the document as the list.",
            &[
                Sentence("Each lead is complete, as `get_lead` returns it."),
                Sentence("Returns one lead in its current state."),
                Sentence("`null` and an absent field mean the same."),
            ],
            same_as_list,
        )
        .needs(CAPTURE),
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
        Requirement::new(
            "leads.cache.no-store",
            "The list of leads and a single lead have Cache-Control: no-store, or private and no-cache if they have an ETag.",
            &[
                Sentence("`private, no-cache` with an `ETag`; `no-store` or `private, no-cache` for successes of cancel and of lists other than leads; `no-store` in all other responses, also in errors."),
                Standard("RFC 9111", "5.2.2.5"),
            ],
            no_store,
        )
        .needs(LEADS),
    ]
}

async fn newest_first(context: Context, _: Value) -> Verdict {
    let older = format!("{}@example.com", context.fresh("older"));
    let newer = format!("{}@example.com", context.fresh("newer"));
    captured(&context, &older, "Robin", "older").await?;
    captured(&context, &newer, "Robin", "newer").await?;
    // Resubmitting a form returns the existing lead with its original `captured_at`.
    steps::capture(&context, &older, "Robin", "older").await?;
    let rows = lists::found(&context, List::named("/leads"), "limit=100", |_| true).await?;
    let times = rows.iter().map(|row| moment(row, "captured_at")).collect::<Result<Vec<_>, Halt>>()?;
    if times.is_empty() {
        return Err(Halt::inconclusive("the first pages of the list have no lead"));
    }
    ensure(times.is_sorted_by(|one, next| one >= next), "captured_at that never increases down the list", || {
        times.iter().map(|time| written_at(*time)).collect::<Vec<_>>().join(" ")
    })
}

async fn same_as_list(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("lead"));
    let lead = captured(&context, &email, "Robin Reader", "hello").await?;
    let one = context.send(steps::get_lead(demand::text(&lead, "id")?)).await?;
    demand::status(&one, 200)?;
    demand::same("the lead", &documented(&context, &lead), &documented(&context, demand::json(&one)?))
}

/// Returns the fields of a lead that are in the document, without null ones.
fn documented(context: &Context, lead: &Value) -> Value {
    let properties = &context.document().schema("Lead")["properties"];
    let fields = lead.as_object().into_iter().flatten().filter(|(name, _)| properties.get(name.as_str()).is_some());
    steps::without_nulls(&Value::Object(fields.map(|(name, value)| (name.clone(), value.clone())).collect()))
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

async fn no_store(context: Context, _: Value) -> Verdict {
    let page = lists::page(&context, List::named("/leads"), "limit=1").await?;
    ensure_not_stored(&page)?;
    let Some(lead) = lists::rows(demand::json(&page)?).first() else { return Ok(()) };
    let one = context.send(steps::get_lead(demand::text(lead, "id")?)).await?;
    demand::status(&one, 200)?;
    ensure_not_stored(&one)
}

fn ensure_not_stored(response: &Exchange) -> Verdict {
    let control = header_fields::joined(&response.headers, "cache-control");
    let has = |name: &str| header_fields::has_directive(&control, name);
    let is_validated = response.headers.contains_key("etag") && has("private") && has("no-cache");
    ensure(has("no-store") || is_validated, "Cache-Control: no-store", || control.clone()).about(response)
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
