//! Known failures do not fail a run. An outdated entry does.

use crate::support::cli::{Ended, Workplace, guarded};

/// Runs one requirement with one entry. The server responds to unknown keys with `status`, so the requirement fails with 200.
fn run(status: u16, entry: &str) -> (Ended, Workplace) {
    let fake = guarded(status);
    let place = Workplace::new();
    let text = format!(
        "[target]\nbase_url = \"{}\"\nwebsite_id = \"web_1\"\n[[known_failures]]\nid = \"auth.wrong-key.refused\"\n{entry}\n",
        fake.base_url
    );
    place.write("c.toml", &text);
    (place.run(&["run", "--config", "c.toml", "--only", "auth.wrong-key.refused", "--report-dir", "r"]), place)
}

#[test]
fn a_known_failure_is_shown_and_does_not_fail_the_run() {
    let (ended, place) = run(200, "reason = \"ticket 4711\"\nexpires = \"2999-01-01\"");
    assert_eq!(ended.code, 0, "{}", ended.output);
    assert!(ended.errors.contains("KNOWN") && ended.output.contains("ticket 4711"), "{}", ended.output);
    let report = place.json("r/report.json");
    assert_eq!(report["conclusion"], "partially-conformant");
    assert_eq!(report["summary"]["known"], 1);
    let row = &report["requirements"][0];
    assert_eq!(row["status"], "known");
    assert_eq!(row["reason"], "ticket 4711");
    assert!(row["failure"]["exchanges"][0]["curl"].is_string(), "the evidence is kept");
    assert!(place.read("r/report.html").contains("ticket 4711"));
    assert!(place.read("r/junit.xml").contains("<skipped"));
}

#[test]
fn an_expired_entry_fails_the_run_and_says_how_to_mend_it() {
    let (ended, place) = run(200, "reason = \"ticket 4711\"\nexpires = \"2020-02-29\"");
    assert_eq!(ended.code, 1, "{}", ended.output);
    assert!(ended.output.contains("expired on 2020-02-29 (ticket 4711): fix the fault"), "{}", ended.output);
    assert_eq!(place.json("r/report.json")["requirements"][0]["status"], "failed");
    assert!(place.json("r/report.json")["requirements"][0]["failure"].is_object());
}

#[test]
fn an_unexpected_pass_fails_the_run_and_says_how_to_mend_it() {
    let (ended, place) = run(404, "reason = \"ticket 4711\"");
    assert_eq!(ended.code, 1, "{}", ended.output);
    assert!(ended.output.contains("unexpected pass") && ended.output.contains("remove the entry"), "{}", ended.output);
    assert_eq!(place.json("r/report.json")["fix_first"][0]["urgency"], "known-failures");
    assert!(place.read("r/junit.xml").contains("unexpected pass"));
}

#[test]
fn an_entry_needs_a_reason_a_known_id_and_a_day() {
    for (entry, hint) in
        [("", "reason"), ("reason = \" \"", "empty reason"), ("reason = \"x\"\nexpires = \"soon\"", "2027-03-01")]
    {
        let (ended, _) = run(200, entry);
        assert_eq!(ended.code, 2, "{entry}: {}", ended.errors);
        assert!(ended.errors.contains(hint), "{entry}: {}", ended.errors);
    }
}
