//! Which websites' forms are taken, and from whose pages.
//!
//! What the form takes is in `capture`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::exchange::Exchange;
use super::requirement::Requirement;
use super::steps_capture::request;
use super::steps_lists::{self, List};
use super::verdict::{Halt, Verdict, ensure};

const FORM: &[Capability] = &[Capability::LeadForm];
const PAUSED: &[Capability] = &[Capability::LeadForm, Capability::InactiveWebsite];
const LISTED: &[Capability] = &[Capability::LeadForm, Capability::Websites];
const SOURCE: &str = "openapi.yaml, x-capture";
const ALLOWED: &str = "access-control-allow-origin";

/// An origin that is nobody's.
const FOREIGN: &str = "https://elsewhere.invalid";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must("capture.website.unknown", "The form of an unknown website is 404.", SOURCE, unknown)
            .needs(FORM),
        Requirement::must("capture.website.paused", "The form of a paused website is 403.", SOURCE, paused)
            .needs(PAUSED),
        Requirement::must(
            "capture.origin.foreign",
            "Cross-origin calls are allowed from the website's own origin only: another is not let in.",
            SOURCE,
            foreign,
        )
        .needs(FORM),
        Requirement::must(
            "capture.origin.own",
            "Cross-origin calls are allowed from the website's own origin, also after a preflight.",
            SOURCE,
            own,
        )
        .needs(LISTED),
    ]
}

fn person(context: &Context) -> Value {
    json!({ "email": format!("{}@example.com", context.fresh("origin")) })
}

async fn unknown(context: Context, _: Value) -> Verdict {
    let form = request(&context, "POST", &context.fresh("web_unknown"))?;
    demand::status(&*context.send(form.json(&person(&context))).await?, 404)
}

async fn paused(context: Context, _: Value) -> Verdict {
    let website_id = context.facts().inactive_website_id.clone().unwrap_or_default();
    let form = request(&context, "POST", &website_id)?;
    demand::status(&*context.send(form.json(&person(&context))).await?, 403)
}

/// What the form and the question before it are answered to a page of `origin`.
async fn asked(context: &Context, origin: &str) -> Result<[std::sync::Arc<Exchange>; 2], Halt> {
    let website_id = &context.facts().website_id;
    let form = request(context, "POST", website_id)?.json(&person(context)).header("origin", origin);
    let question = request(context, "OPTIONS", website_id)?
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type");
    Ok([context.send(form).await?, context.send(question).await?])
}

async fn foreign(context: Context, _: Value) -> Verdict {
    for answer in asked(&context, FOREIGN).await? {
        // A server may name the one origin that it lets in, whoever asks.
        let allowed = answer.header(ALLOWED).unwrap_or_default();
        let is_let_in = allowed == "*" || allowed == FOREIGN;
        ensure(!is_let_in, format!("no {ALLOWED} for {FOREIGN}"), || allowed.to_owned())?;
    }
    Ok(())
}

async fn own(context: Context, _: Value) -> Verdict {
    let website_id = &context.facts().website_id;
    let found = steps_lists::found(&context, List::named("/websites"), "limit=100", |row| {
        row["website_id"] == website_id.as_str()
    });
    let website = found.await?.into_iter().next();
    let url = website.as_ref().and_then(|website| url::Url::parse(website["url"].as_str()?).ok());
    let Some(url) = url else {
        return Err(Halt::inconclusive("the list of websites does not tell the website's address"));
    };
    let origin = url.origin().ascii_serialization();
    for answer in asked(&context, &origin).await? {
        demand::success(&answer)?;
        let allowed = demand::header(&answer, ALLOWED)?;
        ensure(allowed == origin, format!("{ALLOWED}: {origin}"), || allowed.to_owned())?;
    }
    Ok(())
}
