//! The strategies: valid values are valid, broken values are broken in one place, and a seed determines a run.

use std::collections::BTreeSet;

use contentgen_conformance::requirements::catalogue;
use contentgen_conformance::spec::{Document, Profile};
use contentgen_conformance::strategies::{Draw, Space, case_seed, malformed_bodies};
use serde_json::{Value, json};

fn space() -> Space {
    Space::new(Document::embedded(Profile::Full).unwrap(), "web_1")
}

#[test]
fn every_valid_request_keeps_the_schema() {
    let space = space();
    let cases = u32::try_from(space.edge_count()).unwrap() + 500;
    for index in 0..cases {
        let body = space.valid_request(&mut Draw::new(11, "strategies.valid", index));
        let violations = space.document().violations("GenerateRequest", &body).unwrap();
        assert!(violations.is_empty(), "seed 11, case {index}: {body} {violations:?}");
    }
}

#[test]
fn the_edges_of_the_schema_are_reached() {
    let space = space();
    let edges: Vec<_> = (0..space.edge_count())
        .map(|index| space.valid_request(&mut Draw::new(0, "strategies.edges", u32::try_from(index).unwrap())))
        .collect();
    let has = |member: &str, test: &dyn Fn(&Value) -> bool| edges.iter().any(|edge| test(&edge[member]));
    let is_longest = |topic: &Value, bytes: usize| {
        topic.as_str().is_some_and(|text| text.chars().count() == 1_000 && text.len() == bytes)
    };
    assert!(has("topic", &|topic| is_longest(topic, 1_000)) && has("topic", &|topic| is_longest(topic, 4_000)));
    assert!(has("language", &|language| language.is_string()));
    assert!(has("target_word_count", &|words| words == &json!(200)));
    assert!(has("target_word_count", &|words| words == &json!(5_000)));
    assert!(has("keywords", &|keywords| keywords.as_array().is_some_and(|all| all.len() == 10)));
    assert!(has("metadata", &|metadata| metadata.as_object().is_some_and(|all| all.len() == 16)));
}

#[test]
fn every_query_has_documented_parameters_with_valid_values() {
    let space = space();
    let mut names = BTreeSet::new();
    for operation in ["list_articles", "list_leads", "list_scheduled_posts", "list_websites"] {
        let documented = space.document().operation(operation).unwrap();
        for index in 0..200 {
            let query = space.list_query(operation, &mut Draw::new(12, operation, index));
            for (name, value) in query.as_object().unwrap() {
                let parameter = documented.parameter("query", name).unwrap();
                let is_valid = space.document().fits(&parameter.schema, value);
                assert!(is_valid, "seed 12, {operation}, case {index}: {query}");
                names.insert(name.clone());
            }
        }
    }
    let all = ["article_id", "captured_since", "captured_until", "limit", "status", "updated_since", "website_id"];
    assert_eq!(names, BTreeSet::from(all.map(str::to_owned)));
}

#[test]
fn every_breakage_breaks_the_schema_and_only_where_it_says() {
    let space = space();
    let base = json!({ "topic": "A topic", "website_id": "web_1" });
    for breakage in space.breakages() {
        let body = breakage.apply(&base);
        let violations = space.document().violations("GenerateRequest", &body).unwrap();
        if breakage.name.contains("a year ahead") {
            // The schema cannot express this calendar rule.
            continue;
        }
        assert!(!violations.is_empty(), "{} is no violation: {body}", breakage.name);
        let property = format!("/{}", breakage.property);
        for violated in &violations {
            let inside = violated.pointer.starts_with(&property);
            let is_required = violated.pointer.is_empty() && breakage.code == "required";
            assert!(inside || is_required, "{}: {violated:?}", breakage.name);
        }
    }
}

#[test]
fn every_kind_of_constraint_of_the_request_is_negated() {
    let space = space();
    let codes: BTreeSet<&str> = space.breakages().iter().map(|breakage| breakage.code).collect();
    assert_eq!(
        codes,
        BTreeSet::from(["invalid_format", "out_of_range", "required", "too_long", "too_many", "too_short"])
    );
    let names: BTreeSet<&str> = space.breakages().iter().map(|breakage| breakage.name.as_str()).collect();
    assert_eq!(names.len(), space.breakages().len(), "every name stands for one breakage");
}

#[test]
fn no_malformed_body_is_an_acceptable_object() {
    for malformed in malformed_bodies(r#"{"topic":"a","website_id":"b"}"#, 128) {
        let parsed = serde_json::from_slice::<Value>(&malformed.bytes);
        // Bodies that this parser accepts and the contract does not.
        let twice = ["a member twice", "a member twice, once escaped", "a member twice below"];
        let tolerated = [&twice[..], &["nesting one level too deep", "nesting too deep"]].concat();
        let is_object = parsed.is_ok_and(|value| value.is_object());
        assert!(!is_object || tolerated.contains(&malformed.name), "{}", malformed.name);
    }
}

#[test]
fn the_same_seed_draws_the_same_cases_and_another_seed_others() {
    let space = space();
    for requirement in catalogue() {
        let draw = |seed: u64, index| requirement.draw(&space, &mut Draw::new(seed, requirement.id, index));
        for index in [0, 3, 70] {
            assert_eq!(draw(5, index), draw(5, index), "{}", requirement.id);
        }
    }
    let valid = |seed| space.valid_request(&mut Draw::new(seed, "generate.valid.accepted", 999));
    assert_ne!(valid(1), valid(2));
    assert_ne!(case_seed(1, "a", 0), case_seed(1, "b", 0));
    assert_ne!(case_seed(1, "a", 0), case_seed(1, "a", 1));
}

/// Shrinks a case that fails. Returns the smallest case found that fails.
fn smallest(mut draw: Draw, case: impl Fn(&mut Draw) -> Value, fails: impl Fn(&Value) -> bool) -> Value {
    let mut smallest = case(&mut draw);
    let mut has_smaller = draw.simplify();
    for _ in 0..20_000 {
        if !has_smaller {
            return smallest;
        }
        let smaller = case(&mut draw);
        has_smaller = if fails(&smaller) {
            smallest = smaller;
            draw.simplify()
        } else {
            draw.complicate()
        };
    }
    panic!("shrinking does not end: {smallest}");
}

#[test]
fn a_request_shrinks_to_what_matters_and_stays_valid() {
    type Fails = fn(&Value) -> bool;
    let space = space();
    let draw = |draw: &mut Draw| {
        let body = space.valid_request(draw);
        let violations = space.document().violations("GenerateRequest", &body).unwrap();
        assert!(violations.is_empty(), "{body} {violations:?}");
        body
    };
    let fails: [(&str, Fails); 4] = [
        ("a foreign letter", |body| {
            body["topic"].as_str().unwrap().chars().any(|letter| letter.is_alphabetic() && !letter.is_ascii())
        }),
        ("two keywords", |body| body["keywords"].as_array().is_some_and(|all| all.len() > 1)),
        ("many words", |body| body["target_word_count"].as_u64().is_some_and(|words| words > 210)),
        ("some metadata", |body| body["metadata"].as_object().is_some_and(|all| !all.is_empty())),
    ];
    for (name, fails) in fails {
        let failing = (0..60).map(|index| Draw::new(12, "strategies.shrink", 9_000 + index));
        let mut tried = 0;
        for mut found in failing {
            if !fails(&draw(&mut found)) {
                continue;
            }
            tried += 1;
            let index = u32::try_from(found.index()).unwrap();
            let body = smallest(Draw::new(12, "strategies.shrink", index), draw, fails);
            let expected = match name {
                "a foreign letter" => json!({ "topic": body["topic"], "website_id": "web_1" }),
                "two keywords" => json!({ "topic": "a", "website_id": "web_1", "keywords": ["a", "a"] }),
                "many words" => json!({ "topic": "a", "website_id": "web_1", "target_word_count": 211 }),
                _ => json!({ "topic": "a", "website_id": "web_1", "metadata": body["metadata"] }),
            };
            assert_eq!(body, expected, "{name}, seed 12, case {index}");
            assert_eq!(body["topic"].as_str().unwrap().chars().count(), 1, "{name}, seed 12, case {index}: {body}");
            let metadata = body["metadata"].as_object().map_or(0, serde_json::Map::len);
            assert_eq!(metadata, usize::from(name == "some metadata"), "seed 12, case {index}: {body}");
        }
        assert!(tried > 5, "{name}: only {tried} cases");
    }
}

#[test]
fn shrinking_ends_for_every_requirement() {
    let space = space();
    for requirement in catalogue() {
        for index in [0, 3, 70] {
            let draw = Draw::new(3, requirement.id, index);
            // Fails for half of all cases.
            let fails = |case: &Value| case_seed(0, &case.to_string(), 0)[0].is_multiple_of(2);
            let case = smallest(draw, |draw| requirement.draw(&space, draw), fails);
            let starts_well = !requirement.id.starts_with("sequences.jobs.") || case[0][0] == "generate";
            assert!(starts_well, "{}: {case}", requirement.id);
        }
    }
}
