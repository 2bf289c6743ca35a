//! Tests the examples that read and write files.

use super::command::{output, program, text};
use super::{base_url, demonstration, http};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leads_are_exported_as_a_table_that_no_spreadsheet_runs() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    for number in 0..3 {
        let lead = format!(r#"{{"email":"reader{number}@example.com","name":"=1+1","message":"a, \"b\"\nc"}}"#);
        let request = http().post(format!("{}/capture/{}", base_url(&server), account.website_id));
        let answer = request.header("Content-Type", "application/json").body(lead).send().await.unwrap();
        assert!(answer.status().is_success());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leads.csv");
    let mut command = program(env!("CARGO_BIN_EXE_export_leads"));
    command.env("CONTENTGEN_BASE_URL", base_url(&server)).env("CONTENTGEN_API_KEY", &account.api_key);
    command.arg("--output").arg(&path);
    let done = output(command).await;
    assert!(done.status.success(), "{}", text(&done.stderr));
    let mut table = csv::Reader::from_path(&path).unwrap();
    assert_eq!(table.headers().unwrap().get(2), Some("email"));
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    for row in &rows {
        assert_eq!((&row[3], &row[6]), ("'=1+1", "a, \"b\"\nc"));
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_of_the_leads_is_brought_up_to_date_by_every_run() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    let capture = async |email: &str| {
        let request = http().post(format!("{}/capture/{}", base_url(&server), account.website_id));
        let request = request.header("Content-Type", "application/json").body(format!(r#"{{"email":"{email}"}}"#));
        assert!(request.send().await.unwrap().status().is_success());
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leads.json");
    let sync = async |option: Option<&str>| {
        let mut command = program(env!("CARGO_BIN_EXE_sync_leads"));
        command.env("CONTENTGEN_BASE_URL", base_url(&server)).env("CONTENTGEN_API_KEY", &account.api_key);
        command.args(option).arg(&path);
        let done = output(command).await;
        assert!(done.status.success(), "{}", text(&done.stderr));
        let copy: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        (text(&done.stdout).clone(), copy)
    };
    let emails = |copy: &serde_json::Value| {
        let mut emails: Vec<_> =
            copy["leads"].as_object().unwrap().values().map(|lead| lead["email"].clone()).collect();
        emails.sort_by_key(ToString::to_string);
        emails
    };
    let (told, copy) = sync(None).await;
    assert_eq!((told.as_str(), emails(&copy).len()), ("received: 0, erased: 0, in the copy: 0\n", 0));
    capture("ada@example.com").await;
    sync(None).await;
    capture("bob@example.com").await;
    let (told, copy) = sync(None).await;
    assert_eq!(
        (told.as_str(), emails(&copy)),
        ("received: 2, erased: 0, in the copy: 2\n", vec!["ada@example.com".into(), "bob@example.com".into()],)
    );
    assert!(copy["synced_at"].is_string(), "{copy}");
    // A run requests changes only: unchanged leads are not sent again.
    let mut old = copy.clone();
    old["synced_at"] = "2999-01-01T00:00:00Z".into();
    std::fs::write(&path, old.to_string()).unwrap();
    assert!(sync(None).await.0.starts_with("received: 0, "));
    let ada = copy["leads"].as_object().unwrap().values().find(|lead| lead["email"] == "ada@example.com").unwrap();
    let app = server.app();
    let owner = app.account(&account.name).await.unwrap();
    app.erase_lead(&owner, ada["id"].as_str().unwrap()).await.unwrap();
    let (told, copy) = sync(Some("--check-erased")).await;
    assert!(told.ends_with("erased: 1, in the copy: 1\n"), "{told}");
    assert_eq!(emails(&copy), ["bob@example.com"]);
    server.stop().await;
}

#[tokio::test]
async fn a_saved_hook_is_verified_on_its_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (headers, body) = (folder.path().join("headers"), folder.path().join("body"));
    let signature = "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=";
    let lines = format!(
        "Webhook-Id: msg_27UH4WbU6Z5A5EzD8u03UvzRbpk\r\nWebhook-Timestamp: 1649367553\r\nWebhook-Signature: {signature}\r\n"
    );
    std::fs::write(&headers, lines).unwrap();
    let verify = |bytes: &str, received_at: Option<&str>| {
        std::fs::write(&body, bytes).unwrap();
        let mut command = program(env!("CARGO_BIN_EXE_verify_by_hand"));
        command.env("CONTENTGEN_HOOK_SECRET", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD").arg(&headers).arg(&body);
        received_at.map(|time| command.arg("--received-at").arg(time));
        output(command)
    };
    let sent = r#"{"email":"test@example.com","username":"test_user"}"#;
    let genuine = verify(sent, None).await;
    assert!(genuine.status.success(), "{}", text(&genuine.stderr));
    assert!(text(&genuine.stdout).contains("msg_27UH4WbU6Z5A5EzD8u03UvzRbpk is genuine"));
    let changed = verify(&sent.replace("test_user", "root"), None).await;
    assert!(text(&changed.stderr).contains("no signature"), "{}", text(&changed.stderr));
    let late = verify(sent, Some("1649369999")).await;
    assert!(text(&late.stderr).contains("too long ago"), "{}", text(&late.stderr));
}
