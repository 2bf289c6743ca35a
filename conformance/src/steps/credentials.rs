//! Steps as the second account, and the challenges of refusals in `WWW-Authenticate`.
//!
//! Neither account may see the records of the other: `requirements::isolation`, `leads` and `hooks` check that.

use std::sync::Arc;

use serde_json::{Value, json};

use super::calls;
use crate::check::{
    About as _, Context, Credential, Exchange, Halt, Look, Request, Verdict, demand, ensure, ensure_met, header_fields,
};

/// Header with the challenges.
const HEADER: &str = "www-authenticate";

/// Reads a record of the account under test with the second account's key. Fails if the response shows that record. The id may also name a
/// record of the second account.
pub(crate) async fn read_by_other(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let foreign = context.send(request.clone().by(Credential::Other)).await?;
    if foreign.succeeded() {
        let own = context.send(request).await?;
        let is_same = own.succeeded() && own.body == foreign.body;
        ensure(!is_same && !is_of_main(context, &foreign), "no record of another account", || demand::seen(&foreign))
            .about(&foreign)?;
    }
    Ok(foreign)
}

/// Returns true if a response shows a record of the website under test.
fn is_of_main(context: &Context, exchange: &Exchange) -> bool {
    let facts = context.facts();
    let has_own_id = facts.other_website_id.as_ref() != Some(&facts.website_id);
    has_own_id && exchange.json().is_some_and(|record| record["website_id"] == facts.website_id.as_str())
}

/// Demands 404 with `code` when the second account reads a record of the account under test. Decides nothing if the id also names a record of
/// the second account.
pub(crate) async fn unknown_to_other(context: &Context, request: Request, code: &str) -> Result<Arc<Exchange>, Halt> {
    let foreign = read_by_other(context, request).await?;
    ensure_met(!foreign.succeeded(), "the second account has a record with the same id")?;
    demand::problem(&foreign, 404, &[code])?;
    Ok(foreign)
}

/// Publishes an article as the second account and returns its job.
pub(crate) async fn published_by_other(context: &Context, topic: &str) -> Result<Value, Halt> {
    let mut body = calls::published_request(context, topic);
    body["website_id"] = json!(context.facts().other_website_id);
    let queued = context.send(calls::generate(&body).by(Credential::Other)).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let job_id = job_id.as_str();
    let look = || async move {
        let exchange = context.send(calls::get_job(job_id).by(Credential::Other)).await?;
        demand::status(&exchange, 200)?;
        let job = demand::json(&exchange)?;
        match job["status"].as_str() {
            Some("completed") => Ok(Look::Found(job.clone())),
            Some(status) if calls::is_terminal(status) => {
                Err(Halt::inconclusive(format!("the other account's job ended as {status}")))
            }
            _ => Ok(Look::NotYet(Halt::inconclusive("the other account's job was not done in time"))),
        }
    };
    context.eventually(context.patience(), look).await
}

/// Demands a challenge with the scheme Bearer.
pub(crate) fn challenge(exchange: &Exchange) -> Verdict {
    let value = header_fields::joined(&exchange.headers, HEADER);
    let holds = header_fields::challenges_with(&value, "bearer");
    ensure(holds, "WWW-Authenticate with the scheme Bearer", || shown(&value)).about(exchange)
}

/// Demands a Bearer challenge whose parameter `name` contains the word `wanted`.
pub(crate) fn challenge_with(exchange: &Exchange, name: &str, wanted: &str) -> Verdict {
    let value = header_fields::joined(&exchange.headers, HEADER);
    let expected = format!("WWW-Authenticate: Bearer {name}=\"{wanted}\"");
    ensure(has_word(&value, name, wanted), expected, || shown(&value)).about(exchange)
}

fn shown(value: &str) -> String {
    if value.is_empty() { "no WWW-Authenticate".to_owned() } else { value.to_owned() }
}

/// Returns true if a Bearer challenge has the word in this parameter, as a token or quoted, in any letter case.
fn has_word(value: &str, name: &str, wanted: &str) -> bool {
    http_auth::parse_challenges(value).is_ok_and(|challenges| {
        let bearer = challenges.into_iter().filter(|challenge| challenge.scheme.eq_ignore_ascii_case("bearer"));
        bearer.flat_map(|challenge| challenge.params).any(|(found, text)| {
            let text = text.to_unescaped();
            found.eq_ignore_ascii_case(name)
                && text.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(wanted))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn words_of_a_challenge_are_found_in_every_spelling() {
        let challenges = r#"Basic realm="error=x", BEARER Error = invalid_token, scope="jobs:read leads:read""#;
        assert!(has_word(challenges, "error", "invalid_token"));
        assert!(has_word(challenges, "scope", "leads:read") && has_word(challenges, "scope", "jobs:read"));
        assert!(!has_word(challenges, "scope", "leads") && !has_word(challenges, "error", "x"));
        assert!(!has_word(r#"Basic error="invalid_token""#, "error", "invalid_token"));
        assert!(!has_word("Bearer", "error", "invalid_token") && !has_word("", "error", "invalid_token"));
    }
}
