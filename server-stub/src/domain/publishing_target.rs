//! Publishing targets: the destinations of a website's articles, and the limits of pushes.

use std::collections::HashMap;

use super::hook::HookSecret;
use super::names::names;

/// Maximum number of articles that a process sends to one website's system at a time, so that a slow system delays no other
/// website.
pub const MAX_PUSHES_AT_ONCE: usize = 4;
/// Maximum number of articles that a process sends to the systems of all websites together at a time, so that other articles never
/// wait for them.
pub const MAX_PUSHES_IN_ALL: usize = 48;
/// Maximum length of a folder name, in characters.
pub const MAX_FOLDER_CHARS: usize = 64;

/// Target of a website's articles. `S` is the form of the signing secret: in plain text, encrypted, or absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PublishingTarget<S = HookSecret> {
    /// The hosted site of this server.
    #[default]
    Hosted,
    /// Files below the operator's folder.
    Directory {
        /// The website's folder in it, which no other website shares.
        folder: FolderName,
        /// Format of the data at the beginning of a file.
        front_matter: FrontMatter,
    },
    /// Requests to the customer's content management system.
    Push {
        /// URL that receives articles, at most 2048 characters.
        url: String,
        /// Secret that signs the requests.
        secret: S,
    },
}

impl<S> PublishingTarget<S> {
    /// Returns the name on the command line and in the database.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Hosted => "hosted",
            Self::Directory { .. } => "directory",
            Self::Push { .. } => "push",
        }
    }

    /// Returns true if articles are sent to the customer's system.
    pub const fn is_push(&self) -> bool {
        matches!(self, Self::Push { .. })
    }

    /// Returns true if this server hosts the articles itself.
    pub const fn is_hosted(&self) -> bool {
        matches!(self, Self::Hosted)
    }

    /// Returns the target with its secret converted by `change`, if it has one.
    pub fn map_secret<T>(self, change: impl FnOnce(S) -> T) -> PublishingTarget<T> {
        match self {
            Self::Hosted => PublishingTarget::Hosted,
            Self::Directory { folder, front_matter } => PublishingTarget::Directory { folder, front_matter },
            Self::Push { url, secret } => PublishingTarget::Push { url, secret: change(secret) },
        }
    }
}

/// Numbers of articles that a process sends to the systems of websites at a time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pushes(HashMap<String, usize>);

impl Pushes {
    /// Returns the numbers of pushes in flight to some websites.
    pub fn in_flight(of_websites: &[(String, usize)]) -> Self {
        Self(of_websites.iter().cloned().collect())
    }

    /// Returns the websites that get no further push.
    pub fn busy_websites(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, pushes)| **pushes >= MAX_PUSHES_AT_ONCE).map(|(website_id, _)| website_id.as_str())
    }

    /// Returns true if no website gets a further push.
    pub fn are_at_limit(&self) -> bool {
        self.0.values().sum::<usize>() >= MAX_PUSHES_IN_ALL
    }

    /// Adds a push to the website. Returns false and adds nothing if a limit is reached.
    pub fn add(&mut self, website_id: &str) -> bool {
        let pushes = self.0.get(website_id).copied().unwrap_or_default();
        let may_add = pushes < MAX_PUSHES_AT_ONCE && !self.are_at_limit();
        if may_add {
            self.0.insert(website_id.to_owned(), pushes + 1);
        }
        may_add
    }
}

/// Name of a website's folder: lower-case letters, digits, `-` and `_`, beginning with a letter or a digit. It has no separator
/// and no dot, so it cannot lead to another folder. It has no capital letter, so two names never collide on a case-insensitive
/// file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderName(String);

impl FolderName {
    /// Parses a valid name.
    pub fn parse(text: &str) -> Option<Self> {
        let is_letter_or_digit = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let is_allowed = text.len() <= MAX_FOLDER_CHARS
            && text.bytes().next().is_some_and(is_letter_or_digit)
            && text.bytes().all(|byte| is_letter_or_digit(byte) || matches!(byte, b'-' | b'_'));
        is_allowed.then(|| Self(text.to_owned()))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

names! {
    /// Format of an article's data at the beginning of its file.
    #[derive(Default)]
    pub enum FrontMatter {
        /// Between `---` lines, for Hugo, Jekyll and Eleventy.
        #[default]
        Yaml = "yaml",
        /// Between `+++` lines, for Zola and Hugo.
        Toml = "toml",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_a_folder_leads_elsewhere() {
        for name in ["posts", "a", "2026-blog_en", &"a".repeat(MAX_FOLDER_CHARS)] {
            assert_eq!(FolderName::parse(name).unwrap().as_str(), name);
        }
        let long = "a".repeat(MAX_FOLDER_CHARS + 1);
        for name in
            ["", ".", "..", "../x", "a/b", "a\\b", "a.b", "-a", "_a", "Posts", "a b", "\u{e4}", "a\0", "c:", &long]
        {
            assert_eq!(FolderName::parse(name), None, "{name}");
        }
    }

    #[test]
    fn pushes_stay_within_the_limits_of_a_website_and_of_all() {
        let mut pushes = Pushes::in_flight(&[("web_0".to_owned(), MAX_PUSHES_AT_ONCE)]);
        assert_eq!(pushes.busy_websites().collect::<Vec<_>>(), ["web_0"]);
        assert!(!pushes.add("web_0"));
        let added = (1..).flat_map(|number| [number; MAX_PUSHES_AT_ONCE + 1]).take(2 * MAX_PUSHES_IN_ALL);
        let added = added.filter(|number| pushes.add(&format!("web_{number}"))).count();
        assert_eq!(added, MAX_PUSHES_IN_ALL - MAX_PUSHES_AT_ONCE);
        assert!(pushes.are_at_limit() && !pushes.add("web_new"));
        assert_eq!(pushes.busy_websites().count(), MAX_PUSHES_IN_ALL / MAX_PUSHES_AT_ONCE);
    }
}
