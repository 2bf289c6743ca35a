//! `leads`.

use std::collections::BTreeSet;
use std::process::Stdio;

use super::program::{at, contentgen, run};
use super::server::{capture, demonstration};

const FORM: &str = r#"{"email":"ada@example.com","name":"=1+1","message":"a, \"b\"\nc","phone":"+49 30 1234567",
    "fields":{"plan":"large"},"consent":{"given":true}}"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_get_a_table_and_programs_one_document_on_each_line() {
    let server = demonstration().await;
    let none = run(at(&server, &["leads"])).await.well();
    assert_eq!((none.output.as_str(), none.error.as_str()), ("", "no leads\n"));
    capture(&server, FORM).await;
    capture(&server, r#"{"email":"bob@example.com"}"#).await;
    let people = run(at(&server, &["leads"])).await.well();
    let lines: Vec<&str> = people.output.lines().collect();
    assert_eq!(lines.len(), 3, "{people:?}");
    assert!(
        lines[0].starts_with("CAPTURED") && lines[1].contains("bob@") && lines[2].contains("a, \"b\" c"),
        "{people:?}"
    );
    let column = |line: &str, word: &str| line.find(word).unwrap();
    assert_eq!(column(lines[0], "EMAIL"), column(lines[2], "ada@"), "{people:?}");
    assert_eq!(people.error, "leads: 2\n");
    let program = run(at(&server, &["leads", "--json"])).await.well();
    let leads = program.json_lines();
    assert_eq!((leads.len(), &leads[1]["fields"]["plan"]), (2, &serde_json::json!("large")));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spreadsheets_get_a_table_that_they_do_not_run() {
    let server = demonstration().await;
    let empty = run(at(&server, &["leads", "--csv"])).await.well();
    assert!(empty.output.starts_with("id,captured_at,") && empty.output.lines().count() == 1, "{empty:?}");
    capture(&server, FORM).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leads.csv");
    // A world-readable file is replaced by a private one.
    std::fs::write(&path, "old").unwrap();
    run(at(&server, &["leads", "--csv", "--output", path.to_str().unwrap()])).await.well();
    let mut table = csv::Reader::from_path(&path).unwrap();
    let names = table.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let cell = |name: &str| rows[0].get(names.iter().position(|column| column == name).unwrap()).unwrap();
    assert_eq!((cell("name"), cell("message")), ("'=1+1", "a, \"b\"\nc"));
    assert!(cell("phone").starts_with("+49"), "a telephone number is no formula: {rows:?}");
    assert!(cell("captured_at").ends_with('Z') && cell("consent_at").ends_with('Z'), "{rows:?}");
    assert_eq!(cell("updated_at"), cell("captured_at"));
    let raw = run(at(&server, &["leads", "--csv", "--raw"])).await.well();
    assert!(raw.output.contains(",=1+1,") && raw.output.contains(",+49"), "{raw:?}");
    run(contentgen(&["leads", "--raw"])).await.with(2);
    assert_eq!((cell("fields"), cell("consent_given")), (r#"{"plan":"large"}"#, "true"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "a file of leads is its owner's only");
    }
    let both = run(contentgen(&["leads", "--csv", "--json"])).await.with(2);
    assert!(both.json_error()["message"].as_str().unwrap().contains("together"), "{both:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_pages_are_walked_up_to_the_limit() {
    let server = demonstration().await;
    for number in 0..103 {
        capture(&server, &format!(r#"{{"email":"reader{number}@example.com"}}"#)).await;
    }
    let list = |words: &[&str]| run(at(&server, &[&["leads", "--json"], words].concat()));
    let all = list(&[]).await.well().json_lines();
    let ids: BTreeSet<String> = all.iter().map(|lead| lead["id"].to_string()).collect();
    assert_eq!((all.len(), ids.len()), (103, 103));
    assert_eq!(list(&["--limit", "102"]).await.well().json_lines(), all[..102]);
    assert_eq!(list(&["--limit", "2"]).await.well().json_lines(), all[..2]);
    assert_eq!(list(&["--limit", "0"]).await.well().output, "");
    assert_eq!(list(&["--since", "1h"]).await.well().json_lines().len(), 103);
    assert_eq!(list(&["--until", "1h"]).await.well().output, "");
    assert_eq!(list(&["--since", "2099-01-01"]).await.well().output, "");
    let newest = all[0]["updated_at"].as_str().unwrap();
    assert!(list(&["--updated-since", newest]).await.well().json_lines().contains(&all[0]));
    assert_eq!(list(&["--updated-since", "2099-01-01"]).await.well().output, "");
    assert_eq!(list(&["--article-id", "art_nothing"]).await.well().output, "");
    let wrong = run(at(&server, &["leads", "--since", "yesterday"])).await.with(2);
    assert!(wrong.error.contains("7d"), "{wrong:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_goes_away_is_no_failure() {
    let server = demonstration().await;
    capture(&server, FORM).await;
    for words in [&["leads"][..], &["leads", "--csv"], &["leads", "--json"], &["completions", "zsh"]] {
        let mut command = at(&server, words);
        let (status, error) = tokio::task::block_in_place(|| {
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            // Closes the pipe before the program has a response to write.
            drop(child.stdout.take());
            let ended = child.wait_with_output().unwrap();
            (ended.status, String::from_utf8(ended.stderr).unwrap())
        });
        assert_eq!((status.code(), error.as_str()), (Some(0), ""), "{words:?}");
    }
    server.stop().await;
}
