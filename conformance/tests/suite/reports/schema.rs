//! `report.json` conforms to the published schema, and every property in the schema of the configuration has a description.

use std::path::Path;

use crate::support::Fake;
use crate::support::cli::Workplace;

fn published() -> serde_json::Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/report.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_published_schema_of_the_report_is_fresh() {
    let printed = Workplace::new().run(&["schema", "--report"]);
    let printed: serde_json::Value = serde_json::from_str(&printed.output).unwrap();
    assert!(
        printed == published(),
        "docs/report.schema.json is stale: cargo run -p contentgen-conformance -- schema --report > docs/report.schema.json"
    );
}

#[test]
fn reports_of_good_and_bad_runs_keep_the_published_schema() {
    let schema = published();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let fake = Fake::constant(200, r#"{"items":[]}"#);
    for only in ["auth", "isolation", "jobs", "http"] {
        let place = Workplace::new();
        place.run(&["run", "--base-url", &fake.base_url, "--only", only, "--cases", "5", "--report-dir", "r"]);
        let report = place.json("r/report.json");
        let faults: Vec<String> = validator.iter_errors(&report).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{only}: {faults:#?}");
    }
    let mut broken = serde_json::json!({ "format": 1 });
    assert!(!validator.is_valid(&broken), "a schema that takes everything proves nothing");
    broken["seed"] = "seven".into();
    assert!(!validator.is_valid(&broken));
}

/// Collects the properties without a description, at any depth of a schema, by their pointers.
fn unexplained(schema: &serde_json::Value, pointer: &str, found: &mut Vec<String>) {
    match schema {
        serde_json::Value::Object(members) => {
            for (name, member) in members {
                let below = format!("{pointer}/{name}");
                if pointer.ends_with("/properties") && !member["description"].is_string() {
                    found.push(below.clone());
                }
                unexplained(member, &below, found);
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| unexplained(item, pointer, found)),
        _ => {}
    }
}

#[test]
fn every_entry_of_the_configuration_is_explained_by_its_schema() {
    let printed = Workplace::new().run(&["schema"]);
    let schema: serde_json::Value = serde_json::from_str(&printed.output).unwrap();
    for table in ["target", "article", "hooks", "leads", "failing_job", "pausing", "limits", "report", "known_failures"]
    {
        assert!(schema["properties"].get(table).is_some(), "{table}");
    }
    let mut found = Vec::new();
    unexplained(&schema, "", &mut found);
    assert_eq!(found, Vec::<String>::new());
}
