//! Captured leads can be read: one for each person and form, with the texts unchanged.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::Source::{Fact, Sentence};
use crate::check::{Capability, Cases, Context, Requirement, Source, Verdict, demand, ensure};
use crate::steps;
use crate::steps::lead_form::is_marked;
use crate::steps::leads::{captured, with_email};
use crate::strategies::Draw;

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

const READABLE: &[Source] = &[
    Fact("1.2"),
    Fact("4.3"),
    Sentence("Lists the captured leads, newest first by `captured_at`, then by `id`."),
    Sentence("Its texts are as the form sent them, untrimmed; only `phone` may have another form."),
];

const ONCE: &[Source] = &[
    Sentence(
        "Forms with the same website, `form_id` and `email` (in any ASCII case) within ten minutes make one lead: the first.",
    ),
    Sentence("Time in which forms with the same `form_id` and `email` make one lead."),
    Sentence("A form that looks like spam and one that does not never make one lead."),
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.capture.readable",
            "A captured lead can be retrieved, with email, name and message as they were sent, if the form of the set-up has them. A form other than the one of the document may trim them and change the case of email.",
            READABLE,
            readable,
        )
        .needs(CAPTURE)
        .drawn("names and messages in many writing systems", Cases::Divided(8), |_, draw: &mut Draw| {
            if draw.index() == 0 {
                edge()
            } else {
                json!({
                    "name": draw.value(&crate::strategies::text(1, 60)),
                    "message": draw.value(&crate::strategies::text(1, 300)),
                })
            }
        }),
        Requirement::new(
            "leads.capture.once",
            "The same email in the same form of a website makes one lead within ten minutes, whatever its ASCII letter case: the first form counts.",
            ONCE,
            once,
        )
        .needs(CAPTURE),
    ]
}

/// Returns a long message and a name, with characters that forms and pages often change.
fn edge() -> Value {
    let message = "5 < 6 & \"quoted\" <b>bold</b> \u{1f600} \u{416}\n".repeat(100);
    json!({ "name": " Zo\u{eb}  O'Neill ", "message": message })
}

async fn readable(context: Context, case: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("Lead"));
    let name = case["name"].as_str().unwrap_or("Robin");
    let message = case["message"].as_str().unwrap_or("hello");
    let lead = captured(&context, &email, name, message).await?;
    for (field, sent) in [("email", email.as_str()), ("name", name), ("message", message)] {
        ensure_kept(&context, &lead, field, sent)?;
    }
    demand::same("website_id", &json!(context.facts().website_id), &lead["website_id"])
}

/// Demands that a field of the lead is unchanged, if the form of the set-up has it.
fn ensure_kept(context: &Context, lead: &Value, field: &str, sent: &str) -> Verdict {
    let facts = context.facts();
    let placeholder = format!("{{{field}}}");
    let is_sent = facts.capture.as_ref().is_some_and(|capture| {
        let is_in_json = capture.json.as_ref().is_some_and(|body| body.to_string().contains(&placeholder));
        is_in_json || capture.form.iter().flatten().any(|(_, value)| value.contains(&placeholder))
    });
    if !is_sent {
        return Ok(());
    }
    if facts.capabilities.contains(&Capability::LEAD_FORM) {
        return demand::same(field, &json!(sent), &lead[field]);
    }
    let plain = |text: &str| if field == "email" { text.trim().to_ascii_lowercase() } else { text.trim().to_owned() };
    let kept = lead[field].as_str().unwrap_or_default();
    demand::same(field, &json!(plain(sent)), &json!(plain(kept)))
}

async fn once(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("lead"));
    let first = captured(&context, &email, "First", "one").await?;
    steps::capture(&context, &email, "Second", "two").await?;
    steps::capture(&context, &email.to_uppercase(), "Third", "three").await?;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let leads = with_email(&context, &email).await?;
    let alike: Vec<&Value> = leads.iter().filter(|lead| is_marked(lead) == is_marked(&first)).collect();
    ensure(alike.len() == 1, "one lead with this spam.suspected", || format!("{} leads", alike.len()))?;
    ensure_kept(&context, alike[0], "name", "First")
}
