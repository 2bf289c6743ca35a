//! Permissions of the files that the server makes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::program::{PROGRAM, Server, run, text};
use crate::waiting::until_ok_blocking;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Returns the permissions of the files in a folder, by name.
fn modes(folder: &Path) -> Vec<(String, u32)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut modes: Vec<_> = entries
        .filter(|path| path.is_file())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), mode(&path)))
        .collect();
    modes.sort();
    modes
}

#[test]
fn the_files_of_a_database_are_private() {
    let folder = TempDir::new().unwrap();
    // The default database, one in the working folder, and the temporary one of a demonstration.
    let server = Server::start(folder.path(), &[]);
    let made = folder.path().join(".contentgen");
    assert_eq!(mode(&made), 0o700);
    let names = ["server.db", "server.db-shm", "server.db-wal", "server.db.key", "server.db.lock"];
    let expected = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), 0o600_u32)).collect::<Vec<_>>();
    assert_eq!(modes(&made), expected(&names));
    assert_eq!(server.stop("-TERM"), Some(0));
    let other = TempDir::new().unwrap();
    let own = ["--database", "sqlite:own.db"];
    assert_eq!(run(other.path(), &[&["migrate"], &own[..]].concat()).status.code(), Some(0));
    assert_eq!(run(other.path(), &[&["backup", "copy.db"], &own[..]].concat()).status.code(), Some(0));
    let server = Server::start(other.path(), &own);
    let names = ["copy.db", "own.db", "own.db-shm", "own.db-wal", "own.db.key", "own.db.lock", "ready.json"];
    assert_eq!(modes(other.path()), expected(&names));
    assert_eq!(server.stop("-TERM"), Some(0));
    let server = Server::start(folder.path(), &["--demo"]);
    let database = server.ready["database"].as_str().unwrap().strip_prefix("sqlite:").unwrap();
    let temporary = Path::new(database).parent().unwrap();
    assert_eq!(mode(temporary), 0o700);
    assert!(modes(temporary).iter().all(|(_, mode)| *mode == 0o600), "{:?}", modes(temporary));
}

/// Serves the database until it is ready. Returns the log.
fn log_of_start(folder: &Path) -> String {
    let ready = folder.join("ready.json");
    drop(fs::remove_file(&ready));
    let server = Command::new(PROGRAM)
        .args(["serve", "--database", "sqlite:own.db", "--listen", "127.0.0.1:0", "--ready-file", "ready.json"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until_ok_blocking("the ready file is there", || fs::metadata(&ready));
    assert!(Command::new("kill").args(["-TERM", &server.id().to_string()]).status().unwrap().success());
    text(&server.wait_with_output().unwrap().stderr)
}

#[test]
fn a_database_that_others_can_read_is_told_at_the_start() {
    let folder = TempDir::new().unwrap();
    let told = "other users of this machine can read this file; run `chmod 600` on it";
    let change = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    change(folder.path(), 0o755);
    let log = log_of_start(folder.path());
    assert!(!log.contains(told), "{log}");
    for name in ["own.db", "own.db.key"] {
        change(&folder.path().join(name), 0o644);
        let log = log_of_start(folder.path());
        assert!(log.lines().any(|line| line.contains(told) && line.contains(name)), "{log}");
        assert_eq!(mode(&folder.path().join(name)), 0o644, "the operator decides");
        // Other users cannot enter the folder.
        change(folder.path(), 0o700);
        let log = log_of_start(folder.path());
        assert!(!log.contains(told), "{log}");
        change(folder.path(), 0o755);
        change(&folder.path().join(name), 0o600);
    }
}
