//! `report diff`: the changes between two reports.

use serde_json::{Value, json};

use crate::support::cli::{COMMANDS, Ended, Workplace, assert_no_command, guarded};

const HOSTILE: &str = "</code><img src=x> | @everyone #1 www.example.org `\n# heading \u{1b}[2J\u{202e}";

/// Returns a report with these requirements and their statuses. Another suite with the same format may write it.
fn report(rows: &[(&str, &str)]) -> Value {
    let requirements: Vec<Value> = rows
        .iter()
        .map(|(id, status)| {
            let mut row = json!({ "id": id, "clause": "a clause", "status": status, "unheard-of": [] });
            if *status == "failed" {
                row["failure"] =
                    json!({ "expected": "a 404", "observed": "a 200", "repeat": "contentgen-conformance run" });
            }
            row
        })
        .collect();
    json!({
        "format": 1, "suite_version": "1.0.0", "document_version": "1.0.0", "document_sha256": "ab", "profile": "core",
        "target": { "base_url": "http://127.0.0.1:1" }, "seed": 1, "cases": 8, "is_whole": true,
        "requirements": requirements,
    })
}

fn diff(old: &Value, new: &Value, flags: &[&str]) -> Ended {
    let place = Workplace::new();
    place.write("old.json", &old.to_string());
    place.write("new/report.json", &new.to_string());
    place.run(&[&["report", "diff", "old.json", "new"], flags].concat())
}

fn ids(diff: &Value, list: &str) -> Vec<String> {
    let rows = diff[list].as_array().unwrap().iter();
    rows.map(|row| format!("{} {} {}", row["id"].as_str().unwrap(), row["old"], row["new"])).collect()
}

#[test]
fn a_run_that_broke_and_was_mended_is_told_from_one_that_stayed() {
    let place = Workplace::new();
    for (folder, fake) in [("good", guarded(404)), ("bad", guarded(200))] {
        let only = ["--only", "auth.wrong-key.refused", "--seed", "1", "--report-dir", folder];
        place.run(&[&["run", "--base-url", &fake.base_url], &only[..]].concat());
    }
    let broke = place.run(&["report", "diff", "good", "bad/report.json"]);
    assert_eq!(broke.code, 1, "{}", broke.errors);
    assert!(broke.output.contains("1 broke; 0 as before"), "{}", broke.output);
    assert!(
        broke.output.contains("<details>") && broke.output.contains("--only auth.wrong-key.refused"),
        "{}",
        broke.output
    );
    let mended = place.run(&["report", "diff", "bad", "good"]);
    assert!(mended.code == 0 && mended.output.contains("1 fixed"), "{}", mended.output);
    let same = place.run(&["report", "diff", "bad", "bad"]);
    let said = "### ✅ Conformance: nothing changed; 1 as before, 1 of them still failing\n";
    assert!(same.code == 0 && same.output == said, "{}", same.output);
}

#[test]
fn every_change_stands_in_one_list_in_the_order_of_ids() {
    let old = [
        ("z.broke", "passed"),
        ("a.broke", "skipped"),
        ("b.error", "inconclusive"),
        ("c.mended", "failed"),
        ("d.mended", "error"),
        ("e.gone", "failed"),
        ("f.known", "failed"),
        ("g.flaky", "passed"),
        ("h.open", "passed"),
        ("i.ran", "skipped"),
        ("j.warned", "passed"),
        ("k.still", "failed"),
        ("l.same", "passed"),
        ("o.set-up", "failed"),
    ];
    let new = [
        ("m.new", "passed"),
        ("n.new", "failed"),
        ("z.broke", "failed"),
        ("a.broke", "failed"),
        ("b.error", "error"),
        ("c.mended", "passed"),
        ("d.mended", "passed"),
        ("f.known", "known"),
        ("g.flaky", "flaky"),
        ("h.open", "inconclusive"),
        ("i.ran", "passed"),
        ("j.warned", "warned"),
        ("k.still", "failed"),
        ("l.same", "passed"),
        ("o.set-up", "error"),
    ];
    let ended = diff(&report(&old), &report(&new), &["--format", "json"]);
    assert_eq!(ended.code, 1);
    let diff: Value = serde_json::from_str(&ended.output).unwrap();
    let (failed, passed, error) = ("\"failed\"", "\"passed\"", "\"error\"");
    assert_eq!(
        ids(&diff, "broke"),
        [
            format!("a.broke \"skipped\" {failed}"),
            format!("b.error \"inconclusive\" {error}"),
            format!("z.broke {passed} {failed}")
        ]
    );
    assert_eq!(ids(&diff, "mended"), [format!("c.mended {failed} {passed}"), format!("d.mended {error} {passed}")]);
    assert_eq!(ids(&diff, "new"), [format!("m.new null {passed}"), format!("n.new null {failed}")]);
    assert_eq!(ids(&diff, "gone"), [format!("e.gone {failed} null")]);
    let changed = ids(&diff, "changed");
    assert_eq!(changed.iter().map(|row| &row[..1]).collect::<String>(), "fghijo", "{changed:?}");
    let counts = json!({
        "broke": 3, "mended": 2, "new": 2, "new_failing": 1, "gone": 1, "changed": 6, "same": 2, "still_failing": 1
    });
    assert_eq!(diff["counts"], counts);
}

#[test]
fn what_fails_without_having_failed_before_decides_the_exit_code() {
    let code =
        |old: &[(&str, &str)], new: &[(&str, &str)], flags: &[&str]| diff(&report(old), &report(new), flags).code;
    for status in ["warned", "flaky", "known", "skipped", "inconclusive"] {
        assert_eq!(code(&[("a", "passed")], &[("a", status)], &[]), 0, "{status}");
        assert_eq!(code(&[("a", status)], &[("a", "failed")], &[]), 1, "{status}");
    }
    assert_eq!(code(&[("a", "passed")], &[("a", "error")], &[]), 1);
    assert_eq!(code(&[], &[("a", "failed")], &[]), 1, "the old report does not contain it");
    assert_eq!(code(&[("a", "failed")], &[], &[]), 0);
    assert_eq!(code(&[("a", "failed")], &[("a", "error")], &[]), 0);
    assert_eq!(code(&[("a", "passed")], &[("a", "failed")], &["--exit-zero"]), 0);
}

#[test]
fn runs_that_were_not_alike_are_told_at_the_top_without_credentials() {
    let old = report(&[("a", "passed")]);
    let mut new = old.clone();
    new["profile"] = "full".into();
    new["document_version"] = "2.0.0".into();
    new["suite_version"] = "1.1.0".into();
    new["is_whole"] = false.into();
    new["target"]["base_url"] = "http://somebody:hidden@127.0.0.1:1/".into();
    for format in ["markdown", "text", "json"] {
        let ended = diff(&old, &new, &["--format", format]);
        assert_eq!(ended.code, 0, "{}", ended.errors);
        for part in ["document version", "suite version", "profile", "a part of the profile"] {
            assert!(ended.output.contains(part), "{part} is in {}", ended.output);
        }
        assert!(!ended.output.contains("hidden") && !ended.output.contains("somebody"), "{}", ended.output);
        assert!(!ended.output.contains("document hash"), "{}", ended.output);
    }
}

#[test]
fn what_a_report_says_is_no_markup_no_mention_and_moves_no_cursor() {
    let mut old = report(&[("a", "passed")]);
    let mut new = report(&[("a", "failed"), (HOSTILE, "skipped")]);
    for (report, value) in [(&mut old, "on"), (&mut new, HOSTILE)] {
        let choice = json!({ "operation": HOSTILE, "status": 200, "subject": HOSTILE, "values": [value], "is_documented": true,
            "allowed_by": HOSTILE });
        report["choices"] = json!([choice]);
    }
    new["document_version"] = HOSTILE.into();
    new["requirements"][0]["failure"] =
        json!({ "expected": HOSTILE, "observed": HOSTILE, "repeat": format!("{HOSTILE}```") });
    new["requirements"][1]["reason"] = HOSTILE.into();
    new["requirements"][1]["clause"] = HOSTILE.into();
    let comment = diff(&old, &new, &[]).output;
    let (prose, command) = comment.split_once("````").expect("the command is fenced");
    assert!(command.trim_end().ends_with("</details>"), "{command}");
    for part in ["<img", "@everyone", " #1", "www.example", "\n# heading", "\u{1b}", "\u{202e}"] {
        assert!(!prose.contains(part), "{part} is in {prose}");
    }
    for row in prose.lines().filter(|line| line.starts_with("| ")) {
        assert_eq!(row.matches('|').count(), 5, "{row}");
    }
    new["requirements"][0]["failure"]["repeat"] = format!("::x\n{COMMANDS}").into();
    new["requirements"][1]["reason"] = COMMANDS.into();
    new["choices"][0]["values"] = json!([COMMANDS]);
    for format in ["markdown", "text", "json"] {
        assert_no_command(&diff(&old, &new, &["--format", format]).output);
    }
    let json: Value = serde_json::from_str(&diff(&old, &new, &["--format", "json"]).output).unwrap();
    assert!(json.to_string().contains("##vso[task.setvariable"), "{json}");
    let text = diff(&old, &new, &["--format", "text"]).output;
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}') && text.lines().count() == 5, "{text}");
}

#[test]
fn a_comment_fits_and_says_how_much_does_not() {
    let ids: Vec<String> = (0..2_000).map(|number| format!("area.subject.clause-{number:04}")).collect();
    let rows = |status| ids.iter().map(|id| (id.as_str(), status)).collect::<Vec<_>>();
    let comment = diff(&report(&rows("passed")), &report(&rows("failed")), &[]).output;
    assert!(comment.chars().count() < 65_536, "{}", comment.len());
    let shown = comment.matches("<code>area.").count();
    assert!(comment.contains(&format!("{} more do not fit here", 2_000 - shown)), "{shown}");
}

#[test]
fn files_that_are_no_reports_are_refused_with_one_sentence_that_says_what_to_give() {
    let place = Workplace::new();
    place.write("good.json", &report(&[("a", "passed")]).to_string());
    place.write("noise.json", "\u{1b}[2J{");
    place.write("other.json", "{}");
    place.write("newer.json", &json!({ "format": 99 }).to_string());
    place.write("twice.json", &report(&[("a", "passed"), ("a", "failed")]).to_string());
    place.write("odd.json", &report(&[("a", "\u{1b}[2Jred")]).to_string());
    place.write("empty/nothing", "");
    let many: Vec<String> = (0..10_001).map(|number| number.to_string()).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|id| (id.as_str(), "passed")).collect();
    place.write("many.json", &report(&many).to_string());
    std::fs::File::create(place.path().join("long.json")).unwrap().set_len((64 << 20) + 1).unwrap();
    for (file, hint) in [
        ("missing.json", "cannot read missing.json"),
        ("empty", "the folder that `run --report-dir` wrote"),
        ("noise.json", "give a report.json that `run` wrote"),
        ("other.json", "missing field `format`"),
        ("newer.json", "format 99"),
        ("twice.json", "`a` twice"),
        ("odd.json", "unknown variant"),
        ("many.json", "more than 10000 requirements"),
        ("long.json", "longer than 64 MiB"),
    ] {
        for files in [["good.json", file], [file, "good.json"]] {
            let ended = place.run(&["report", "diff", files[0], files[1], "--exit-zero"]);
            assert_eq!(ended.code, 2, "{file}: {}", ended.errors);
            assert!(ended.errors.contains(hint) && ended.errors.contains(file), "{file}: {}", ended.errors);
            assert!(ended.errors.lines().count() == 1 && !ended.errors.contains('\u{1b}'), "{}", ended.errors);
            assert_eq!(ended.output, "");
        }
    }
}
