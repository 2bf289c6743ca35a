//! `website pause`, `website resume` and `website set` while a server runs.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::program::{Server, assert_fails, run, text, value};
use crate::waiting::until_ok_blocking;

#[test]
fn a_website_that_a_command_pauses_takes_nothing_until_another_resumes_it() {
    let folder = TempDir::new().unwrap();
    let database = "sqlite:own.db";
    let server = Server::start(folder.path(), &["--demo", "--roles", "api", "--database", database]);
    let account = server.ready["accounts"][0].clone();
    let (key, website_id) = (account["api_key"].as_str().unwrap(), account["website_id"].as_str().unwrap());
    let command = |account: &str, verb: &str| {
        run(folder.path(), &["website", verb, "--database", database, "--account", account, "--id", website_id])
    };
    let order = json!({ "topic": "A demonstration", "website_id": website_id }).to_string();
    let ordered = || server.http("POST", "/api/v1/generate", key, &order);
    let lead = json!({ "email": "one@example.org" }).to_string();
    let captured = || server.http("POST", &format!("/capture/{website_id}"), key, &lead);

    // Send two requests, because the second may use a cached website.
    for _ in 0..2 {
        assert!(ordered()["job_id"].is_string());
    }
    assert_eq!(value(&command("harbour-bakery", "pause"), "status"), "paused");
    assert_eq!(ordered()["code"], "website_inactive");
    assert_eq!(captured()["code"], "website_inactive");
    let list =
        run(folder.path(), &["website", "list", "--database", database, "--account", "harbour-bakery", "--json"]);
    let listed: Vec<Value> = text(&list.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(listed.iter().any(|one| one["website_id"] == website_id && one["status"] == "paused"), "{listed:?}");
    assert_fails(&command("trail-workshop", "resume"), 2, "no website");

    assert_eq!(value(&command("harbour-bakery", "resume"), "status"), "active");
    assert!(ordered()["job_id"].is_string());
    assert_eq!(captured()["code"], Value::Null);
    assert_eq!(server.stop("-TERM"), Some(0));
    let file = rusqlite::Connection::open(folder.path().join("own.db")).unwrap();
    let mut entries = file
        .prepare(
            "SELECT actor, detail FROM audit_entries WHERE action = 'website.changed' AND subject = ? ORDER BY at, id",
        )
        .unwrap();
    let entries = entries.query_map([website_id], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let entries: Vec<(String, String)> = entries.map(Result::unwrap).collect();
    assert_eq!(entries, ["paused", "active"].map(|status| ("operator".to_owned(), status.to_owned())));
}

#[test]
fn a_website_that_a_command_gives_a_folder_publishes_files_there() {
    let folder = TempDir::new().unwrap();
    let database = "sqlite:own.db";
    std::fs::create_dir(folder.path().join("sites")).unwrap();
    let options = ["--demo", "--roles", "api,worker", "--database", database, "--publish-root", "sites"];
    let server = Server::start(folder.path(), &options);
    let account = server.ready["accounts"][0].clone();
    let (key, website_id) = (account["api_key"].as_str().unwrap(), account["website_id"].as_str().unwrap());
    let set = |more: &[&str]| {
        let command = ["website", "set", "--database", database, "--account", "harbour-bakery", "--id", website_id];
        run(folder.path(), &[&command, more].concat())
    };
    assert_fails(&set(&[]), 2, "--lead-retention");
    assert_fails(&set(&["--publish-to", "directory"]), 2, "--folder");
    assert_fails(&set(&["--publish-to", "directory", "--folder", "../x"]), 2, "the folder must have");
    assert_fails(&set(&["--publish-to", "directory", "--folder", "x", "--front-matter", "json"]), 2, "yaml or toml");
    assert_fails(&set(&["--publish-to", "push", "--push-url", "https://10.0.0.1/"]), 2, "--hook-allow-cidr");
    let pushed = set(&["--publish-to", "push", "--push-url", "https://cms.example/"]);
    assert!(value(&pushed, "secret").starts_with("whsec_"));
    let moved = set(&["--publish-to", "push", "--push-url", "https://cms.example/new"]);
    assert!(!text(&moved.stdout).contains("secret"), "it is shown once");
    let filed = set(&["--publish-to", "directory", "--folder", "posts", "--lead-retention", "90d"]);
    assert_eq!((value(&filed, "publish_to").as_str(), value(&filed, "lead_retention").as_str()), ("directory", "90d"));
    assert_fails(&set(&["--consent-text", "One\nTwo"]), 2, "plain text on one line");
    assert_fails(&set(&["--privacy-url", "ftp://a.example"]), 2, "privacy page must begin with https://");
    let asking = set(&["--consent-text", "Write to me."]);
    assert_eq!(
        (value(&asking, "consent_text").as_str(), value(&asking, "privacy_url").as_str()),
        ("Write to me.", "none")
    );
    let linked = set(&["--privacy-url", "https://a.example/privacy"]);
    assert_eq!(value(&linked, "consent_text"), "Write to me.", "an omitted setting is unchanged");
    let silent = set(&["--consent-text", ""]);
    assert_eq!(value(&silent, "consent_text"), "none");
    assert_fails(&set(&["--pages-at-url", "yes"]), 2, "write on or off");
    let placed = set(&["--pages-at-url", "on"]);
    assert_eq!((value(&placed, "pages_at_url").as_str(), value(&placed, "full_text_feed").as_str()), ("on", "off"));
    let full = set(&["--full-text-feed", "on"]);
    assert_eq!((value(&full, "pages_at_url").as_str(), value(&full, "full_text_feed").as_str()), ("on", "on"));
    let shown = server.http("GET", "/api/v1/websites", key, "")["items"].clone();
    let shown = shown.as_array().unwrap().iter().find(|one| one["website_id"] == website_id).unwrap().clone();
    assert_eq!((&shown["pages_at_url"], &shown["full_text_feed"]), (&json!(true), &json!(true)));
    assert_fails(&set(&["--double-opt-in", "yes"]), 2, "write on or off");
    assert_eq!(value(&set(&["--double-opt-in", "on"]), "double_opt_in"), "on");
    let list =
        run(folder.path(), &["website", "list", "--database", database, "--account", "harbour-bakery", "--json"]);
    let listed: Vec<Value> = text(&list.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let form = json!({ "consent_text": null, "privacy_url": "https://a.example/privacy", "double_opt_in": true });
    assert!(listed.iter().any(|one| one["website_id"] == website_id && one["lead_form"] == form), "{listed:?}");
    assert!(listed.iter().any(|one| one["website_id"] == website_id && one["publish_to"] == "directory"));
    assert!(listed.iter().any(|one| one["pages_at_url"] == true && one["full_text_feed"] == true), "{listed:?}");

    let order = json!({ "topic": "A demonstration", "website_id": website_id, "target_word_count": 200 }).to_string();
    let job_id = server.http("POST", "/api/v1/generate", key, &order)["job_id"].as_str().unwrap().to_owned();
    let slug = until_ok_blocking("the article is published", || {
        let article = server.http("GET", &format!("/api/v1/articles/{job_id}"), key, "");
        if article["status"] == "published" { Ok(article["slug"].as_str().unwrap().to_owned()) } else { Err(article) }
    });
    assert!(folder.path().join(format!("sites/posts/{slug}.md")).is_file());
    assert_eq!(server.stop("-TERM"), Some(0));
}

#[test]
fn a_command_sets_publishing_slots_beside_a_server_that_runs() {
    let folder = TempDir::new().unwrap();
    let database = "sqlite:own.db";
    let server = Server::start(folder.path(), &["--demo", "--roles", "api,worker", "--database", database]);
    let account = server.ready["accounts"][0].clone();
    let (key, website_id) = (account["api_key"].as_str().unwrap(), account["website_id"].as_str().unwrap());
    let set = |slots: &str| {
        let command = ["website", "set", "--database", database, "--account", "harbour-bakery", "--id", website_id];
        run(folder.path(), &[&command[..], &["--publishing-slots", slots]].concat())
    };
    let shown = || {
        let websites = server.http("GET", "/api/v1/websites", key, "")["items"].clone();
        let mut websites = websites.as_array().unwrap().clone();
        websites.retain(|website| website["website_id"] == website_id);
        websites[0]["publishing_slots"].clone()
    };
    assert_eq!(shown(), json!([]));
    assert_fails(&set("Dienstag 09:00"), 2, "“Dienstag” is neither a day of the week nor a time");
    assert_fails(&set("daily 24:00"), 2, "hours from 00 to 23");
    let told = set("tue,thu 9:00");
    assert_eq!(value(&told, "publishing_slots"), "Tue,Thu 09:00");
    assert_eq!(
        text(&told.stdout).lines().filter(|line| line.starts_with("next_slot: ") && line.contains("09:00 ")).count(),
        3
    );
    let slot = |day: &str| json!({ "weekday": day, "time": "09:00" });
    assert_eq!(shown(), json!([slot("tuesday"), slot("thursday")]));
    let list =
        run(folder.path(), &["website", "list", "--database", database, "--account", "harbour-bakery", "--json"]);
    let listed: Vec<Value> = text(&list.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(listed.iter().any(|one| one["website_id"] == website_id && one["publishing_slots"][1] == slot("thursday")));

    let order = json!({ "topic": "A demonstration", "website_id": website_id, "target_word_count": 200 }).to_string();
    let job_id = server.http("POST", "/api/v1/generate", key, &order)["job_id"].clone();
    let post = until_ok_blocking("the post has a time", || {
        let posts = server.http("GET", "/api/v1/scheduled_posts?limit=100", key, "");
        let post = posts["items"].as_array().unwrap().iter().find(|post| post["job_id"] == job_id).unwrap().clone();
        if post["publish_at"].is_string() { Ok(post) } else { Err(post) }
    });
    let publish_at: chrono::DateTime<chrono::Utc> = post["publish_at"].as_str().unwrap().parse().unwrap();
    let local = publish_at.with_timezone(&chrono_tz::Europe::London).format("%a %H:%M").to_string();
    assert!(["Tue 09:00", "Thu 09:00"].contains(&local.as_str()), "{local}");
    assert_eq!(value(&set("none"), "publishing_slots"), "none");
    assert_eq!(shown(), json!([]));

    let create = ["website", "create", "--database", database, "--account", "harbour-bakery", "--name", "Another one"];
    let more = ["--url", "https://other.example", "--publishing-slots", "Sat 10:00"];
    let made = value(&run(folder.path(), &[&create[..], &more].concat()), "website_id");
    assert_eq!(server.stop("-TERM"), Some(0));
    let file = rusqlite::Connection::open(folder.path().join("own.db")).unwrap();
    let one = |sql: &str, id: &str| file.query_row(sql, [id], |row| row.get::<_, String>(0)).unwrap();
    let details =
        "SELECT group_concat(detail, '; ') FROM audit_entries WHERE action = 'website.changed' AND subject = ?";
    assert_eq!(one(details, website_id), "publishing slots Tue,Thu 09:00; no publishing slots");
    let stored = "SELECT publishing_slots FROM websites WHERE id = ?";
    assert_eq!(one(stored, &made), r#"[{"weekday":"saturday","time":"10:00"}]"#);
}

#[test]
fn an_operator_deletes_a_website_and_then_its_account_while_a_server_runs() {
    let folder = TempDir::new().unwrap();
    let database = "sqlite:own.db";
    let server = Server::start(folder.path(), &["--demo", "--database", database]);
    let account = server.ready["accounts"][0].clone();
    let (key, website_id) = (account["api_key"].as_str().unwrap(), account["website_id"].as_str().unwrap());
    let delete = |what: &str, more: &[&str]| {
        let given = [what, "delete", "--database", database, "--account", "harbour-bakery"];
        run(folder.path(), &[&given[..], more].concat())
    };
    let website = |domain: &str| delete("website", &["--id", website_id, "--confirm", domain]);
    assert_fails(&website("example.invalid"), 2, "the domain must be the domain of the website");
    let websites = || server.http("GET", "/api/v1/websites", key, "")["items"].as_array().unwrap().clone();
    let url = websites().iter().find(|one| one["website_id"] == website_id).unwrap()["url"].clone();
    let domain = url.as_str().unwrap().split('/').nth(2).unwrap().to_owned();
    assert_eq!(value(&website(&domain), "deleted"), website_id);
    assert!(websites().iter().all(|one| one["website_id"] != website_id));
    assert_fails(&website(&domain), 2, "no website");
    assert_fails(&delete("account", &["--confirm", "harbour"]), 2, "must be the name of the account");
    assert!(value(&delete("account", &["--confirm", "harbour-bakery"]), "deleted").starts_with("acct_"));
    assert_eq!(server.http("GET", "/api/v1/websites", key, "")["code"], "invalid_credentials");
    assert_fails(&delete("account", &["--confirm", "harbour-bakery"]), 2, "no account named");
    assert_eq!(server.stop("-TERM"), Some(0));
}
