//! Origins whose pages may send the lead form with a script (CORS).

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Exchange, Halt, Requirement, Verdict, demand, ensure, header_fields};
use crate::steps::forms::person;
use crate::steps::lead_form::request;
use crate::steps::lists::List;
use crate::steps::{control, lists};

const FORM: &[Capability] = &[Capability::LEAD_FORM];

const LISTED: &[Capability] = &[Capability::LEAD_FORM, Capability::WEBSITES];

const ALLOWED: &str = "access-control-allow-origin";

/// An origin that belongs to no website.
const FOREIGN: &str = "https://elsewhere.invalid";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "capture.origin.foreign",
            "The lead form does not allow cross-origin requests from a foreign origin: Access-Control-Allow-Origin contains neither that origin nor *.",
            &[Sentence("No response allows any other origin.")],
            foreign,
        )
        .needs(FORM),
        Requirement::new(
            "capture.origin.own",
            "The lead form allows cross-origin requests from the website's own origin, in the response to the preflight request and to the form; the former allows POST with Content-Type.",
            &[
                Sentence("**Other origins.** A script may send the form from the origin of the website or of the service."),
                Sentence("For such an origin it has `Access-Control-Allow-Origin` with the origin, `Access-Control-Allow-Methods: POST` and `Access-Control-Allow-Headers: content-type`."),
                Sentence("A response to `POST` from such an origin has `Access-Control-Allow-Origin`, too, unless the check of route, method or rate fails."),
            ],
            own,
        )
        .needs(LISTED),
    ]
}

/// Sends a form and its preflight request from a page of `origin`, and returns both responses.
async fn form_and_preflight(context: &Context, origin: &str) -> Result<[std::sync::Arc<Exchange>; 2], Halt> {
    let website_id = &context.facts().website_id;
    let form = request(context, "POST", website_id)?.json(&person(context)).header("origin", origin);
    let preflight = request(context, "OPTIONS", website_id)?
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type");
    Ok([context.send(form).await?, context.send(preflight).await?])
}

async fn foreign(context: Context, _: Value) -> Verdict {
    for response in form_and_preflight(&context, FOREIGN).await? {
        // A server may send its one allowed origin in every response.
        let allowed = response.header(ALLOWED).unwrap_or_default();
        let is_allowed = allowed == "*" || allowed == FOREIGN;
        ensure(!is_allowed, format!("no {ALLOWED} for {FOREIGN}"), || allowed.to_owned())?;
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
        return Err(Halt::inconclusive("the list of websites does not contain the website's address"));
    };
    let origin = url.origin().ascii_serialization();
    let [form, preflight] = form_and_preflight(&context, &origin).await?;
    for response in [&form, &preflight] {
        demand::success(response)?;
        let allowed = demand::header(response, ALLOWED)?;
        ensure(allowed == origin, format!("{ALLOWED}: {origin}"), || allowed.to_owned())?;
    }
    for (header, wanted) in [("access-control-allow-methods", "POST"), ("access-control-allow-headers", "content-type")]
    {
        let allowed = header_fields::joined(&preflight.headers, header);
        let mut elements = header_fields::elements(&allowed).into_iter();
        ensure(elements.any(|element| element.eq_ignore_ascii_case(wanted)), format!("{wanted} in {header}"), || {
            allowed.clone()
        })?;
    }
    Ok(())
}
