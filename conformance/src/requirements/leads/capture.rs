//! A lead that was captured can be read, once, with every letter.

use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::leads::{captured, with_email};
use crate::strategies::Draw;

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("leads.capture.readable", "A captured lead can be retrieved, with e-mail, name and message as they were sent.", "service description, section 1.2; openapi.yaml, Lead", readable)
            .needs(CAPTURE)
            .drawn("names and messages of many scripts", Cases::Divided(8), |_, draw: &mut Draw| {
                if draw.index() == 0 { edge() } else {
                    json!({ "name": draw.value(&crate::strategies::text(1, 60)), "message": draw.value(&crate::strategies::text(1, 300)) })
                }
            })
            .shrinks("", |_, case| ["name", "message"].iter().all(|member| case[*member].as_str().is_some_and(|text| !text.trim().is_empty()))),
        Requirement::must("leads.capture.once", "The same email in the same form of a website makes one lead within ten minutes, whatever the ASCII case: the first form counts.", "openapi.yaml, capture_lead", once).needs(CAPTURE),
    ]
}

/// Long, with letters that forms and pages treat in their own way.
fn edge() -> Value {
    let message = "5 < 6 & \"quoted\" <b>bold</b> \u{1f600} \u{416}\n".repeat(100);
    json!({ "name": " Zo\u{eb}  O'Neill ", "message": message })
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
