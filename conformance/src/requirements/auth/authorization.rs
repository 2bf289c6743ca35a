//! The header `Authorization`: required, with the scheme Bearer, and checked before the body.

use serde_json::{Value, json};

use crate::check::Source::{Fact, Part, Sentence, Standard};
use crate::check::{Capability, Cases, Context, Credential, Request, Requirement, Verdict, demand, ensure, ensure_met};
use crate::requirements::http::raw::{Place, place};
use crate::steps::credentials::challenge;
use crate::steps::draws::index_of;
use crate::steps::{self, control, operations};
use crate::strategies::{Draw, Space};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "auth.missing.refused",
            "Every request has Authorization: Bearer <key>. Without it no operation succeeds.",
            &[Fact("5"), Sentence("Every call of the API carries `Authorization: Bearer <platform key>`.")],
            missing,
        )
        .core()
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::new(
            "auth.missing.challenge",
            "Without Authorization the response is 401 missing_credentials with WWW-Authenticate: Bearer.",
            &[
                Part("/x-problem-codes/missing_credentials/status"),
                Sentence("There is no `Authorization: Bearer` header."),
                Standard("RFC 6750", "3"),
            ],
            missing_challenge,
        )
        .drawn("every operation", Cases::Listed(operations::count), operations::each),
        Requirement::new(
            "auth.missing.head",
            "HEAD without a key gets 401, even right after a GET of the same path with the key.",
            &[
                Sentence(
                    "Every GET resource also answers HEAD, with the same status, `Content-Type`, `ETag` and `Cache-Control`.",
                ),
                Sentence("Every call of the API carries `Authorization: Bearer <platform key>`."),
                Part("/x-problem-codes/missing_credentials/status"),
                Standard("RFC 9110", "9.3.2"),
            ],
            head,
        )
        .drawn("every GET operation", Cases::Listed(|space| read(space).len()), |space, draw: &mut Draw| {
            let all = read(space);
            json!(all[draw.index() % all.len()])
        }),
        Requirement::new(
            "auth.header.empty",
            "Bearer without a key gets 401 missing_credentials or invalid_credentials.",
            &[
                Sentence("Every call of the API carries `Authorization: Bearer <platform key>`."),
                Part("/x-problem-codes/missing_credentials/status"),
                Part("/x-problem-codes/invalid_credentials/status"),
            ],
            empty,
        ),
        Requirement::new(
            "auth.scheme.case-insensitive",
            "The name of the authentication scheme is case-insensitive: bearer and BEARER work like Bearer.",
            &[Standard("RFC 9110", "11.1")],
            scheme_case,
        )
        .drawn("spellings of the scheme", Cases::Exactly(3), |_, draw| {
            json!(["bearer", "BEARER", "bEaReR"][draw.index() % 3])
        }),
        Requirement::new(
            "auth.scheme.others",
            "Authorization with another scheme than Bearer gets 401 missing_credentials.",
            &[
                Part("/x-problem-codes/missing_credentials/status"),
                Sentence("There is no `Authorization: Bearer` header."),
            ],
            other_schemes,
        )
        .drawn("other schemes", Cases::Exactly(5), |_, draw| json!(draw.index())),
        Requirement::new(
            "auth.scheme.elsewhere",
            "A key in the query, in a cookie or in another header than Authorization is not taken: the response is 401 missing_credentials.",
            &[
                Sentence("Every call of the API carries `Authorization: Bearer <platform key>`."),
                Sentence("There is no `Authorization: Bearer` header."),
            ],
            elsewhere,
        )
        .needs(&[Capability::RAW_CONNECTION, Capability::HTTP1])
        .drawn("places of a key", Cases::Exactly(6), |_, draw| json!(draw.index())),
        Requirement::new(
            "auth.order.first",
            "Credentials are checked before the body: a wrong key with a broken body gets 401 invalid_credentials.",
            &[
                Sentence(
                    "Checks run in this order: route, method, credentials, rate, scope, media type, size, JSON, headers, idempotency, \
                     validation, access to the website, state of the website, queue.",
                ),
                Part("/x-problem-codes/invalid_credentials/status"),
            ],
            checked_before_body,
        ),
    ]
}

fn read(space: &Space) -> Vec<&'static str> {
    operations::named(space, |operation| operation.method == "GET")
}

async fn missing(context: Context, case: Value) -> Verdict {
    let request = operations::with_website(&context, operations::of_case(&context, &case)?);
    demand::refusal(&*context.send(request.clone().by(Credential::None)).await?)?;
    control::keyed(&context, request).await
}

async fn missing_challenge(context: Context, case: Value) -> Verdict {
    let request = operations::with_website(&context, operations::of_case(&context, &case)?);
    let exchange = context.send(request.clone().by(Credential::None)).await?;
    demand::problem(&exchange, 401, &["missing_credentials"])?;
    challenge(&exchange)?;
    control::keyed(&context, request).await
}

async fn head(context: Context, case: Value) -> Verdict {
    let read = context.send(operations::made_up(operations::of_case(&context, &case)?)).await?;
    let head = Request::outside("HEAD", &read.request.path).by(Credential::None);
    demand::status(&*context.send(head).await?, 401)?;
    control::keyed(&context, operations::made_up(operations::of_case(&context, &case)?)).await
}

async fn empty(context: Context, _: Value) -> Verdict {
    let request = Request::new("list_websites", "GET", "/websites");
    for value in ["Bearer", "Bearer "] {
        let exchange = context.send(request.clone().by(Credential::Literal(vec![value.to_owned()]))).await?;
        demand::problem(&exchange, 401, &["missing_credentials", "invalid_credentials"])?;
    }
    control::keyed(&context, request).await
}

async fn scheme_case(context: Context, scheme: Value) -> Verdict {
    let value = format!("{} {{key}}", scheme.as_str().unwrap_or_default());
    let request = Request::new("list_websites", "GET", "/websites").by(Credential::Literal(vec![value]));
    demand::status(&*context.send(request).await?, 200)
}

async fn other_schemes(context: Context, case: Value) -> Verdict {
    let values = ["Basic dXNlcjpwYXNz", "Token {key}", "Digest username=\"x\"", "{key}", "ApiKey {key}"];
    let value = values[index_of(&case) % values.len()].to_owned();
    let request = Request::new("list_websites", "GET", "/websites").by(Credential::Literal(vec![value]));
    demand::problem(&*context.send(request.clone()).await?, 401, &["missing_credentials"])?;
    control::keyed(&context, request).await
}

async fn elsewhere(context: Context, case: Value) -> Verdict {
    let Place { host, base } = place(&context)?;
    let (query, header) = [
        ("?access_token={key}", ""),
        ("?api_key={key}", ""),
        ("?key={key}", ""),
        ("", "X-Api-Key: {key}\r\n"),
        ("", "Proxy-Authorization: Bearer {key}\r\n"),
        ("", "Cookie: access_token={key}; api_key={key}\r\n"),
    ][index_of(&case) % 6];
    let ask = |query: &str, header: &str| {
        format!("GET {base}/api/v1/websites{query} HTTP/1.1\r\nHost: {host}\r\n{header}Connection: close\r\n\r\n")
    };
    let answers = context.raw(ask(query, header).into_bytes(), 1).await?;
    let status = answers.first().map_or(0, |answer| answer.status);
    ensure_met(!matches!(status, 0 | 429 | 503), format!("the server had no room for a raw request: {status}"))?;
    let code = answers.first().and_then(|answer| serde_json::from_slice::<Value>(&answer.body).ok());
    let code = code.unwrap_or_default()["code"].take();
    let is_right = status == 401 && code == "missing_credentials";
    ensure(is_right, "401 missing_credentials for a key at another place", || format!("{status} {code}"))?;
    let known = context.raw(ask("", "Authorization: Bearer {key}\r\n").into_bytes(), 1).await?;
    let status = known.first().map_or(0, |answer| answer.status);
    ensure_met(status == 200, format!("the response to a raw request with a key was {status}"))
}

async fn checked_before_body(context: Context, _: Value) -> Verdict {
    let mut request = steps::generate(&Value::Null).by(Credential::Literal(vec!["Bearer wrong".to_owned()]));
    request.body = Some("{".into());
    demand::problem(&*context.send(request).await?, 401, &["invalid_credentials"])?;
    control::ordered(&context).await
}
