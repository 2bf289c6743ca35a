//! Backups as an operator makes and restores them.

use std::fs;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use super::program::{Server, assert_fails, run, text, value};

/// Returns the names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_backup_of_a_running_server_is_restored_with_its_key_file() {
    let (folder, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let server = Server::start(folder.path(), &["--demo", "--database", "sqlite:own.db"]);
    let account = server.ready["accounts"][0].clone();
    let (key, name) = (account["api_key"].as_str().unwrap(), account["name"].as_str().unwrap());
    let hook = ["hook", "create", "--account", name, "--url", "https://own.example/h", "--database", "sqlite:own.db"];
    let hook = run(folder.path(), &hook);
    let body = json!({ "topic": "Rye", "website_id": account["website_id"] }).to_string();
    let job = server.http("POST", "/api/v1/generate", key, &body);
    let job_path = format!("/api/v1/jobs/{}", job["job_id"].as_str().unwrap());

    let copy = elsewhere.path().join("copy.db");
    let made = run(folder.path(), &["backup", "--database", "sqlite:own.db", copy.to_str().unwrap()]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    assert_eq!(value(&made, "backup"), copy.display().to_string());
    assert!(text(&made.stderr).contains("copied "), "{}", text(&made.stderr));
    assert_eq!(names(elsewhere.path()), ["copy.db"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o077, 0, "others may read it");
    }
    drop(server);

    // Without the key file, sealed values cannot be read.
    let reveal = ["hook", "reveal", "--account", name, "--id", &value(&hook, "hook"), "--database", "sqlite:copy.db"];
    assert_fails(&run(elsewhere.path(), &reveal), 3, "copy.db.key");
    fs::copy(folder.path().join("own.db.key"), elsewhere.path().join("copy.db.key")).unwrap();
    assert_eq!(value(&run(elsewhere.path(), &reveal), "secret"), value(&hook, "secret"));
    let restored = Server::start(elsewhere.path(), &["--database", "sqlite:copy.db"]);
    assert_eq!(restored.http("GET", &job_path, key, "")["job_id"], job["job_id"]);
}

#[test]
fn a_backup_that_cannot_be_made_says_what_to_do_and_leaves_everything_as_it_was() {
    let folder = TempDir::new().unwrap();
    let backup = |database: &str, file: &str| run(folder.path(), &["backup", "--database", database, file]);
    assert_eq!(run(folder.path(), &["migrate", "--database", "sqlite:own.db"]).status.code(), Some(0));
    fs::write(folder.path().join("taken.db"), "kept").unwrap();
    assert_fails(&backup("sqlite:own.db", "taken.db"), 2, "overwrites no file");
    assert_eq!(fs::read_to_string(folder.path().join("taken.db")).unwrap(), "kept");
    let before = names(folder.path());
    assert_fails(&backup("postgres://someone:planted-password@localhost/x", "copy.db"), 2, "pg_dump");
    assert_fails(&backup("postgres://localhost/x?sslrootcert=missing.pem", "copy.db"), 2, "pg_dump");
    assert_fails(&backup("sqlite:none.db", "copy.db"), 3, "there is no database at none.db");
    assert_fails(&backup("sqlite:taken.db", "copy.db"), 3, "not an SQLite database");
    assert_fails(&backup("sqlite:own.db", "missing/copy.db"), 3, "missing/copy.db cannot be written");
    assert_fails(&backup("mysql://x", "copy.db"), 2, "sqlite:PATH");
    assert_eq!(names(folder.path()), before);
}
