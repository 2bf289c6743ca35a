//! Publishes articles as files, for generators of static sites. A file appears whole or not at all, and replaces no other article's.

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

/// How much of a file is read to see whose it is, bytes: more than the data of an article take.
const MAX_HEAD_BYTES: u64 = 256 * 1024;
/// How much of the file that tells a folder's website is read, bytes.
const MAX_OWNER_BYTES: u64 = 1024;
/// What the names of files begin with that generators of sites pass over: those that are not complete, and those that tell a folder's
/// website.
const HIDDEN_PREFIX: &str = ".contentgen-";
/// How long a removal waits for those who write.
const REMOVAL_WAIT: Duration = Duration::from_secs(5);
/// How often it is tried whether a lock can be had.
const LOCK_POLL: Duration = Duration::from_millis(10);
/// Characters of an article's id that make a name its own.
const SUFFIX_CHARS: usize = 8;

/// The folders of websites below the one that the operator named.
#[derive(Debug, Clone)]
pub struct Directory {
    root: PathBuf,
    clock: Arc<dyn Clock>,
}

impl Directory {
    /// Folders below `root`; fails where that is no folder that can be written to.
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
        let text = markdown_file::render(article, front_matter, self.clock.wall());
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

    /// Waits until nobody writes into the folder, in any process; nobody does until the lock is dropped. Fails where somebody always
    /// writes.
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

/// Waiting for a disk would hold up everything else.
async fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

struct Folder {
    root: PathBuf,
    path: PathBuf,
    /// The file with the id of the website whose folder it is. Those who write files of articles share its lock, who removes some has
    /// it alone.
    owner: PathBuf,
}

/// A file that is to be written.
struct NewFile {
    website_id: String,
    article_id: String,
    slug: String,
    text: String,
    /// After this it may not be written any more: by then the article may be taken down again.
    deadline: Instant,
}

/// What became of a file.
enum Written {
    /// It is there.
    Yes,
    /// Files of others have all its names.
    NoName,
    /// The folder is not the website's. This file would say that it is.
    NoFolder { owner_file: PathBuf },
}

impl Folder {
    fn owner_file(&self) -> io::Result<File> {
        File::options().create(true).truncate(false).write(true).open(&self.owner)
    }

    /// The website whose folder it is; empty where it is nobody's.
    fn owner(&self) -> io::Result<String> {
        let mut owner = String::new();
        match File::open(&self.owner) {
            Ok(file) => file.take(MAX_OWNER_BYTES).read_to_string(&mut owner)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        Ok(owner)
    }

    /// Makes the folder the website's if it is new or empty, whoever had it before. Returns whether it is the website's.
    fn is_given_to(&self, website_id: &str, deadline: &Instant) -> io::Result<bool> {
        if self.owner()?.trim() == website_id {
            return Ok(true);
        }
        let mut owner_file = self.owner_file()?;
        wait_for(deadline, || owner_file.try_lock())?;
        // Another process may have done it meanwhile.
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
        // Another website may have got the empty folder before the lock was there.
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

    /// Gives a file the first name that is free.
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

    /// The files of these names that are the article's.
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

    /// Removes what a process left that was ended while it wrote.
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

/// Names that mean the folder itself to generators of static sites, with or without an underscore before them.
const RESERVED: [&str; 3] = ["index", "readme", "section"];

/// The names that an article's file may have, in the order in which they are tried.
fn names(article_id: &str, slug: &str) -> [String; 3] {
    let id = article_id.to_ascii_lowercase();
    let suffix = &id[id.len().saturating_sub(SUFFIX_CHARS)..];
    let first = if RESERVED.contains(&slug) { format!("{slug}-article.md") } else { format!("{slug}.md") };
    [first, format!("{slug}-{suffix}.md"), format!("{id}.md")]
}

/// The beginning of a file; `None` where there is none, or a folder.
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

/// Takes a lock as soon as it can be had; fails when that is not before the deadline.
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

/// Brings the names in a folder to the disk.
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
