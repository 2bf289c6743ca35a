//! The command as scripts use it: exit codes, messages, reports. The servers break the contract.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::{Fake, answer};

const KEY: &str = "cg_live_0123456789abcdefSECRET";

fn command(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contentgen-conformance"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("CONTENTGEN_OTHER_API_KEY")
        .env_remove("CONTENTGEN_LIMITED_API_KEY")
        .env_remove("CONTENTGEN_WEBSITE_ID")
        .env_remove("GITHUB_ACTIONS")
        .env("CONTENTGEN_API_KEY", KEY)
        .output()
        .unwrap()
}

fn run(fake: &Fake, more: &[&str]) -> (i32, String, String, serde_json::Value) {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["run", "--base-url", &fake.base_url, "--report-dir", "reports", "--seed", "7"];
    arguments.extend(more);
    let output = command(&arguments, folder.path());
    let report = std::fs::read_to_string(folder.path().join("reports/report.json")).unwrap_or_default();
    (
        output.status.code().unwrap(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
        serde_json::from_str(&report).unwrap_or_default(),
    )
}

#[test]
fn a_server_that_answers_200_to_everything_is_not_conformant_and_the_summary_names_what_is_broken() {
    let fake = Fake::constant(200, "{}");
    let (code, summary, _, report) = run(&fake, &[]);
    assert_eq!(code, 1, "{summary}");
    for id in ["auth.missing.refused", "generate.documented.accepted", "generate.invalid.required", "pages.walk.ends"] {
        assert!(summary.contains(&format!("FAIL {id}")), "{id} in {summary}");
    }
    assert_eq!(report["conclusion"], "not-conformant");
    let first = summary.lines().find(|line| line.contains("Fix first")).unwrap();
    assert!(first.contains("security"), "{first}");
    assert!(report["summary"]["passed"].as_u64().unwrap() < 25, "{}", report["summary"]);
}

#[test]
fn who_refuses_in_the_wrong_words_is_not_called_insecure() {
    let fake = Fake::start(|seen| {
        let is_setting_up = seen.path.ends_with("/websites?limit=100");
        answer(if is_setting_up { 200 } else { 404 }, &[("content-type", "application/json")], b"{\"items\":[]}")
    });
    let (code, summary, _, report) = run(&fake, &["--only", "auth"]);
    assert_eq!(code, 1, "{summary}");
    let urgencies: Vec<_> = report["fix_first"].as_array().unwrap().iter().map(|entry| &entry["urgency"]).collect();
    assert!(!urgencies.is_empty() && urgencies.iter().all(|urgency| **urgency != "security"), "{urgencies:?}");
}

#[test]
fn a_server_that_answers_200_to_everything_breaks_the_core_profile_too() {
    let fake = Fake::constant(200, "{}");
    let (code, summary, ..) = run(&fake, &["--profile", "core"]);
    assert_eq!(code, 1, "{summary}");
    assert!(summary.contains("FAIL auth.missing.refused"), "{summary}");
}

#[test]
fn a_refused_key_ends_with_3_and_one_sentence() {
    let fake = Fake::constant(401, "{}");
    let (code, summary, errors, _) = run(&fake, &[]);
    assert_eq!(code, 3);
    assert_eq!(summary, "");
    assert!(errors.starts_with("error: ") && errors.contains("refuses the API key"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn an_unreachable_target_ends_with_3_and_one_sentence() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output = command(&["run", "--base-url", &format!("http://{closed}")], folder.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3));
    assert!(errors.contains("cannot be reached"), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn wrong_flags_and_broken_configuration_end_with_2() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("odd.toml"), "[target]\nbase_url = \"http://127.0.0.1:1\"\ncolour = 1\n")
        .unwrap();
    std::fs::write(
        folder.path().join("keyless.toml"),
        "[target]\nbase_url = \"http://127.0.0.1:1\"\napi_key_env = \"NO_SUCH_KEY\"\n",
    )
    .unwrap();
    for (name, hooks) in [
        ("wandering.toml", "listen = \"127.0.0.1:0\""),
        ("patient.toml", "register = [\"true\"]\nretry_within = \"5m\""),
        ("shell.toml", "register = [\"sh\", \"-c\", \"./register {url}\"]"),
    ] {
        let text = format!("[target]\nbase_url = \"http://127.0.0.1:1\"\n[hooks]\n{hooks}\n");
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    for (arguments, hint) in [
        (vec!["run"], "--reference"),
        (vec!["run", "--base-url", "http://x", "--reference"], "cannot be used with"),
        (vec!["run", "--base-url", "nonsense"], "nonsense"),
        (vec!["run", "--base-url", "http://me:hush@127.0.0.1:1"], "contains a user or password"),
        (vec!["run", "--base-url", "http://127.0.0.1:1", "--cases", "0"], "--cases"),
        (vec!["run", "--base-url", "http://127.0.0.1:1", "--profile", "half"], "core"),
        (vec!["run", "--base-url", "http://127.0.0.1:1/api/v1/"], "use `http://127.0.0.1:1`"),
        (vec!["run", "--base-url", "http://127.0.0.1:1?key=x"], "a query or a fragment"),
        (vec!["run", "--config", "missing.toml"], "missing.toml"),
        (vec!["run", "--config", "wandering.toml"], "hooks.listen"),
        (vec!["run", "--config", "patient.toml"], "at most 60s"),
        (vec!["run", "--config", "shell.toml"], "\"$CONTENTGEN_HOOK_URL\""),
        (vec!["run", "--config", "odd.toml"], "colour"),
        (vec!["run", "--config", "keyless.toml"], "NO_SUCH_KEY"),
        (vec!["explain", "generate.no-such-thing"], "did you mean"),
    ] {
        let output = command(&arguments, folder.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(hint), "{arguments:?}: {errors}");
        assert!(!errors.contains("panicked"), "{errors}");
    }
}

#[test]
fn a_run_that_selects_nothing_ends_with_4() {
    let fake = Fake::constant(200, "{}");
    for (patterns, named) in [
        (vec!["--only", "no.such.requirement"], "--only `no.such.requirement`"),
        (vec!["--only", "jobs", "--skip", "jobs"], "--skip `jobs`"),
    ] {
        let (code, summary, errors, _) = run(&fake, &patterns);
        assert_eq!(code, 4, "{summary}");
        assert!(errors.starts_with("error: ") && errors.contains(named), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}

#[test]
fn a_pattern_that_matches_nothing_is_named_even_when_others_match() {
    let fake = Fake::constant(200, "{}");
    let (code, _, errors, _) = run(&fake, &["--only", "auth.missing", "--only", "jbos"]);
    assert_eq!(code, 1);
    assert!(errors.contains("--only `jbos` matches no requirement"), "{errors}");
}

#[test]
fn skipped_requirements_are_never_counted_as_passed() {
    let fake = Fake::constant(200, "{}");
    let (code, summary, _, report) = run(&fake, &["--only", "isolation", "--only", "hooks"]);
    assert_eq!(code, 4, "{summary}");
    assert_eq!(report["summary"]["passed"], 0);
    assert!(report["summary"]["skipped"].as_u64().unwrap() > 20);
    assert!(summary.contains("no second account is configured"), "{summary}");
}

#[test]
fn endless_bodies_end_the_run_with_a_finding() {
    let endless = "x".repeat(9 << 20);
    let fake = Fake::start(move |_| answer(200, &[], endless.as_bytes()));
    let (code, summary, ..) = run(&fake, &["--only", "generate.documented", "--only", "jobs.finish"]);
    assert_eq!(code, 1, "{summary}");
    assert!(summary.contains("a response body over 8 MiB"), "{summary}");
}

#[test]
fn a_silent_server_ends_the_run_with_3_after_the_configured_time() {
    let fake = Fake::start(|_| {
        loop {
            std::thread::park();
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let text = format!("[target]\nbase_url = \"{}\"\n[limits]\ntimeout = \"1s\"\n", fake.base_url);
    std::fs::write(folder.path().join("slow.toml"), text).unwrap();
    let output = command(&["run", "--config", "slow.toml"], folder.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("no complete response within 1 s"), "{errors}");
}

#[test]
fn bytes_that_are_no_http_are_a_finding() {
    let fake = Fake::start(|_| b"SMTP 220 hello\r\n".to_vec());
    let (code, summary, ..) = run(&fake, &["--only", "generate.documented"]);
    assert_eq!(code, 1, "{summary}");
    assert!(summary.contains("broken HTTP"), "{summary}");
}

#[test]
fn redirects_are_not_followed_and_the_key_goes_nowhere_else() {
    let elsewhere = Fake::constant(200, "{}");
    let location = format!("{}/stolen", elsewhere.base_url);
    let fake = Fake::start(move |_| answer(307, &[("location", &location)], b""));
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_contentgen-conformance"))
        .args(["run", "--base-url", &fake.base_url, "--only", "generate"])
        .current_dir(folder.path())
        .env("CONTENTGEN_API_KEY", KEY)
        .env("CONTENTGEN_WEBSITE_ID", "web_1")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(elsewhere.seen.lock().unwrap().is_empty());
}

#[test]
fn a_server_that_echoes_the_key_is_caught_and_the_key_shows_nowhere() {
    let fake = Fake::start(|seen| {
        let echo = format!("{{\"items\":[],\"you_sent\":\"{}\"}}", seen.header("authorization").unwrap_or_default());
        answer(200, &[("content-type", "application/json")], echo.as_bytes())
    });
    let folder = tempfile::tempdir().unwrap();
    let output =
        command(&["run", "--base-url", &fake.base_url, "--only", "auth", "--report-dir", "reports"], folder.path());
    let summary = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(summary.contains("FAIL auth.key.never-echoed"), "{summary}");
    let mut everything = format!("{summary}{}", String::from_utf8_lossy(&output.stderr));
    for name in ["report.json", "junit.xml"] {
        everything += &std::fs::read_to_string(folder.path().join("reports").join(name)).unwrap();
    }
    assert!(!everything.contains(KEY));
    assert!(everything.contains("[masked]"));
}

#[test]
fn the_time_budget_ends_a_run() {
    let fake = Fake::constant(200, "{}");
    let (_, summary, _, report) = run(&fake, &["--max-time", "1s"]);
    let left = report["requirements"]
        .as_array()
        .unwrap()
        .iter()
        .any(|row| row["reason"].as_str().is_some_and(|reason| reason.contains("--max-time")));
    assert!(left, "{summary}");
}

#[test]
fn list_prints_the_catalogue_and_explain_every_entry_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let listed = command(&["list", "--json"], folder.path());
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&listed.stdout).unwrap();
    assert!(rows.len() >= 150, "{}", rows.len());
    let core = command(&["list", "--profile", "core", "--json"], folder.path());
    let core: Vec<serde_json::Value> = serde_json::from_slice(&core.stdout).unwrap();
    assert!(core.len() >= 15 && core.len() < rows.len());
    for row in rows.iter().step_by(10) {
        let explained = command(&["explain", row["id"].as_str().unwrap()], folder.path());
        let text = String::from_utf8_lossy(&explained.stdout).into_owned();
        assert!(explained.status.success());
        assert!(text.contains(row["clause"].as_str().unwrap()), "{text}");
    }
}

#[test]
fn the_schemas_of_configuration_and_report_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, member) in [(vec!["schema"], "target"), (vec!["schema", "report"], "requirements")] {
        let output = command(&arguments, folder.path());
        let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(schema["properties"][member].is_object(), "{schema}");
    }
}

#[test]
fn jobs_that_never_finish_are_a_finding() {
    let fake = Fake::start(|seen| {
        let json = [("content-type", "application/json")];
        if seen.path.contains("/jobs/") || seen.path.ends_with("/generate") {
            return answer(
                if seen.method == "POST" { 202 } else { 200 },
                &json,
                br#"{"job_id":"1","status":"queued"}"#,
            );
        }
        answer(404, &json, b"{}")
    });
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "[target]\nbase_url = \"{}\"\nwebsite_id = \"w\"\n[article]\nready_within = \"500ms\"\n",
        fake.base_url
    );
    std::fs::write(folder.path().join("stuck.toml"), text).unwrap();
    // `patience` shows that such a job shortens the waiting time of other checks.
    let arguments = ["run", "--config", "stuck.toml", "--only", "jobs.finish", "--only", "articles.fetch"];
    let output = command(&arguments, folder.path());
    let summary = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{summary}");
    assert!(summary.contains("FAIL jobs.finish.in-time"), "{summary}");
}

#[test]
fn prove_says_what_it_cannot_work_with() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, said) in [
        (["prove", "--only", "no.such-fault"], "no fault matches --only"),
        (["prove", "--config", "missing.toml"], "missing.toml"),
    ] {
        let output = command(&arguments, folder.path());
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains(said), "{complaint}");
    }
}
