//! The forms of headers.

use serde_json::Value;

use crate::check::link::Link;
use crate::check::{Context, Exchange, Finding, Request, Requirement, Verdict, header_fields, link as links};
use crate::spec::Document;
use crate::steps;
use crate::steps::observing::call_each_operation;

/// The requirement that the header `name`, in lower case, keeps `form` in every answer, and is there where the document requires it.
pub(crate) fn keeps_form(
    id: &'static str,
    name: &'static str,
    form: fn(&str) -> bool,
    clause: &'static str,
    source: &'static str,
) -> Requirement {
    Requirement::must(id, clause, source, headers)
        .observing(move |document, _, exchange| form_kept(document, exchange, name, form, clause))
}

fn form_kept(
    document: &Document,
    exchange: &Exchange,
    name: &str,
    form: fn(&str) -> bool,
    clause: &str,
) -> Option<Result<(), Finding>> {
    let header = document.operation(exchange.request.operation?)?.answer_header(exchange.status, name)?;
    let is_there = exchange.headers.contains_key(name);
    if !is_there && !header.required {
        return None;
    }
    // Lists may be spread over lines; of what is no list, two lines keep no form.
    let value = header_fields::joined(&exchange.headers, name);
    let seen = if is_there { format!("{name}: {value}") } else { format!("no {name}") };
    let fault = |expected: String| Err(Finding::new(expected, format!("{seen} in {}", exchange.line())));
    if !is_there || !form(&value) {
        return Some(fault(clause.trim_end_matches('.').to_owned()));
    }
    let keeps = document.fits(&header.schema, &typed(&header.schema, &value));
    Some(if keeps { Ok(()) } else { fault(format!("{name} that keeps its schema {}", header.schema)) })
}

/// The text of a header as the type that its schema has.
fn typed(schema: &Value, text: &str) -> Value {
    let number = || text.parse::<i64>().ok().filter(|_| schema["type"] == "integer");
    number().map_or_else(|| Value::from(text), Value::from)
}

/// Calls each operation, and what makes an answer carry the rarer headers.
pub(crate) async fn headers(context: Context, case: Value) -> Verdict {
    call_each_operation(context.clone(), case).await?;
    let body = steps::quiet_request(&context, "A tour of headers");
    let key = context.fresh("headers");
    let request = || steps::generate(&body).header("idempotency-key", key.clone());
    let queued = context.send(request()).await?;
    context.send(request()).await?;
    context.send(Request::new("list_articles", "DELETE", "/articles")).await?;
    let Some(job_id) = queued.json().and_then(|body| body["job_id"].as_str()) else {
        return Ok(());
    };
    // How the job ends is not to be judged here.
    let _ = steps::finished(&context, job_id).await;
    context.send(steps::get_article(job_id)).await.map(|_| ())
}

/// One entity tag in double quotes, not a weak one.
pub(crate) fn strong_tag(value: &str) -> bool {
    let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|tag| !tag.is_empty() && tag.bytes().all(|byte| byte > b' ' && byte != b'"' && byte != 0x7f))
}

/// A date in the preferred form of RFC 9110, section 5.6.7.
pub(crate) fn http_date(value: &str) -> bool {
    chrono::NaiveDateTime::parse_from_str(value, "%a, %d %b %Y %H:%M:%S GMT").is_ok()
}

/// A URI reference.
pub(crate) fn reference(value: &str) -> bool {
    let is_plain = |byte: u8| byte > b' ' && byte < 0x7f && !b"<>\"{}|\\^`".contains(&byte);
    let base = url::Url::parse("http://target.invalid/").expect("a constant URL");
    !value.is_empty() && value.bytes().all(is_plain) && base.join(value).is_ok()
}

/// Links with relations, of which one is `next`.
pub(crate) fn link(value: &str) -> bool {
    let are_links = |links: Vec<Link>| {
        links.iter().all(|link| reference(&link.target) && !link.relations.is_empty())
            && links.iter().any(|link| link.relations.iter().any(|relation| relation == "next"))
    };
    links::parse(value).is_some_and(are_links)
}

/// Whole seconds, at least one.
pub(crate) fn seconds(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit()) && value.parse::<u64>().is_ok_and(|seconds| seconds >= 1)
}

/// The one value that it has.
pub(crate) fn replayed(value: &str) -> bool {
    value == "true"
}

/// Preferences as RFC 7240 writes them.
pub(crate) fn preferences(value: &str) -> bool {
    header_fields::are_preferences(value)
}

/// Challenges of which one is for Bearer.
pub(crate) fn challenge(value: &str) -> bool {
    header_fields::challenges_with(value, "bearer")
}

/// Methods, in capitals.
pub(crate) fn methods(value: &str) -> bool {
    let is_method =
        |method: &&str| header_fields::is_token(method) && method.bytes().all(|byte| !byte.is_ascii_lowercase());
    header_fields::elements(value).iter().all(is_method)
}

/// Nothing that others may keep.
pub(crate) fn cache(value: &str) -> bool {
    let has = |name: &str| header_fields::has_directive(value, name);
    !has("public") && (has("no-store") || (has("private") && has("no-cache")))
}

/// Quotas, each with its number of requests and its window.
pub(crate) fn policies(value: &str) -> bool {
    header_fields::are_quotas(value, &["q", "w"])
}

#[cfg(test)]
mod tests {
    use super::{cache, challenge, http_date, link, policies, reference, seconds, strong_tag};

    #[test]
    fn forms_tell_right_from_wrong() {
        assert!(strong_tag("\"7c1f\"") && !strong_tag("W/\"7c1f\"") && !strong_tag("7c1f") && !strong_tag("\"\""));
        assert!(http_date("Mon, 02 Nov 2026 08:00:08 GMT") && !http_date("2026-11-02T08:00:08Z"));
        assert!(reference("/api/v1/jobs/job_1") && !reference("/a b") && !reference(""));
        assert!(link("</a?b=c,d>; rel=\"next\"") && !link("/a; rel=next") && !link("</a>; rel=\"prev\""));
        assert!(link("</a>; title=\"a, <b\"; rel=\"last NEXT\"") && !link("</a>; title=\"rel=next\"; rel=prev"));
        assert!(seconds("1") && !seconds("0") && !seconds("1.5") && !seconds(""));
        assert!(challenge("Bearer realm=\"x\", error=\"y\"") && !challenge("Basic realm=\"x\""));
        assert!(challenge("Basic realm=\"a, b\", Bearer realm=\"x\""));
        assert!(cache("private, no-cache") && cache("no-store") && !cache("private") && !cache("public, no-store"));
        assert!(policies("\"a\";q=1;w=2, \"b\";q=3;w=4") && !policies("a;q=1;w=2") && !policies("\"a\";q=x;w=1"));
    }
}
