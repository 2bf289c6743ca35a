//! `run --certificate` and `verify-certificate`.

use serde_json::Value;

use crate::support::cli::{Ended, Workplace, guarded};

/// Runs the core profile against the reference server, and returns the folder with `certificate.json` and `reports`.
#[cfg(feature = "reference")]
fn certified() -> Workplace {
    let place = Workplace::new();
    let arguments =
        ["run", "--reference", "--profile", "core", "--cases", "2", "--seed", "5", "--report-dir", "reports"];
    let ended = place.run(&[&arguments[..], &["--certificate", "certificate.json"]].concat());
    assert!(ended.code == 0 && ended.output.contains(" Certificate certificate.json"), "{}", ended.output);
    place
}

fn verified(place: &Workplace, more: &[&str]) -> Ended {
    place.run(&[&["verify-certificate", "certificate.json", "--report", "reports"], more].concat())
}

/// Changes a JSON file.
fn edit(place: &Workplace, file: &str, change: impl FnOnce(&mut Value)) {
    let mut value = place.json(file);
    change(&mut value);
    place.write(file, &value.to_string());
}

#[cfg(feature = "reference")]
#[test]
fn a_certificate_fits_its_report_its_document_and_its_requirements_only() {
    let place = certified();
    let valid = verified(&place, &[]);
    assert!(
        valid.code == 0 && valid.output.starts_with("Valid: the report shows a server that conforms"),
        "{}",
        valid.output
    );
    let (certificate, report) = (place.read("certificate.json"), place.read("reports/report.json"));
    let base_url = place.json("reports/report.json")["target"]["base_url"].as_str().unwrap().to_owned();
    assert!(!certificate.contains(&base_url), "{certificate}");

    place.write("other.yaml", "openapi: 3.0.3\n");
    let other = verified(&place, &["--document", "other.yaml"]);
    assert!(other.code == 1 && other.output.starts_with("Not valid: the document has the SHA-256"), "{}", other.output);

    edit(&place, "certificate.json", |certificate| certificate["seed"] = 6.into());
    let seed = verified(&place, &[]);
    assert_eq!(
        (seed.code, seed.output.as_str()),
        (1, "Not valid: `seed` is 6 in the certificate and 5 in the report\n")
    );

    place.write("certificate.json", &certificate);
    place.write("reports/report.json", &report.replacen("  \"format\"", "   \"format\"", 1));
    let changed = verified(&place, &[]);
    assert!(changed.code == 1 && changed.output.contains("`report_sha256` is"), "{}", changed.output);

    place.write("reports/report.json", &report);
    edit(&place, "reports/report.json", |report| report["requirements"][3]["status"] = "failed".into());
    let failed = verified(&place, &[]);
    assert!(failed.code == 1 && failed.output.contains("` is failed"), "{}", failed.output);

    edit(&place, "reports/report.json", |report| {
        for row in report["requirements"].as_array_mut().unwrap() {
            row["status"] = "skipped".into();
        }
    });
    let nothing = verified(&place, &[]);
    assert_eq!((nothing.code, nothing.output.as_str()), (1, "Not valid: no `must` requirement passed\n"));

    place.write("reports/report.json", &report);
    edit(&place, "certificate.json", |certificate| certificate["suite_version"] = "9.9.9".into());
    edit(&place, "reports/report.json", |report| report["suite_version"] = "9.9.9".into());
    let other_suite = verified(&place, &[]);
    assert!(other_suite.code == 1 && other_suite.output.contains("verify with that one"), "{}", other_suite.output);

    let missing = place.run(&["verify-certificate", "certificate.json", "--report", "missing"]);
    assert!(missing.code == 2 && missing.errors.contains("cannot read missing"), "{}", missing.errors);
}

/// Without the requirement that it breaks, a report looks conformant, and its hash can be written into the certificate.
#[cfg(feature = "reference")]
#[test]
fn a_certificate_without_one_of_the_requirements_is_not_valid() {
    use sha2::Digest as _;
    let hash = |text: &str| {
        sha2::Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
    };
    let place = certified();
    // The numbers by feature count only `must` requirements.
    edit(&place, "reports/report.json", |report| {
        let rows = report["requirements"].as_array_mut().unwrap();
        let place = rows.iter().position(|row| row["level"] == "should").expect("the core profile has recommendations");
        rows.remove(place);
    });
    let rows = place.json("reports/report.json")["requirements"].as_array().unwrap().clone();
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    let set: Vec<_> = rows.iter().map(|row| ["id", "since", "level"].map(|field| text(row, field))).collect();
    let set = serde_json::to_string(&set).unwrap();
    let report = place.read("reports/report.json");
    edit(&place, "certificate.json", |certificate| {
        certificate["requirements"] = rows.len().into();
        certificate["requirements_sha256"] = hash(&set).into();
        certificate["report_sha256"] = hash(&report).into();
    });
    let ended = verified(&place, &[]);
    let expected = "Not valid: the run did not have the requirements of the core profile of this suite\n";
    assert_eq!((ended.code, ended.output.as_str()), (1, expected));
}

#[cfg(feature = "reference")]
#[test]
fn a_server_that_does_not_conform_gets_no_certificate_and_loses_an_earlier_one() {
    let fake = guarded(200);
    let place = certified();
    let arguments =
        ["run", "--base-url", &fake.base_url, "--profile", "core", "--fail-fast", "--cases", "1", "--seed", "1"];
    let ended =
        place.run(&[&arguments[..], &["--certificate", "certificate.json", "--report-dir", "reports"]].concat());
    assert!(ended.code == 1 && ended.output.contains(" Certificate none: `"), "{} {}", ended.output, ended.errors);
    assert!(!place.has("certificate.json"));
}

#[test]
fn a_run_replaces_no_file_that_is_not_a_certificate() {
    let place = Workplace::new();
    place.write("conformance.toml", "[target]");
    for (file, complaint) in
        [("conformance.toml", "conformance.toml is not a certificate: "), ("no/folder.json", "there is no folder no")]
    {
        let ended = place.run(&["run", "--reference", "--certificate", file]);
        assert!(ended.code == 2 && ended.errors.contains(complaint), "{}", ended.errors);
    }
    assert_eq!(place.read("conformance.toml"), "[target]");
}

#[test]
fn other_files_are_no_certificates() {
    let place = Workplace::new();
    for (text, complaint) in [
        (String::new(), "certificate.json is not a certificate: "),
        ("{\"format\":1}".to_owned(), "`run --certificate FILE` writes one"),
        (" ".repeat(65 * 1024), "certificate.json is longer than 64 KiB"),
    ] {
        place.write("certificate.json", &text);
        let ended = verified(&place, &[]);
        assert!(ended.code == 2 && ended.errors.contains(complaint), "{}", ended.errors);
    }
    let part = place.run(&["run", "--reference", "--only", "auth", "--certificate", "certificate.json"]);
    assert!(part.code == 2 && part.errors.contains("cannot be used with"), "{}", part.errors);
}
