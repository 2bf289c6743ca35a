//! Forms of headers, and entity tags of representations.

use serde_json::Value;
use sfv::Item;

use crate::check::link::{self, Link};
use crate::check::{
    Context, Exchange, Finding, Halt, Request, Requirement, Source, Verdict, demand, ensure, header_fields,
};
use crate::spec::Document;
use crate::steps;
use crate::steps::observing::{call_each_operation, is_refused_before_routing};

/// Requires that the header `name`, in lower case, has this `form` in every response, and is present if the document requires it.
pub(crate) fn keeps_form(
    id: &'static str,
    name: &'static str,
    form: fn(&str) -> bool,
    clause: &'static str,
    sources: &'static [Source],
) -> Requirement {
    Requirement::new(id, clause, sources, headers)
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
    if is_refused_before_routing(exchange) || (name == "etag" && is_compressed(exchange)) {
        return None;
    }
    let is_there = exchange.headers.contains_key(name);
    if !is_there && !header.required {
        return None;
    }
    // Joins the lines of a list. Two lines of another header do not match its form.
    let value = header_fields::joined(&exchange.headers, name);
    let seen = if is_there { format!("{name}: {value}") } else { format!("no {name}") };
    let fault = |expected: String| Err(Finding::new(expected, format!("{seen} in {}", exchange.line())));
    if !is_there || !form(&value) {
        return Some(fault(clause.trim_end_matches('.').to_owned()));
    }
    let keeps = document.fits(&header.schema, &typed(&header.schema, &value));
    Some(if keeps { Ok(()) } else { fault(format!("{name} that matches its schema {}", header.schema)) })
}

/// Converts the text of a header to the type of its schema.
fn typed(schema: &Value, text: &str) -> Value {
    let number = || text.parse::<i64>().ok().filter(|_| schema["type"] == "integer");
    number().map_or_else(|| Value::from(text), Value::from)
}

/// Calls each operation, and sends requests whose responses have the rarer headers.
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
    // Other requirements check how the job ends.
    let _ = steps::finished(&context, job_id).await;
    context.send(steps::get_article(job_id)).await.map(|_| ())
}

/// Returns true for one strong entity tag in double quotes.
pub(crate) fn strong_tag(value: &str) -> bool {
    let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|tag| !tag.is_empty() && tag.bytes().all(|byte| byte > b' ' && byte != b'"' && byte != 0x7f))
}

/// Returns true for a date in the preferred form of RFC 9110, section 5.6.7.
pub(crate) fn http_date(value: &str) -> bool {
    chrono::NaiveDateTime::parse_from_str(value, "%a, %d %b %Y %H:%M:%S GMT").is_ok()
}

/// Returns true for a URI reference.
pub(crate) fn reference(value: &str) -> bool {
    let is_plain = |byte: u8| byte > b' ' && byte < 0x7f && !b"<>\"{}|\\^`".contains(&byte);
    let base = url::Url::parse("http://target.invalid/").expect("a constant URL");
    !value.is_empty() && value.bytes().all(is_plain) && base.join(value).is_ok()
}

/// Returns true for links with relations.
pub(crate) fn links(value: &str) -> bool {
    let is_link = |link: &Link| reference(&link.target) && !link.relations.is_empty();
    link::parse(value).is_some_and(|links| !links.is_empty() && links.iter().all(is_link))
}

/// Returns true for whole seconds, at least one.
pub(crate) fn seconds(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit()) && value.parse::<u64>().is_ok_and(|seconds| seconds >= 1)
}

/// Returns true for the only value of `Idempotency-Replayed`.
pub(crate) fn replayed(value: &str) -> bool {
    value == "true"
}

/// Returns true for a list of preferences (RFC 7240).
pub(crate) fn preferences(value: &str) -> bool {
    header_fields::are_preferences(value)
}

/// Returns true for challenges, one of them with the scheme Bearer.
pub(crate) fn challenge(value: &str) -> bool {
    header_fields::challenges_with(value, "bearer")
}

/// Returns true for a list of methods in capital letters.
pub(crate) fn methods(value: &str) -> bool {
    let is_method =
        |method: &&str| header_fields::is_token(method) && method.bytes().all(|byte| !byte.is_ascii_lowercase());
    header_fields::elements(value).iter().all(is_method)
}

/// Returns true for directives that keep a response out of shared caches.
pub(crate) fn cache(value: &str) -> bool {
    let has = |name: &str| header_fields::has_directive(value, name);
    !has("public") && (has("no-store") || (has("private") && has("no-cache")))
}

/// Returns true for quotas, each with its number of requests and a window of at least a second.
pub(crate) fn policies(value: &str) -> bool {
    let number = header_fields::quota_number;
    let is_policy = |quota: &Item| number(quota, "q").is_some() && number(quota, "w").is_some_and(|window| window >= 1);
    header_fields::quotas(value).is_some_and(|quotas| !quotas.is_empty() && quotas.iter().all(is_policy))
}

/// Demands another ETag if the bytes differ.
pub(crate) fn differ(before: &Exchange, after: &Exchange) -> Verdict {
    if before.body == after.body {
        return Err(Halt::inconclusive("nothing changed in between"));
    }
    let (old, new) = (demand::header(before, "etag")?, demand::header(after, "etag")?);
    ensure(old != new, "another ETag for another body", || format!("{old} for both"))
}

/// Returns true if the response is compressed. Then a gateway may have weakened, changed or removed its `ETag`.
pub(crate) fn is_compressed(exchange: &Exchange) -> bool {
    exchange.header("content-encoding").is_some_and(|coding| !coding.eq_ignore_ascii_case("identity"))
}

#[cfg(test)]
mod tests {
    use super::{cache, challenge, http_date, links, policies, reference, seconds, strong_tag};

    #[test]
    fn each_form_accepts_right_and_refuses_wrong_values() {
        assert!(strong_tag("\"7c1f\"") && !strong_tag("W/\"7c1f\"") && !strong_tag("7c1f") && !strong_tag("\"\""));
        assert!(http_date("Mon, 02 Nov 2026 08:00:08 GMT") && !http_date("2026-11-02T08:00:08Z"));
        assert!(reference("/api/v1/jobs/job_1") && !reference("/a b") && !reference(""));
        assert!(links("</a?b=c,d>; rel=\"next\"") && !links("/a; rel=next") && !links("</a b>; rel=next"));
        assert!(links("</a>; title=\"a, <b\"; rel=\"last NEXT\"") && !links("</a>; title=\"rel=next\""));
        assert!(seconds("1") && !seconds("0") && !seconds("1.5") && !seconds(""));
        assert!(challenge("Bearer realm=\"x\", error=\"y\"") && !challenge("Basic realm=\"x\""));
        assert!(challenge("Basic realm=\"a, b\", Bearer realm=\"x\""));
        assert!(cache("private, no-cache") && cache("no-store") && !cache("private") && !cache("public, no-store"));
        assert!(policies("\"a\";q=1;w=2, \"b\";q=3;w=4") && !policies("a;q=1;w=2") && !policies("\"a\";q=x;w=1"));
        assert!(policies("\"a\"; q=120; w=60") && !policies("\"a\";q=1;w=0") && !policies("\"a\";q=1"));
    }
}
