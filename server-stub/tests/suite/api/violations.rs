//! Responses to bodies with more schema violations than a problem can list.

use serde_json::Value;

use super::bodies;
use super::client::ApiResponse;
use super::world::World;

const GENERATE: &str = "/api/v1/generate";
/// Maximum size of an API body, in bytes.
const MAX_BODY: usize = 64 * 1024;
/// Maximum size of a lead form, in bytes.
const MAX_FORM: usize = 16 * 1024;
/// Maximum number of entries in `errors`.
const MAX_ERRORS: usize = 100;

fn errors(answer: &ApiResponse) -> usize {
    answer.json()["errors"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn a_problem_lists_a_hundred_violations_and_says_when_there_are_more() {
    let caller = World::shared().first();
    for (keywords, listed, detail) in [
        (97, 100, "The request has 100 errors."),
        (98, 100, "The request has more than 100 errors. The first 100 are listed."),
        (21_700, 100, "The request has more than 100 errors. The first 100 are listed."),
    ] {
        // The other errors: there are too many keywords, and topic and website are missing.
        let body = format!(r#"{{"keywords":[{}]}}"#, vec!["\"\""; keywords].join(","));
        let answer = caller.post_text(GENERATE, &body).await;
        assert_eq!(answer.problem(), (422, "validation_failed".to_owned()));
        assert_eq!((errors(&answer), answer.json()["detail"].as_str()), (listed, Some(detail)), "{keywords} keywords");
    }
}

#[tokio::test]
async fn a_parameter_given_again_and_again_is_told_once() {
    let caller = World::shared().first();
    let query = vec!["limit=5"; 1900].join("&");
    let answer = caller.get(&format!("/api/v1/articles?{query}")).await;
    assert_eq!(answer.field_errors(), [("invalid_format".to_owned(), "limit".to_owned())]);
}

#[tokio::test]
async fn whatever_a_body_is_full_of_the_problem_stays_small() {
    let world = World::shared();
    let caller = world.first();
    let mut sent = Vec::new();
    for (name, body) in bodies::orders(MAX_BODY) {
        for preference in ["handling=strict", "handling=lenient"] {
            let request = caller.request("POST", GENERATE).header("prefer", preference);
            sent.push((name, body.len(), request.header("content-type", "application/json").body(body.clone())));
        }
    }
    let capture = format!("/capture/{}", world.website_id());
    let json = bodies::leads(MAX_FORM).into_iter().map(|lead| (lead, "application/json"));
    let forms = bodies::forms(MAX_FORM).into_iter().map(|lead| (lead, "application/x-www-form-urlencoded"));
    for ((name, body), media_type) in json.chain(forms) {
        sent.push((name, body.len(), caller.request("POST", &capture).header("content-type", media_type).body(body)));
    }
    for (name, length, request) in sent {
        let answer = caller.send(request).await;
        assert!(matches!(answer.status, 400 | 422), "{name}: {}", answer.status);
        assert!(errors(&answer) <= MAX_ERRORS, "{name}: {} errors", errors(&answer));
        // A name may occur twice in the response, with each byte encoded as three.
        assert!(answer.bytes.len() < 7 * length, "{name}: {} bytes for {length}", answer.bytes.len());
        assert!(answer.json()["detail"].as_str().is_some_and(|detail| detail.len() < 200), "{name}");
        assert_ne!(answer.json(), Value::Null, "{name}");
    }
}
