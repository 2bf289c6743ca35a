//! Every header of every answer keeps its form, and is there where the document requires it.
//!
//! What headers mean for one operation, such as that `Location` names the job, is judged with the operation.

use serde_json::Value;

use super::context::Context;
use super::exchange::{Exchange, Request};
use super::facts::Facts;
use super::header_fields;
use super::link::{self, Link};
use super::observed::tour;
use super::requirement::Requirement;
use super::steps;
use super::verdict::{Finding, Verdict};
use crate::spec::Document;

/// One requirement for each header: id, name in lower case, form, clause, source.
macro_rules! keeps_form {
    ($id:literal, $name:literal, $form:ident, $clause:literal, $source:literal) => {
        Requirement::must($id, $clause, $source, headers).observing(
            |document: &Document, _: &Facts, exchange: &Exchange| keeps_form(document, exchange, $name, $form, $clause),
        )
    };
}

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        keeps_form!(
            "headers.etag.strong",
            "etag",
            strong_tag,
            "ETag is one strong validator in double quotes.",
            "RFC 9110, section 8.8.3; openapi.yaml, ETag"
        ),
        keeps_form!(
            "headers.last-modified.date",
            "last-modified",
            http_date,
            "Last-Modified is an HTTP date in GMT.",
            "RFC 9110, sections 5.6.7 and 8.8.2"
        ),
        keeps_form!(
            "headers.location.reference",
            "location",
            reference,
            "Location is a URI reference.",
            "RFC 9110, section 10.2.2; openapi.yaml, Location"
        ),
        keeps_form!(
            "headers.content-location.reference",
            "content-location",
            reference,
            "Content-Location is a URI reference.",
            "RFC 9110, section 8.7; openapi.yaml, Content-Location"
        ),
        keeps_form!(
            "headers.link.next",
            "link",
            link,
            "Link is a list of <reference>; rel=\"…\", and one of them is next.",
            "RFC 8288, section 3; openapi.yaml, Link"
        ),
        keeps_form!(
            "headers.retry-after.seconds",
            "retry-after",
            seconds,
            "Retry-After is whole seconds, at least 1.",
            "RFC 9110, section 10.2.3; openapi.yaml, Retry-After"
        ),
        keeps_form!(
            "headers.replayed.true",
            "idempotency-replayed",
            replayed,
            "Idempotency-Replayed is true where it stands.",
            "openapi.yaml, Idempotency-Replayed"
        ),
        keeps_form!(
            "headers.preference.form",
            "preference-applied",
            preferences,
            "Preference-Applied is a list of preferences: name or name=value.",
            "RFC 7240, section 3; openapi.yaml, Preference-Applied"
        ),
        keeps_form!(
            "headers.challenge.bearer",
            "www-authenticate",
            challenge,
            "WWW-Authenticate is a challenge of the scheme Bearer.",
            "RFC 6750, section 3; openapi.yaml, WWW-Authenticate"
        ),
        keeps_form!(
            "headers.allow.methods",
            "allow",
            methods,
            "Allow is a list of methods.",
            "RFC 9110, section 10.2.1; openapi.yaml, Allow"
        ),
        keeps_form!(
            "headers.cache.private",
            "cache-control",
            cache,
            "Cache-Control keeps answers out of shared caches: no-store, or private with no-cache.",
            "RFC 9111, section 5.2.2; openapi.yaml, Cache-Control"
        ),
        keeps_form!(
            "headers.quota-policy.form",
            "ratelimit-policy",
            policies,
            "RateLimit-Policy is a list of \"name\";q=quota;w=window.",
            "draft-ietf-httpapi-ratelimit-headers-11, section 3"
        ),
    ]
}

/// The tour through every operation, and what makes an answer carry the rarer headers.
async fn headers(context: Context, case: Value) -> Verdict {
    tour(context.clone(), case).await?;
    let body = steps::quiet_request(&context, "A tour of headers");
    let key = context.fresh("headers");
    let request = || steps::generate(&body).header("idempotency-key", key.clone());
    let queued = context.send(request()).await?;
    context.send(request()).await?;
    context.send(Request::new("list_articles", "DELETE", "/articles")).await?;
    let Some(job_id) = queued.json().and_then(|body| body["job_id"].as_str()) else {
        return Ok(());
    };
    // How the job ends is not this tour's to judge.
    let _ = steps::finished(&context, job_id).await;
    context.send(steps::get_article(job_id)).await.map(|_| ())
}

fn keeps_form(
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
    let holds = is_there && form(&value);
    Some(if holds {
        Ok(())
    } else {
        let seen = if is_there { format!("{name}: {value}") } else { format!("no {name}") };
        Err(Finding::new(clause.trim_end_matches('.'), format!("{seen} in {}", exchange.line())))
    })
}

fn strong_tag(value: &str) -> bool {
    let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|tag| !tag.is_empty() && tag.bytes().all(|byte| byte > b' ' && byte != b'"' && byte != 0x7f))
}

fn http_date(value: &str) -> bool {
    chrono::NaiveDateTime::parse_from_str(value, "%a, %d %b %Y %H:%M:%S GMT").is_ok()
}

fn reference(value: &str) -> bool {
    let is_plain = |byte: u8| byte > b' ' && byte < 0x7f && !b"<>\"{}|\\^`".contains(&byte);
    let base = url::Url::parse("http://target.invalid/").expect("a constant URL");
    !value.is_empty() && value.bytes().all(is_plain) && base.join(value).is_ok()
}

fn link(value: &str) -> bool {
    let are_links = |links: Vec<Link>| {
        links.iter().all(|link| reference(&link.target) && !link.relations.is_empty())
            && links.iter().any(|link| link.relations.iter().any(|relation| relation == "next"))
    };
    link::parse(value).is_some_and(are_links)
}

fn seconds(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit()) && value.parse::<u64>().is_ok_and(|seconds| seconds >= 1)
}

fn replayed(value: &str) -> bool {
    value == "true"
}

fn preferences(value: &str) -> bool {
    header_fields::are_preferences(value)
}

fn challenge(value: &str) -> bool {
    header_fields::challenges_with(value, "bearer")
}

fn methods(value: &str) -> bool {
    let is_method =
        |method: &&str| header_fields::is_token(method) && method.bytes().all(|byte| !byte.is_ascii_lowercase());
    header_fields::elements(value).iter().all(is_method)
}

fn cache(value: &str) -> bool {
    let has = |name: &str| header_fields::has_directive(value, name);
    !has("public") && (has("no-store") || (has("private") && has("no-cache")))
}

fn policies(value: &str) -> bool {
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
