//! Rows that are cached between requests: the next read sees every committed change.

use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::key::{Secret, SecretHash};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::server::{self, Database, Settings};
use contentgen_server_stub::storage;
use rusqlite::Connection;
use std::sync::Arc;
use tempfile::TempDir;

/// Creates a database with the demonstration's accounts. Returns the hash of the first account's key, too.
async fn database() -> (TempDir, String, SecretHash) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db").display().to_string();
    let settings = Settings { is_worker: false, ..Settings::demo() };
    let settings = Settings { database: Database::At(format!("sqlite:{path}")), ..settings };
    let running = server::start(settings).await.unwrap();
    let hash = SecretHash::of(Secret::parse(&running.accounts()[0].api_key).unwrap().reveal());
    assert!(running.stop().await);
    (folder, path, hash)
}

#[tokio::test]
async fn a_key_revoked_by_another_connection_is_revoked_at_the_next_read() {
    let (_folder, path, hash) = database().await;
    let store = storage::open(&format!("sqlite:{path}"), &storage::Options::new(Arc::new(SystemRandomness))).unwrap();
    let other = Connection::open(&path).unwrap();
    for revoked_at in 1..=200_i64 {
        assert_eq!(store.find_key(hash).await.unwrap(), store.find_key(hash).await.unwrap());
        other.execute("UPDATE api_keys SET revoked_at = ?1 WHERE secret_hash = ?2", (revoked_at, hash.0)).unwrap();
        let key = store.find_key(hash).await.unwrap().unwrap();
        assert_eq!(key.revoked_at, Some(Timestamp::from_millis(revoked_at)));
    }
    other.execute("DELETE FROM api_keys", []).unwrap();
    assert_eq!(store.find_key(hash).await.unwrap(), None);
}

#[tokio::test]
async fn reads_beside_a_busy_writer_never_see_less_than_was_committed() {
    use std::sync::atomic::{AtomicI64, Ordering};
    let (_folder, path, hash) = database().await;
    let store = storage::open(&format!("sqlite:{path}"), &storage::Options::new(Arc::new(SystemRandomness))).unwrap();
    let committed = AtomicI64::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let other = Connection::open(&path).unwrap();
            other.pragma_update(None, "synchronous", "OFF").unwrap();
            for revoked_at in 1..=3000_i64 {
                other
                    .execute("UPDATE api_keys SET revoked_at = ?1 WHERE secret_hash = ?2", (revoked_at, hash.0))
                    .unwrap();
                committed.store(revoked_at, Ordering::SeqCst);
            }
        });
        for _ in 0..2 {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                while committed.load(Ordering::SeqCst) < 3000 {
                    let least = committed.load(Ordering::SeqCst);
                    let key = runtime.block_on(store.find_key(hash)).unwrap().unwrap();
                    assert!(key.revoked_at.map_or(0, Timestamp::millis) >= least, "{:?} after {least}", key.revoked_at);
                }
            });
        }
    });
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_store_leaves_no_descriptor_behind() {
    let (folder, path, hash) = database().await;
    let store = storage::open(&format!("sqlite:{path}"), &storage::Options::new(Arc::new(SystemRandomness))).unwrap();
    store.find_key(hash).await.unwrap();
    let open = || {
        let descriptors = std::fs::read_dir("/proc/self/fd").unwrap();
        let files = descriptors.filter_map(|descriptor| std::fs::read_link(descriptor.ok()?.path()).ok());
        files.filter(|file| file.starts_with(folder.path())).collect::<Vec<_>>()
    };
    assert_ne!(open(), Vec::<std::path::PathBuf>::new());
    drop(store);
    assert_eq!(open(), Vec::<std::path::PathBuf>::new());
}
