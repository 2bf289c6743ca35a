//! From whose pages the lead form is taken.

use serde_json::Value;

use crate::check::{Capability, Context, Exchange, Halt, Requirement, Verdict, demand, ensure, header_fields};
use crate::steps::control;
use crate::steps::forms::person;
use crate::steps::lead_form::request;
use crate::steps::lists;
use crate::steps::lists::List;

const SOURCE: &str = "openapi.yaml, capture_lead";

const FORM: &[Capability] = &[Capability::LEAD_FORM];

const LISTED: &[Capability] = &[Capability::LEAD_FORM, Capability::WEBSITES];

const ALLOWED: &str = "access-control-allow-origin";

/// An origin that is nobody's.
const FOREIGN: &str = "https://elsewhere.invalid";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "capture.origin.foreign",
            "The lead form allows cross-origin calls from the website's own origin only: Access-Control-Allow-Origin names no other origin and is not *.",
            SOURCE,
            foreign,
        )
        .needs(FORM),
        Requirement::must(
            "capture.origin.own",
            "The lead form allows cross-origin calls from the website's own origin, in the preflight and in the call itself; the preflight allows POST with Content-Type.",
            SOURCE,
            own,
        )
        .needs(LISTED),
    ]
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
    control::captured(&context).await
}

async fn own(context: Context, _: Value) -> Verdict {
    let website_id = &context.facts().website_id;
    let found =
        lists::found(&context, List::named("/websites"), "limit=100", |row| row["website_id"] == website_id.as_str());
    let website = found.await?.into_iter().next();
    let url = website.as_ref().and_then(|website| url::Url::parse(website["url"].as_str()?).ok());
    let Some(url) = url else {
        return Err(Halt::inconclusive("the list of websites does not tell the website's address"));
    };
    let origin = url.origin().ascii_serialization();
    let [form, question] = asked(&context, &origin).await?;
    for answer in [&form, &question] {
        demand::success(answer)?;
        let allowed = demand::header(answer, ALLOWED)?;
        ensure(allowed == origin, format!("{ALLOWED}: {origin}"), || allowed.to_owned())?;
    }
    for (header, wanted) in [("access-control-allow-methods", "POST"), ("access-control-allow-headers", "content-type")]
    {
        let allowed = header_fields::joined(&question.headers, header);
        let mut elements = header_fields::elements(&allowed).into_iter();
        ensure(elements.any(|element| element.eq_ignore_ascii_case(wanted)), format!("{wanted} in {header}"), || {
            allowed.clone()
        })?;
    }
    Ok(())
}
