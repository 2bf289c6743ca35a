//! The key that seals secrets in the database: its creation, and the errors if it is lost or wrong.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use super::program::{PROGRAM, Server, assert_fails, run, text, value};

const ADDRESS: [&str; 2] = ["--database", "sqlite:own.db"];

/// Runs `hook list` with this key in the environment.
fn list_with_key(folder: &Path, key: &str) -> Output {
    let list = ["hook", "list", "--account", "own"];
    let mut command = Command::new(PROGRAM);
    command.args(list).args(ADDRESS).env("CONTENTGEN_SECRET_KEY", key).current_dir(folder).output().unwrap()
}

/// Creates a database with an account and a webhook.
fn set_up(folder: &Path) -> String {
    let own = |arguments: &[&str]| run(folder, &[arguments, &ADDRESS].concat());
    assert_eq!(own(&["account", "create", "--name", "own"]).status.code(), Some(0));
    value(&own(&["hook", "create", "--account", "own", "--url", "https://example.com/hooks"]), "hook")
}

#[test]
fn a_key_that_is_lost_or_wrong_ends_every_command_with_3_and_changes_nothing() {
    let folder = tempfile::TempDir::new().unwrap();
    let hook_id = set_up(folder.path());
    let (database, key) = (folder.path().join("own.db"), folder.path().join("own.db.key"));
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let (bytes, good) = (fs::read(&database).unwrap(), fs::read_to_string(&key).unwrap());
    let commands: [&[&str]; 4] = [
        &["migrate"],
        &["hook", "list", "--account", "own"],
        &["hook", "reveal", "--account", "own", "--id", &hook_id],
        &["serve", "--listen", "127.0.0.1:0"],
    ];
    let assert_refused = |words: &str, options: &[&str]| {
        for command in commands {
            assert_fails(&run(folder.path(), &[command, &ADDRESS, options].concat()), 3, words);
        }
        assert_eq!(fs::read(&database).unwrap(), bytes, "{words}");
    };
    fs::remove_file(&key).unwrap();
    assert_refused("own.db.key is missing", &[]);
    assert!(!key.exists(), "a new key could not open the secrets");
    let wrong = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    fs::write(&key, wrong).unwrap();
    assert_refused("is not the one that encrypted this database", &[]);
    fs::write(&key, "these are notes, and no key\n").unwrap();
    assert_refused("own.db.key contains no secret key", &[]);
    fs::write(&key, b"\xff\xfe\0").unwrap();
    assert_refused("choose another file with --secret-key-file", &[]);
    assert_refused("choose another file with --secret-key-file", &["--secret-key-file", "."]);
    assert_refused("choose another file with --secret-key-file", &["--secret-key-file", "own.db/key"]);
    assert_refused("missing/own.key is missing", &["--secret-key-file", "missing/own.key"]);

    // The key in the environment takes precedence over any file.
    assert_fails(&list_with_key(folder.path(), wrong), 3, "is not the one");
    assert_eq!(list_with_key(folder.path(), good.trim()).status.code(), Some(0));
    fs::write(&key, &good).unwrap();
    assert_fails(&list_with_key(folder.path(), wrong), 3, "is not the one");
    let moved = folder.path().join("elsewhere.key");
    fs::rename(&key, &moved).unwrap();
    let list = ["hook", "list", "--account", "own", "--secret-key-file", "elsewhere.key"];
    assert!(text(&run(folder.path(), &[&list[..], &ADDRESS].concat()).stdout).contains(&hook_id));
}

#[test]
fn a_hook_whose_secret_cannot_be_opened_is_listed_and_gets_a_new_one() {
    let folder = tempfile::TempDir::new().unwrap();
    let hook_id = set_up(folder.path());
    let connection = rusqlite::Connection::open(folder.path().join("own.db")).unwrap();
    connection.execute("UPDATE hook_endpoints SET secret = 'v1.AAAA'", []).unwrap();
    drop(connection);
    let hook = |command: &str, options: &[&str]| {
        run(folder.path(), &[&["hook", command, "--account", "own"], options, &ADDRESS].concat())
    };
    assert_fails(
        &hook("reveal", &["--id", &hook_id]),
        1,
        "cannot be decrypted with the server's key; rotate the secret",
    );
    let list = hook("list", &[]);
    assert!(text(&list.stdout).contains(&hook_id), "{}", text(&list.stderr));
    let secret = value(&hook("rotate", &["--id", &hook_id]), "secret");
    assert_eq!(value(&hook("reveal", &["--id", &hook_id]), "secret"), secret);
}

#[test]
fn a_key_in_the_environment_that_is_none_is_not_repeated() {
    let folder = tempfile::TempDir::new().unwrap();
    let refused = list_with_key(folder.path(), "planted-secret");
    assert_fails(&refused, 2, "openssl rand -base64 32");
    assert!(!text(&refused.stderr).contains("planted"), "{}", text(&refused.stderr));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_new_database_is_not_begun_without_a_key() {
    let folder = tempfile::TempDir::new().unwrap();
    let refused =
        run(folder.path(), &["migrate", "--database", "sqlite:own.db", "--secret-key-file", "missing/own.key"]);
    assert_fails(&refused, 3, "choose another file with --secret-key-file");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_database_is_served_by_one_process_and_free_when_that_is_killed() {
    let folder = tempfile::TempDir::new().unwrap();
    let hook_id = set_up(folder.path());
    let server = Server::start(folder.path(), &ADDRESS);
    let second = run(folder.path(), &[&["serve", "--listen", "127.0.0.1:0"], &ADDRESS[..]].concat());
    assert_fails(&second, 3, "is served by another process; stop it first");
    let list = run(folder.path(), &[&["hook", "list", "--account", "own"], &ADDRESS[..]].concat());
    assert!(text(&list.stdout).contains(&hook_id), "{}", text(&list.stderr));
    assert_eq!(server.stop("-KILL"), None);
    let server = Server::start(folder.path(), &ADDRESS);
    assert_eq!(server.stop("-TERM"), Some(0));
}
