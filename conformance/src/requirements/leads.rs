//! Leads: what was captured can be read, once, with every letter.
//!
//! Hooks about leads are in `hooks`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Request;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::steps_lists::{self, List};
use super::verdict::{Halt, Verdict, ensure};
use crate::strategies::{Draw, hostile_id};

const LEADS: &[Capability] = &[Capability::Leads];
const CAPTURE: &[Capability] = &[Capability::Leads, Capability::Capture];

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("leads.capture.readable", "A captured lead can be retrieved, with e-mail, name and message as they were sent.", "service description, section 1.2; openapi.yaml, Lead", readable)
            .needs(CAPTURE)
            .drawn("names and messages of many scripts", Cases::Divided(8), |_, draw: &mut Draw| {
                if draw.index() == 0 { edge() } else {
                    json!({ "name": draw.value(&crate::strategies::text(1, 60)), "message": draw.value(&crate::strategies::text(1, 300)) })
                }
            })
            .shrinks("", |_, case| ["name", "message"].iter().all(|member| case[*member].as_str().is_some_and(|text| !text.trim().is_empty()))),
        Requirement::must("leads.get.same-as-list", "GET /leads/{lead_id} answers with the row of the list.", "openapi.yaml, get_lead", same_as_list).needs(CAPTURE),
        Requirement::must("leads.capture.once", "Intake is idempotent by website, form and e-mail, case of ASCII letters aside, for ten minutes: one lead, the first one wins.", "openapi.yaml, x-capture", once).needs(CAPTURE),
        Requirement::must("leads.list.newest-first", "Leads come newest first by capture.", "openapi.yaml, list_leads", newest_first).needs(CAPTURE),
        Requirement::must("leads.filter.half-open", "captured_since <= t < captured_until: a lead is in the range that begins at its own time, not in the one that ends there.", "openapi.yaml, list_leads", half_open).needs(CAPTURE),
        Requirement::must("leads.unknown.not-found", "An id that names no lead is 404 lead_not_found.", "openapi.yaml, x-problem-codes", unknown)
            .needs(LEADS)
            .drawn("ids that name nothing", Cases::Divided(4), |_, draw: &mut Draw| json!(draw.value(&hostile_id()))),
        Requirement::must("leads.cache.no-store", "Leads are personal data: served with Cache-Control: no-store.", "RFC 9111, section 5.2.2.5; openapi.yaml, list_leads", no_store).needs(LEADS),
    ]
}

/// Long, with letters that forms and pages treat in their own way.
fn edge() -> Value {
    let message = "5 < 6 & \"quoted\" <b>bold</b> \u{1f600} \u{416}\n".repeat(100);
    json!({ "name": " Zo\u{eb}  O'Neill ", "message": message })
}

/// Captures a lead and waits until it can be read.
pub(super) async fn captured(context: &Context, email: &str, name: &str, message: &str) -> Result<Value, Halt> {
    steps::capture(context, email, name, message).await?;
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        if let Some(lead) = with_email(context, email).await?.into_iter().next() {
            return Ok(lead);
        }
        if Instant::now() >= deadline {
            return Err(Halt::fail("the captured lead in the list within 5 s", format!("none with e-mail {email}")));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn with_email(context: &Context, email: &str) -> Result<Vec<Value>, Halt> {
    let list = List::named("/leads");
    let query = format!("limit=100&website_id={}", steps::segment(&context.facts().website_id));
    let page = steps_lists::page(context, list, &query).await?;
    let rows = steps_lists::rows(demand::json(&page)?);
    let same = |row: &&Value| row["email"].as_str().is_some_and(|text| text.eq_ignore_ascii_case(email));
    Ok(rows.iter().filter(same).cloned().collect())
}

async fn readable(context: Context, case: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("Lead"));
    let name = case["name"].as_str().unwrap_or("Robin");
    let message = case["message"].as_str().unwrap_or("hello");
    let lead = captured(&context, &email, name, message).await?;
    demand::same("email", &json!(email), &lead["email"])?;
    demand::same("name", &json!(name), &lead["name"])?;
    demand::same("message", &json!(message), &lead["message"])?;
    demand::same("website_id", &json!(context.facts().website_id), &lead["website_id"])
}

async fn same_as_list(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("lead"));
    let lead = captured(&context, &email, "Robin Reader", "hello").await?;
    let id = demand::text(&lead, "id")?;
    let one = context.send(Request::new("get_lead", "GET", &format!("/leads/{id}"))).await?;
    demand::status(&one, 200)?;
    demand::same("the lead", &lead, demand::json(&one)?)
}

async fn once(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("lead"));
    captured(&context, &email, "First", "one").await?;
    steps::capture(&context, &email, "Second", "two").await?;
    steps::capture(&context, &email.to_uppercase(), "Third", "three").await?;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let leads = with_email(&context, &email).await?;
    ensure(leads.len() == 1, "one lead", || format!("{} leads", leads.len()))?;
    demand::same("name", &json!("First"), &leads[0]["name"])
}

async fn newest_first(context: Context, _: Value) -> Verdict {
    let older = format!("{}@example.com", context.fresh("older"));
    let newer = format!("{}@example.com", context.fresh("newer"));
    captured(&context, &older, "Robin", "older").await?;
    captured(&context, &newer, "Robin", "newer").await?;
    // The same form again is the lead that there is, captured when it was.
    steps::capture(&context, &older, "Robin", "older").await?;
    let page = steps_lists::page(&context, List::named("/leads"), "limit=100").await?;
    let times: Vec<&str> =
        steps_lists::rows(demand::json(&page)?).iter().filter_map(|row| row["captured_at"].as_str()).collect();
    let sorted = times.windows(2).all(|pair| pair[0] >= pair[1]);
    ensure(sorted && !times.is_empty(), "captured_at that never grows down the page", || times.join(" "))
}

async fn half_open(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("range"));
    let lead = captured(&context, &email, "Robin", "range").await?;
    let at = demand::text(&lead, "captured_at")?;
    let at: String = url::form_urlencoded::byte_serialize(at.as_bytes()).collect();
    let id = &lead["id"];
    for (query, expected) in [
        (format!("limit=100&captured_since={at}"), true),
        (format!("limit=100&captured_until={at}"), false),
        (format!("limit=100&captured_since={at}&captured_until=2199-01-01T00%3A00%3A00Z"), true),
        (format!("limit=100&captured_since=2199-01-01T00%3A00%3A00Z&captured_until={at}"), false),
    ] {
        let page = steps_lists::page(&context, List::named("/leads"), &query).await?;
        let found = steps_lists::rows(demand::json(&page)?).iter().any(|row| row["id"] == *id);
        let word = if expected { "in" } else { "not in" };
        ensure(found == expected, format!("the lead {word} the page of {query}"), || demand::seen(&page))?;
    }
    Ok(())
}

async fn unknown(context: Context, id: Value) -> Verdict {
    let path = format!("/leads/{}", id.as_str().unwrap_or("x"));
    demand::problem(&*context.send(Request::new("get_lead", "GET", &path)).await?, 404, &["lead_not_found"])
}

async fn no_store(context: Context, _: Value) -> Verdict {
    let page = steps_lists::page(&context, List::named("/leads"), "limit=1").await?;
    let control = demand::header(&page, "cache-control")?;
    ensure(control.contains("no-store"), "Cache-Control: no-store", || control.to_owned())
}
