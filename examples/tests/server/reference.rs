//! Runs the curl commands of the reference in a shell. The reference shows the recorded responses, `docs/samples/responses.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Map, Value, json};

use super::command::output;
use super::{base_url, demonstration, idle};

/// Environment variable that makes the test record the responses anew, with any value.
const RECORD: &str = "CONTENTGEN_RECORD_RESPONSES";
/// Texts and lists are cut to these lengths in the record.
const MAX_CHARACTERS: usize = 240;
const MAX_ITEMS: usize = 2;

/// A shell with the variables that the commands use.
struct Shell {
    commands: BTreeMap<String, String>,
    variables: BTreeMap<&'static str, String>,
    responses: Map<String, Value>,
}

impl Shell {
    /// Runs the command of an operation, demands its status, and returns the body.
    async fn run(&mut self, operation: &str, status: u16) -> Value {
        let command = &self.commands[operation];
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{command} --silent --show-error --write-out '\n%{{http_code}}'"));
        shell.envs(&self.variables);
        let output = output(shell).await;
        let text = String::from_utf8(output.stdout).expect("the API sends UTF-8");
        let (body, seen) = text.rsplit_once('\n').expect("curl writes the status on a separate line");
        assert_eq!(seen, status.to_string(), "{command}\n{body}\n{}", String::from_utf8_lossy(&output.stderr));
        let body: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{command}: {error}: {body}"));
        self.responses.insert(operation.to_owned(), json!({ "status": status, "body": body.clone() }));
        body
    }

    fn set(&mut self, name: &'static str, body: &Value, pointer: &str) {
        let id = body.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("no {pointer} in {body}"));
        self.variables.insert(name, id.to_owned());
    }
}

/// Returns the command of each operation, as the page of the reference shows it.
fn commands(page: &str) -> BTreeMap<String, String> {
    let sections = page.split("<section class=\"operation\" id=\"").skip(1);
    let commands = sections.filter_map(|section| {
        let (operation, rest) = section.split_once('"')?;
        let (_, rest) = rest.split_once("Call it</figcaption><pre class=\"code\"><code>")?;
        let command = rest.split("</code>").next()?;
        let command = command.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        Some((operation.to_owned(), command))
    });
    commands.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_of_the_reference_runs_and_gets_the_recorded_response() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    let page = reqwest::get(format!("{}/docs", base_url(&server))).await.unwrap().text().await.unwrap();
    let mut shell = Shell { commands: commands(&page), variables: BTreeMap::new(), responses: Map::new() };
    shell.variables.insert("CONTENTGEN_BASE_URL", base_url(&server));
    shell.variables.insert("CONTENTGEN_API_KEY", account.api_key.clone());
    shell.variables.insert("CONTENTGEN_WEBSITE_ID", account.website_id.clone());
    // Only a webhook has the token of a confirmation.
    shell.variables.insert("TOKEN", "unknown".to_owned());

    let queued = shell.run("generate", 202).await;
    shell.set("JOB_ID", &queued, "/job_id");
    shell.set("SCHEDULED_POST_ID", &queued, "/scheduled_post_id");
    let job = loop {
        let job = shell.run("get_job", 200).await;
        if job["done"] == true {
            break job;
        }
    };
    shell.set("ARTICLE_ID", &job, "/article_id");
    shell.run("capture_lead", 202).await;
    let leads = shell.run("list_leads", 200).await;
    shell.set("LEAD_ID", &leads, "/items/0/id");
    for operation in
        ["get_article", "list_articles", "get_lead", "list_scheduled_posts", "get_scheduled_post", "list_websites"]
    {
        shell.run(operation, 200).await;
    }
    for operation in ["show_confirmation", "confirm_lead"] {
        shell.run(operation, 404).await;
    }
    // On this server no job ends by itself.
    let waiting = idle().await;
    let account = &waiting.accounts()[0];
    shell.variables.insert("CONTENTGEN_BASE_URL", base_url(&waiting));
    shell.variables.insert("CONTENTGEN_API_KEY", account.api_key.clone());
    shell.variables.insert("CONTENTGEN_WEBSITE_ID", account.website_id.clone());
    let queued = shell.run("generate", 202).await;
    shell.set("JOB_ID", &queued, "/job_id");
    shell.run("cancel_job", 200).await;

    let ran: BTreeSet<_> = shell.responses.keys().collect();
    assert_eq!(ran, shell.commands.keys().collect());
    compare_with_record(&shell.responses);
    server.stop().await;
    waiting.stop().await;
}

/// Compares status and fields of the responses with the record, or writes it.
fn compare_with_record(responses: &Map<String, Value>) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/samples/responses.json");
    if std::env::var_os(RECORD).is_some() {
        let record: Map<String, Value> =
            responses.iter().map(|(operation, response)| (operation.clone(), masked(response))).collect();
        std::fs::write(&path, serde_json::to_string_pretty(&record).expect("JSON can be written") + "\n")
            .expect("the record can be written");
    }
    let record: Value =
        serde_json::from_str(&std::fs::read_to_string(&path).expect("there is a record")).expect("the record is JSON");
    for (operation, response) in responses {
        let recorded = &record[operation];
        assert_eq!(recorded["status"], response["status"], "{operation}: record it with {RECORD}=1");
        assert!(
            has_same_fields(&recorded["body"], &masked(&response["body"])),
            "{operation} has other fields than its record: run the test with {RECORD}=1, then `cargo xtask codegen`\n{recorded}\n{response}"
        );
    }
}

/// Returns true if two values have the same fields. Null matches anything, and only the first item of a list is compared.
fn has_same_fields(recorded: &Value, seen: &Value) -> bool {
    match (recorded, seen) {
        (Value::Object(recorded), Value::Object(seen)) => {
            recorded.keys().eq(seen.keys()) && recorded.iter().all(|(name, value)| has_same_fields(value, &seen[name]))
        }
        (Value::Array(recorded), Value::Array(seen)) => {
            recorded.first().zip(seen.first()).is_none_or(|(recorded, seen)| has_same_fields(recorded, seen))
        }
        (Value::Null, _) | (_, Value::Null) => true,
        (recorded, seen) => std::mem::discriminant(recorded) == std::mem::discriminant(seen),
    }
}

/// Masks ids, times, addresses and page tokens, and shortens long texts and lists.
fn masked(value: &Value) -> Value {
    match value {
        Value::String(text) => masked_text(text).into(),
        Value::Array(items) => items.iter().take(MAX_ITEMS).map(masked).collect(),
        Value::Object(fields) => {
            let masked = fields.iter().map(|(name, value)| {
                let is_token = name == "next_page" && value.is_string();
                (name.clone(), if is_token { json!("pt1.…") } else { masked(value) })
            });
            Value::Object(masked.collect())
        }
        other => other.clone(),
    }
}

fn masked_text(text: &str) -> String {
    if text.ends_with('Z') && chrono::DateTime::parse_from_rfc3339(text).is_ok() {
        return "2026-11-02T08:00:00.000Z".to_owned();
    }
    let mut masked = String::new();
    for word in text.split_inclusive(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')) {
        let end = word.trim_end_matches(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
        let id =
            end.split_once('_').filter(|(_, id)| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match id {
            Some((kind, _)) => masked.extend([kind, "_…", &word[end.len()..]]),
            None => masked.push_str(word),
        }
    }
    if let Some((before, rest)) = masked.split_once("http://127.0.0.1:") {
        let after = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        masked = format!("{before}https://content.example{after}");
    }
    match masked.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &masked[..end]),
        None => masked,
    }
}
