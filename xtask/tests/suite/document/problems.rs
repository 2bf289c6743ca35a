//! The table of problems against the answers, their examples and the vocabulary.

use std::collections::BTreeSet;

use serde_json::Value;

use super::source;

#[test]
fn the_table_of_problems_names_what_the_answers_name() {
    let document = source::document();
    let table: BTreeSet<_> = members(&document["x-problem-codes"]).collect();
    let answers: BTreeSet<_> = responses(&document).flat_map(|(_, response)| texts(&response["x-codes"])).collect();
    let vocabulary: BTreeSet<_> =
        texts(&document["components"]["schemas"]["ProblemCode"]["x-extensible-enum"]).collect();
    assert_eq!(table, answers);
    assert_eq!(table, vocabulary);
}

#[test]
fn a_problem_is_answered_with_its_own_status() {
    let document = source::document();
    for (place, operation) in source::operations_of(&document, "paths") {
        for (status, response) in operation["responses"].as_object().expect("an operation has answers") {
            let Some(name) = response["$ref"].as_str().and_then(|text| text.strip_prefix("#/components/responses/"))
            else {
                continue;
            };
            for code in texts(&document["components"]["responses"][name]["x-codes"]) {
                let expected = document["x-problem-codes"][code]["status"].to_string();
                let is_right = status == "default" || *status == expected;
                assert!(is_right, "{place} answers {code} with {status}, the table says {expected}");
            }
        }
    }
}

#[test]
fn the_example_of_a_problem_repeats_the_table() {
    let document = source::document();
    for (name, response) in responses(&document) {
        let examples = &response["content"]["application/problem+json"]["examples"];
        let codes: Vec<_> = texts(&response["x-codes"]).collect();
        let shown: Vec<_> = examples.as_object().into_iter().flatten().map(|(code, _)| code.as_str()).collect();
        assert_eq!(codes.iter().collect::<BTreeSet<_>>(), shown.iter().collect::<BTreeSet<_>>(), "{name}");
        for code in codes {
            let value = &examples[code]["value"];
            let row = &document["x-problem-codes"][code];
            assert_eq!(value["code"], *code, "{name}");
            for member in ["status", "title", "type"] {
                assert_eq!(value[member], row[member], "{name} {code} {member}");
            }
        }
    }
}

#[test]
fn a_problem_that_may_pass_says_when_to_come_back() {
    let document = source::document();
    for (name, response) in responses(&document) {
        let waits = ["article_not_ready", "idempotency_in_flight", "rate_limited", "queue_full", "unavailable"];
        if texts(&response["x-codes"]).any(|code| waits.contains(&code)) {
            assert!(response["headers"].get("Retry-After").is_some(), "{name} lacks Retry-After");
        }
    }
}

fn responses(document: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let responses = document["components"]["responses"].as_object().expect("the document has answers");
    responses.iter().map(|(name, response)| (name.as_str(), response))
}

fn members(map: &Value) -> impl Iterator<Item = &str> {
    map.as_object().into_iter().flatten().map(|(name, _)| name.as_str())
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}
