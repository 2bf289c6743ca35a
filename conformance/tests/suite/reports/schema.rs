//! `report.json` keeps the schema that is published.

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
