//! Speed of the disk: group commits a second without a database, and the number of commits that the database made.

use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Duration of a measurement.
const SLICE: Duration = Duration::from_millis(500);
/// Bytes of a page of SQLite's write-ahead log, with its header.
const FRAME_BYTES: usize = 4096 + 24;
/// Pages that one commit of this load writes. In strace, half of the commits had between 21 and 40.
const GROUP_FRAMES: usize = 32;
/// Bytes of one commit.
pub(crate) const GROUP_BYTES: usize = GROUP_FRAMES * FRAME_BYTES;
/// Bytes to write. Their content does not matter.
static GROUP: [u8; GROUP_BYTES] = [1; GROUP_BYTES];
/// Offset of the transaction counter in the index of a write-ahead log.
const CHANGES_OFFSET: u64 = 8;
/// Pages after which the log starts again at its beginning, as after the store's checkpoints.
const LOG_FRAMES: usize = 4000;
const GROUPS: usize = LOG_FRAMES / GROUP_FRAMES;

/// A file that is written like the log of the database beside it.
pub(crate) struct Disk {
    path: PathBuf,
    wal_index: PathBuf,
}

impl Disk {
    /// Creates a file beside `database` at its full length, because the measurement overwrites existing bytes.
    pub(crate) fn new(database: &Path) -> std::io::Result<Self> {
        let path = database.with_extension("disk");
        let mut file = File::create(&path)?;
        for _ in 0..GROUPS {
            file.write_all(&GROUP)?;
        }
        file.sync_all()?;
        Ok(Self { path, wal_index: database.with_extension("db-shm") })
    }

    /// Returns the number of commits to the database, modulo 2^32. SQLite's file format calls this field of the log's index `iChange`.
    pub(crate) fn commits(&self) -> std::io::Result<u32> {
        let mut count = [0; 4];
        File::open(&self.wal_index)?.read_exact_at(&mut count, CHANGES_OFFSET)?;
        Ok(u32::from_ne_bytes(count))
    }

    /// Returns the groups written a second. Each is synchronised before the next is written.
    pub(crate) async fn groups_per_second(&self) -> anyhow::Result<f64> {
        let path = self.path.clone();
        Ok(tokio::task::spawn_blocking(move || measure(&path)).await??)
    }
}

fn measure(path: &Path) -> std::io::Result<f64> {
    let mut file = File::options().write(true).open(path)?;
    let (began, mut groups) = (Instant::now(), 0_u32);
    while began.elapsed() < SLICE {
        if (groups as usize).is_multiple_of(GROUPS) {
            file.rewind()?;
        }
        file.write_all(&GROUP)?;
        file.sync_data()?;
        groups += 1;
    }
    Ok(f64::from(groups) / began.elapsed().as_secs_f64())
}
