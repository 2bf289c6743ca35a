//! `leads`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;

use contentgen_server_stub::server::Running;

use super::program::{at, contentgen, run};
use super::server::{base_url, capture, demonstration};

const FORM: &str = r#"{"email":"ada@example.com","name":"=1+1","message":"a, \"b\"\nc","phone":"+49 30 1234567",
    "fields":{"plan":"large"},"consent":{"given":true}}"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_get_a_table_and_programs_one_document_on_each_line() {
    let server = demonstration().await;
    let none = run(at(&server, &["leads"])).await.well();
    assert_eq!((none.output.as_str(), none.error.as_str()), ("", "no leads\n"));
    capture(&server, FORM).await;
    capture(&server, r#"{"email":"bob@example.com"}"#).await;
    let people = run(at(&server, &["leads", "--show-personal"])).await.well();
    let lines: Vec<&str> = people.output.lines().collect();
    assert_eq!(lines.len(), 3, "{people:?}");
    assert!(lines[0].starts_with("ID") && lines[1].contains("bob@") && lines[2].contains("a, \"b\" c"), "{people:?}");
    let column = |line: &str, word: &str| line.find(word).unwrap();
    assert_eq!(column(lines[0], "EMAIL"), column(lines[2], "ada@"), "{people:?}");
    assert_eq!(people.error, "leads: 2\n");
    let program = run(at(&server, &["leads", "--json", "--show-personal"])).await.well();
    let leads = program.json_lines();
    assert_eq!((leads.len(), &leads[1]["fields"]["plan"]), (2, &serde_json::json!("large")));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn personal_data_is_listed_only_on_request() {
    let server = demonstration().await;
    capture(&server, FORM).await;
    let people = run(at(&server, &["leads"])).await.well();
    assert!(people.output.contains("lead_") && people.output.contains("CONFIRMATION"), "{people:?}");
    assert_eq!(people.error, "leads: 1\npersonal data is hidden; --show-personal shows it\n");
    let program = run(at(&server, &["leads", "--json"])).await.well();
    let lead = program.json_lines().remove(0);
    assert!(lead["captured_at"].is_string() && lead["id"].is_string(), "{program:?}");
    for shown in [&people.output, &program.output] {
        for told in ["ada@", "1+1", "+49", "large", "\"b\""] {
            assert!(!shown.contains(told), "{told} in {shown}");
        }
    }
    // Naming a field asks for it.
    let chosen = run(at(&server, &["leads", "--json=email"])).await.well();
    assert_eq!(chosen.json_lines(), [serde_json::json!({ "email": "ada@example.com" })]);
    let one = run(at(&server, &["leads", "get", lead["id"].as_str().unwrap()])).await.well();
    assert!(one.output.contains("ada@example.com"), "{one:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spreadsheets_get_a_table_that_they_do_not_run() {
    let server = demonstration().await;
    let empty = run(at(&server, &["leads", "--csv"])).await.well();
    let head = "\u{feff}\"id\",\"captured_at\",";
    assert!(empty.output.starts_with(head) && empty.output.lines().count() == 1, "{empty:?}");
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
    assert!(raw.output.starts_with("\"id\",") && raw.output.contains(",\"=1+1\",\""), "{raw:?}");
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

/// Returns the table that the dashboard of the first account exports.
async fn exported(server: &Running) -> String {
    let dashboard = server.dashboard_url().expect("the demonstration has a dashboard");
    let link = server.sign_in_url(&server.accounts()[0]).expect("the demonstration has a dashboard");
    let path = link.strip_prefix(&dashboard).expect("the link leads to the dashboard");
    // A redirect would lose the cookies that come with it.
    let builder = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    let browser = builder.build().expect("the configuration is complete");
    let (mut cookies, mut page) = (BTreeMap::new(), String::new());
    for (is_form, path) in [(false, path), (true, path), (false, "/leads"), (true, "/leads/export")] {
        let url = format!("{dashboard}{path}");
        let token = page.split("name=\"csrf\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        let form = format!("csrf={}", token.unwrap_or_default());
        let request = if is_form {
            let request = browser.post(url).header("Content-Type", "application/x-www-form-urlencoded");
            request.header("Origin", base_url(server)).body(form)
        } else {
            browser.get(url)
        };
        let line: Vec<_> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let response = request.header("Cookie", line.join("; ")).send().await.expect("the dashboard answers");
        for set in response.headers().get_all("Set-Cookie") {
            let cookie = set.to_str().ok().and_then(|set| set.split(';').next()?.split_once('='));
            cookies.extend(cookie.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
        page = response.text().await.expect("the page arrives");
    }
    page
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_dashboard_and_the_command_line_write_the_same_table() {
    let server = demonstration().await;
    let fields: serde_json::Map<_, _> = (0..9).map(|number| (format!("f{number}"), "x".into())).collect();
    for text in ["=1+1", "+49 30 1", "-2+3", "@a", "＝1", "\t=1", "a;b, \"c\"\r\nd", "\u{1b}[2J", "##[add-mask]x", ":"]
    {
        let form = serde_json::json!({
            "email": "ada@example.com", "phone": "+44 (0)20 7946 0000", "name": text, "company": text, "message": text,
            "fields": fields, "consent": { "given": true, "text": text },
            "source": { "form_id": text, "page_url": "https://a.example/?a=1", "utm": { "b": text, "a": text } },
        });
        capture(&server, &form.to_string()).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leads.csv");
    run(at(&server, &["leads", "--csv", "--output", path.to_str().unwrap()])).await.well();
    let table = std::fs::read_to_string(path).unwrap();
    assert_eq!(table, exported(&server).await);
    // The shell's redirection writes the same bytes.
    let redirected = folder.path().join("redirected.csv");
    let mut command = at(&server, &["leads", "--csv"]);
    command.stdout(std::fs::File::create(&redirected).unwrap());
    assert!(tokio::task::block_in_place(|| command.status().unwrap()).success());
    assert_eq!(std::fs::read_to_string(redirected).unwrap(), table);
    // A CI system runs commands only from the output.
    let shown = run(at(&server, &["leads", "--csv"])).await.well().output;
    assert_eq!(shown, table.replace("##[", "##\\["));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_pages_are_walked_up_to_the_limit() {
    let server = demonstration().await;
    for number in 0..103 {
        capture(&server, &format!(r#"{{"email":"reader{number}@example.com"}}"#)).await;
    }
    let list = |words: &[&str]| run(at(&server, &[&["leads", "--json"], words].concat()));
    let all = list(&["--all"]).await.well().json_lines();
    let ids: BTreeSet<String> = all.iter().map(|lead| lead["id"].to_string()).collect();
    assert_eq!((all.len(), ids.len()), (103, 103));
    assert_eq!(list(&["--limit", "102"]).await.well().json_lines(), all[..102]);
    assert_eq!(list(&["--limit", "2"]).await.well().json_lines(), all[..2]);
    // No leads would look like an empty list.
    assert!(list(&["--limit", "0"]).await.with(2).error.contains("--limit"));
    assert_eq!(list(&["--since", "1h", "--all"]).await.well().json_lines().len(), 103);
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
