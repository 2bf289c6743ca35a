//! Copies of an SQLite file during writes by others.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::{self, BackupError, Options};
use rusqlite::Connection;
use tempfile::TempDir;

/// Far more steps than the size of the database in MiB.
const TOO_MANY_STEPS: u32 = 100;

/// Creates a database of some MiB.
fn database() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.db").display().to_string();
    storage::migrate(&format!("sqlite:{path}"), &Options::new(Arc::new(SystemRandomness))).unwrap();
    let filler = "INSERT INTO settings (name, value) SELECT 'filler' || value, zeroblob(1048576)
        FROM json_each('[1, 2, 3, 4, 5, 6]')";
    Connection::open(&path).unwrap().execute(filler, []).unwrap();
    (folder, path)
}

fn text(path: &Path, query: &str) -> String {
    Connection::open(path).unwrap().query_row(query, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_backup_ends_although_others_commit_all_the_time_and_is_of_one_moment() {
    let (folder, path) = database();
    let copy = folder.path().join("copy.db");
    let other = Connection::open(&path).unwrap();
    other.execute("INSERT INTO accounts (id, name, created_at) VALUES ('acc_before', 'before', 1)", []).unwrap();
    let (mut steps, mut copied) = (0, Vec::new());
    let backup = storage::backup(&format!("sqlite:{path}"), &copy, &mut |progress| {
        steps += 1;
        copied.push(progress.copied);
        assert!(progress.copied <= progress.total);
        assert!(!copy.exists(), "it has its name before it is complete");
        other
            .execute("INSERT INTO accounts (id, name, created_at) VALUES ('acc_' || ?1, 'after' || ?1, 1)", [steps])
            .unwrap();
        other.execute("UPDATE settings SET value = zeroblob(1048577) WHERE name LIKE 'filler%'", []).unwrap();
        if steps < TOO_MANY_STEPS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    backup.unwrap();
    assert!(steps > 3 && copied.is_sorted(), "{copied:?}");
    assert_eq!(text(&copy, "PRAGMA integrity_check"), "ok");
    assert_eq!(text(&copy, "SELECT group_concat(id) FROM accounts"), "acc_before");
    assert_eq!(text(&copy, "SELECT 'filler' FROM settings WHERE length(value) = 1048576"), "filler");
    let opened = storage::migrate(
        &format!("sqlite:{}", copy.display()),
        &Options {
            secret_key: Some(storage::SecretKeySource::File(folder.path().join("own.db.key"))),
            ..Options::new(Arc::new(SystemRandomness))
        },
    );
    opened.unwrap();
}

#[test]
fn a_backup_that_is_interrupted_leaves_nothing_behind() {
    let (folder, path) = database();
    let copy = folder.path().join("copy.db");
    let interrupted = storage::backup(&format!("sqlite:{path}"), &copy, &mut |_| ControlFlow::Break(()));
    assert!(matches!(interrupted, Err(BackupError::Interrupted)), "{interrupted:?}");
    // The database may have a write-ahead log beside it.
    let names = std::fs::read_dir(folder.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| !name.starts_with("own.db")).collect::<Vec<_>>(), [""; 0]);
}
