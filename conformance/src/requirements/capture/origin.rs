//! Origins whose pages may send the lead form with a script (CORS).

use serde_json::Value;
use url::Url;

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
            "The lead form allows cross-origin requests from the website's own origin, in the response to the preflight request and to the form, also if that is refused; the former is 204 and allows POST with Content-Type.",
            &[
                Sentence("**Other origins.** A script may send the form from an origin of the website or of the service."),
                Sentence("An origin of the website is that of its `url`, and the same with `www.` before the domain added or removed, if both domains have two or more labels: `https://example.com` and `https://www.example.com` are one website."),
                Sentence("`OPTIONS` answers 204."),
                Sentence("For such an origin it has `Access-Control-Allow-Origin` with the origin, `Access-Control-Allow-Methods: POST` and `Access-Control-Allow-Headers: content-type`."),
                Sentence("A response to `POST` from such an origin has `Access-Control-Allow-Origin`, too, unless the check of route, method or rate fails."),
            ],
            own,
        )
        .needs(LISTED),
        Requirement::new(
            "capture.origin.www",
            "The lead form allows cross-origin requests from the website's origin with www. added to the domain or removed from it, but not with another label or scheme.",
            &[
                Sentence("An origin of the website is that of its `url`, and the same with `www.` before the domain added or removed, if both domains have two or more labels: `https://example.com` and `https://www.example.com` are one website."),
                Sentence("No response allows any other origin."),
            ],
            www,
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

/// Returns the address of the website under test.
async fn address(context: &Context) -> Result<Url, Halt> {
    let website_id = &context.facts().website_id;
    let found =
        lists::found(context, List::named("/websites"), "limit=100", |row| row["website_id"] == website_id.as_str());
    let website = found.await?.into_iter().next();
    let url = website.as_ref().and_then(|website| Url::parse(website["url"].as_str()?).ok());
    url.ok_or_else(|| Halt::inconclusive("the list of websites does not contain the website's address"))
}

async fn www(context: Context, _: Value) -> Verdict {
    let url = address(&context).await?;
    let domain = url.domain().filter(|domain| domain.trim_start_matches("www.").contains('.'));
    let Some(domain) = domain else {
        return Err(Halt::inconclusive("the website's address has no domain of two or more labels"));
    };
    let other = domain.strip_prefix("www.").map_or_else(|| format!("www.{domain}"), str::to_owned);
    let with_host = |host: &str| {
        let mut url = url.clone();
        url.set_host(Some(host)).map(|()| url.origin().ascii_serialization())
    };
    for (host, is_own) in [(other.clone(), true), (format!("shop.{domain}"), false), (format!("ww.{domain}"), false)] {
        let origin = with_host(&host).map_err(|_| Halt::inconclusive("the domain is too long for another label"))?;
        for response in form_and_preflight(&context, &origin).await? {
            let allowed = response.header(ALLOWED).unwrap_or_default();
            let wanted = if is_own { format!("{ALLOWED}: {origin}") } else { format!("no {ALLOWED} for {origin}") };
            ensure((allowed == origin) == is_own, wanted, || allowed.to_owned())?;
        }
    }
    Ok(())
}

async fn own(context: Context, _: Value) -> Verdict {
    let origin = address(&context).await?.origin().ascii_serialization();
    let [form, preflight] = form_and_preflight(&context, &origin).await?;
    let wrong = |media_type: &str| {
        let form = request(&context, "POST", &context.facts().website_id)?;
        Ok::<_, Halt>(form.bytes(media_type, b"{}".to_vec()).header("origin", &origin))
    };
    let invalid = context.send(wrong("application/json")?).await?;
    let unknown = context.send(wrong("text/plain")?).await?;
    for (response, status) in [(&form, 202), (&preflight, 204), (&invalid, 422), (&unknown, 415)] {
        demand::status(response, status)?;
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
