//! Publishes articles as files for static site generators. Each file is written atomically and never replaces the file of another
//! article.

use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::publisher::PUBLISH_TIMEOUT;
use super::{PublishError, markdown_file};
use crate::domain::article::Article;
use crate::domain::clock::Clock;
use crate::domain::publishing_target::{FolderName, FrontMatter};
use crate::domain::store::FileRemoval;

/// Maximum number of bytes read from a file to find its article. The front matter of an article is shorter.
const MAX_HEAD_BYTES: u64 = 256 * 1024;
/// Maximum number of bytes read from the file that names a folder's website.
const MAX_OWNER_BYTES: u64 = 1024;
/// Prefix of file names that site generators ignore: unfinished files, and files that name a folder's website.
const HIDDEN_PREFIX: &str = ".contentgen-";
/// How long a removal waits for writers.
const REMOVAL_WAIT: Duration = Duration::from_secs(5);
/// Delay between two attempts to take a lock.
const LOCK_POLL: Duration = Duration::from_millis(10);
/// Number of characters of an article's id that make a file name unique.
const SUFFIX_CHARS: usize = 8;

/// Folders of websites below the root that the operator configured.
#[derive(Debug, Clone)]
pub struct Directory {
    root: PathBuf,
    clock: Arc<dyn Clock>,
}

impl Directory {
    /// Creates the folders below `root`. Fails if `root` is not a writable folder.
    pub fn new(root: PathBuf, clock: Arc<dyn Clock>) -> io::Result<Self> {
        tempfile::Builder::new().prefix(HIDDEN_PREFIX).tempfile_in(&root)?;
        Ok(Self { root, clock })
    }

    /// Writes the article's file.
    pub(super) async fn publish(
        &self,
        article: &Article,
        folder: &FolderName,
        front_matter: FrontMatter,
    ) -> Result<(), PublishError> {
        let published_at = article.published_at.unwrap_or_else(|| self.clock.wall());
        let text = markdown_file::render(article, front_matter, published_at);
        let folder = self.folder(folder);
        let file = NewFile {
            website_id: article.website_id.clone(),
            article_id: article.id.clone(),
            slug: article.content.slug.clone(),
            text,
            deadline: Instant::now() + PUBLISH_TIMEOUT,
        };
        let written = on_a_thread(move || folder.write(&file)).await;
        match written {
            Ok(Written::Yes) => Ok(()),
            Ok(Written::NoName) => {
                Err(PublishError::rejected("other files already use all names that the article's file could have"))
            }
            Ok(Written::NoFolder { owner_file }) => {
                tracing::warn!(
                    website_id = %article.website_id, ?owner_file,
                    "the folder contains files of other owners; to let this website publish there, write its id into `owner_file`"
                );
                Err(PublishError::rejected(
                    "the folder contains files that are not this website's; choose another folder, or ask the operator to allow this one",
                ))
            }
            Err(error) => {
                tracing::error!(%error, "cannot write an article's file below --publish-root");
                Err(PublishError::unavailable("the article's file could not be written"))
            }
        }
    }

    /// Locks the folder against writers in every process until the returned lock is dropped. Fails if writers hold the lock for too
    /// long.
    pub(super) async fn keep_writers_out(&self, folder: &FolderName) -> io::Result<File> {
        let folder = self.folder(folder);
        on_a_thread(move || {
            let lock = folder.owner_file()?;
            wait_for(&(Instant::now() + REMOVAL_WAIT), || lock.try_lock())?;
            Ok(lock)
        })
        .await
    }

    /// Removes the article's file, if it is there.
    pub(super) async fn remove(&self, folder: &FolderName, removal: &FileRemoval) -> io::Result<()> {
        let folder = self.folder(folder);
        let (article_id, slug) = (removal.article_id.clone(), removal.slug.clone());
        on_a_thread(move || folder.remove(&article_id, &slug)).await
    }
}

impl Directory {
    fn folder(&self, name: &FolderName) -> Folder {
        let owner = self.root.join(format!("{HIDDEN_PREFIX}{}.website", name.as_str()));
        Folder { root: self.root.clone(), path: self.root.join(name.as_str()), owner }
    }
}

/// Runs `work` on a blocking thread: disk access would block other tasks.
async fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

struct Folder {
    root: PathBuf,
    path: PathBuf,
    /// File with the id of the website that owns the folder. Writers of articles take a shared lock on it; removals take an
    /// exclusive lock.
    owner: PathBuf,
}

/// File to write.
struct NewFile {
    website_id: String,
    article_id: String,
    slug: String,
    text: String,
    /// Time after which the file must not be written: by then the article may have been taken down.
    deadline: Instant,
}

/// Outcome of writing a file.
enum Written {
    /// The file is written.
    Yes,
    /// All possible names are taken by other files.
    NoName,
    /// The folder is not this website's: it has files, and `owner_file` names another website or none.
    NoFolder { owner_file: PathBuf },
}

impl Folder {
    fn owner_file(&self) -> io::Result<File> {
        File::options().create(true).truncate(false).write(true).open(&self.owner)
    }

    /// Returns the id of the website that owns the folder; empty if it has no owner.
    fn owner(&self) -> io::Result<String> {
        let mut owner = String::new();
        match File::open(&self.owner) {
            Ok(file) => file.take(MAX_OWNER_BYTES).read_to_string(&mut owner)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        Ok(owner)
    }

    /// Assigns the folder to the website if the folder is new or empty, even if it had another owner. Returns true if the website
    /// owns it.
    fn is_given_to(&self, website_id: &str, deadline: &Instant) -> io::Result<bool> {
        if self.owner()?.trim() == website_id {
            return Ok(true);
        }
        let mut owner_file = self.owner_file()?;
        wait_for(deadline, || owner_file.try_lock())?;
        // Another process may have assigned the folder meanwhile.
        if self.owner()?.trim() == website_id {
            return Ok(true);
        }
        if !self.path.is_dir() {
            fs::create_dir(&self.path)?;
        } else if fs::read_dir(&self.path)?.next().is_some() {
            return Ok(false);
        }
        owner_file.set_len(0)?;
        writeln!(owner_file, "{website_id}")?;
        owner_file.sync_all()?;
        sync(&self.root)?;
        Ok(true)
    }

    fn write(&self, new: &NewFile) -> io::Result<Written> {
        let NewFile { website_id, article_id, slug, text, deadline } = new;
        if !self.is_given_to(website_id, deadline)? {
            return Ok(Written::NoFolder { owner_file: self.owner.clone() });
        }
        let lock = self.owner_file()?;
        wait_for(deadline, || lock.try_lock_shared())?;
        // Another website may have been assigned the empty folder before this lock was taken.
        if self.owner()?.trim() != website_id {
            return Ok(Written::NoFolder { owner_file: self.owner.clone() });
        }
        let readable = Permissions::from_mode(0o644);
        let prefix = format!("{HIDDEN_PREFIX}{article_id}-");
        let mut file = tempfile::Builder::new().prefix(&prefix).permissions(readable).tempfile_in(&self.path)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        let names = names(article_id, slug);
        let own = self.own(article_id, &names)?.into_iter().next();
        if Instant::now() > *deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let written = if let Some(own) = own {
            file.persist(own)?;
            Written::Yes
        } else {
            self.persist_beside(file, &names)?
        };
        self.remove_unfinished(&prefix)?;
        sync(&self.path)?;
        Ok(written)
    }

    /// Saves the file under the first free name.
    fn persist_beside(&self, mut file: tempfile::NamedTempFile, names: &[String]) -> io::Result<Written> {
        for name in names {
            match file.persist_noclobber(self.path.join(name)) {
                Ok(_) => return Ok(Written::Yes),
                Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => file = taken.file,
                Err(failed) => return Err(failed.error),
            }
        }
        Ok(Written::NoName)
    }

    fn remove(&self, article_id: &str, slug: &str) -> io::Result<()> {
        if !self.path.is_dir() {
            return Ok(());
        }
        for own in self.own(article_id, &names(article_id, slug))? {
            fs::remove_file(own)?;
        }
        self.remove_unfinished(&format!("{HIDDEN_PREFIX}{article_id}-"))?;
        sync(&self.path)
    }

    /// Returns the files with these names that belong to the article.
    fn own(&self, article_id: &str, names: &[String]) -> io::Result<Vec<PathBuf>> {
        let mut own = Vec::new();
        for name in names {
            let path = self.path.join(name);
            if read_head(&path)?.is_some_and(|head| markdown_file::is_of(&head, article_id)) {
                own.push(path);
            }
        }
        Ok(own)
    }

    /// Removes unfinished files of processes that ended while writing.
    fn remove_unfinished(&self, prefix: &str) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix)) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

/// Names that static site generators reserve for the folder itself, with or without a leading underscore.
const RESERVED: [&str; 3] = ["index", "readme", "section"];

/// Returns the possible names of an article's file, in order of preference.
fn names(article_id: &str, slug: &str) -> [String; 3] {
    let id = article_id.to_ascii_lowercase();
    let suffix = &id[id.len().saturating_sub(SUFFIX_CHARS)..];
    let first = if RESERVED.contains(&slug) { format!("{slug}-article.md") } else { format!("{slug}.md") };
    [first, format!("{slug}-{suffix}.md"), format!("{id}.md")]
}

/// Reads the beginning of a file. Returns `None` if the file does not exist or is a folder.
fn read_head(path: &Path) -> io::Result<Option<String>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut head = Vec::new();
    match file.take(MAX_HEAD_BYTES).read_to_end(&mut head) {
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => return Ok(None),
        read => read?,
    };
    Ok(Some(String::from_utf8_lossy(&head).into_owned()))
}

/// Polls for a lock until it is taken. Fails if the deadline passes first.
fn wait_for(deadline: &Instant, take: impl Fn() -> Result<(), TryLockError>) -> io::Result<()> {
    loop {
        match take() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < *deadline => std::thread::sleep(LOCK_POLL),
            Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::TimedOut.into()),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// Flushes the folder's entries to disk.
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn no_article_takes_the_name_of_the_folder_itself() {
        assert_eq!(names("art_1", "rye")[0], "rye.md");
        assert_eq!(names("art_1", "index")[0], "index-article.md");
        assert_eq!(names("art_1", "readme")[0], "readme-article.md");
    }
}
