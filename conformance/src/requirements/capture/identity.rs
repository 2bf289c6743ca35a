//! Identity of leads: captures that make one lead, and captures that make several.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Halt, Requirement, Source, Verdict, demand, ensure};
use crate::steps::lead_form::{awaited, captured, is_marked, send, settle, taken};

const FORM: &[Capability] = &[Capability::LEADS, Capability::LEAD_FORM];

const SAME_LEAD: Source = Sentence(
    "Forms with the same website, `form_id` and `email` (in any ASCII case) within ten minutes make one lead: the first.",
);

const SPAM_APART: Source = Sentence("A form that looks like spam and one that does not never make one lead.");

const STORED: Source = Sentence("Takes the form of a published page and stores a lead.");

/// Number of equal forms that are sent at the same moment.
const AT_ONCE: usize = 6;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.identity.without-email",
            "Lead forms without email are never repeats: each one makes a lead.",
            &[Sentence("Without `email` each form makes a new lead.")],
            without_email,
        )
        .needs(FORM),
        Requirement::new(
            "capture.identity.form",
            "The same email with different values of form_id makes one lead for each value, and one for the forms without form_id.",
            &[
                SAME_LEAD,
                STORED,
                SPAM_APART,
                Sentence("Two forms without `form_id` count as the same form."),
                Sentence("Forms with the same name and e-mail address may make one lead."),
            ],
            other_form,
        )
        .needs(FORM),
        Requirement::new(
            "capture.identity.racing",
            "Equal lead forms that are sent at the same moment make one lead, unless only some of them look like spam.",
            &[SAME_LEAD, SPAM_APART],
            racing,
        )
        .needs(FORM),
        Requirement::new(
            "capture.identity.plus",
            "Email addresses that differ in the part after a plus sign are different: each makes a lead.",
            &[SAME_LEAD, STORED],
            plus,
        )
        .needs(FORM),
        Requirement::new(
            "capture.identity.other-letters",
            "Email addresses are equal if they differ only in the case of ASCII letters: \u{c9} and \u{e9} make two leads.",
            &[SAME_LEAD, STORED],
            other_letters,
        )
        .needs(FORM),
        Requirement::new(
            "capture.identity.consent",
            "A repeated lead form does not change the lead: consent stays as the first form gave it.",
            &[SAME_LEAD, SPAM_APART, Sentence("The lead keeps the shown text unchanged.")],
            consent,
        )
        .needs(FORM),
    ]
}

/// Demands that `count` leads mention `marker`, after a later lead can be read. Only leads with an equal `spam.suspected` count together,
/// because forms that look like spam make separate leads.
async fn ensure_count(context: &Context, marker: &str, count: usize) -> Verdict {
    settle(context).await?;
    let leads = awaited(context, marker, count).await?;
    let marked = leads.iter().filter(|lead| is_marked(lead)).count();
    let most = marked.max(leads.len() - marked);
    ensure(most <= count, format!("{count} leads"), || format!("{most} leads with the same spam.suspected"))
}

async fn without_email(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("caller");
    for _ in 0..2 {
        taken(&context, &json!({ "phone": "+442079460001", "name": marker })).await?;
    }
    ensure_count(&context, &marker, 2).await
}

async fn other_form(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("forms");
    let email = format!("{marker}@example.com");
    for form in ["footer", "sidebar", "footer"] {
        taken(&context, &json!({ "email": email, "source": { "form_id": form } })).await?;
    }
    taken(&context, &json!({ "email": email })).await?;
    ensure_count(&context, &marker, 3).await
}

async fn racing(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("racing");
    let body = json!({ "email": format!("{marker}@example.com"), "source": { "form_id": "footer" } });
    let calls = (0..AT_ONCE).map(|_| taken(&context, &body));
    futures::future::try_join_all(calls).await?;
    ensure_count(&context, &marker, 1).await
}

async fn plus(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("plus");
    for tag in ["one", "two"] {
        taken(&context, &json!({ "email": format!("{marker}+{tag}@example.com") })).await?;
    }
    ensure_count(&context, &marker, 2).await
}

async fn other_letters(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("letters");
    for letter in ["\u{c9}", "\u{e9}"] {
        let response = send(&context, &json!({ "email": format!("{letter}{marker}@example.com") })).await?;
        if response.status == 422 {
            return Err(Halt::inconclusive("an e-mail with letters beyond ASCII is refused"));
        }
        demand::status(&response, 202)?;
    }
    ensure_count(&context, &marker, 2).await
}

async fn consent(context: Context, _: Value) -> Verdict {
    let marker = context.fresh("consent");
    let email = format!("{marker}@example.com");
    let first = json!({ "email": email, "consent": { "given": false, "text": "First words." } });
    let lead = captured(&context, &marker, &first).await?;
    taken(&context, &json!({ "email": email, "consent": { "given": true, "text": "Second words." } })).await?;
    settle(&context).await?;
    let leads = awaited(&context, &marker, 1).await?;
    for kept in leads.iter().filter(|other| is_marked(other) == is_marked(&lead)) {
        for field in ["given", "text"] {
            demand::same(&format!("consent/{field}"), &first["consent"][field], &kept["consent"][field])?;
        }
    }
    Ok(())
}
