//! Where the articles of a website are published. Nothing here publishes.

use super::hook::HookSecret;

/// How many articles a process sends to the system of one website at a time: one that does not answer holds up nobody else.
pub const MAX_PUSHES_AT_ONCE: usize = 4;
/// The same for the systems of all websites together, so that articles that go elsewhere never wait for them.
pub const MAX_PUSHES_IN_ALL: usize = 48;
/// The longest name of a folder, characters.
pub const MAX_FOLDER_CHARS: usize = 64;

/// Where a website's articles go. `S` is how the secret that signs stands there: in the open, sealed, or not at all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PublishingTarget<S = HookSecret> {
    /// The hosted site of this server.
    #[default]
    Hosted,
    /// Files below the folder that the operator named.
    Directory {
        /// Its own folder there; no other website has it.
        folder: FolderName,
        /// How a file begins.
        front_matter: FrontMatter,
    },
    /// Requests to the customer's content management system.
    Push {
        /// Where it takes articles, at most 2048 characters.
        url: String,
        /// Signs the requests.
        secret: S,
    },
}

impl<S> PublishingTarget<S> {
    /// The name on the command line and in the database.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Hosted => "hosted",
            Self::Directory { .. } => "directory",
            Self::Push { .. } => "push",
        }
    }

    /// Whether they are sent to the customer's system.
    pub const fn is_push(&self) -> bool {
        matches!(self, Self::Push { .. })
    }

    /// Whether this server shows the articles itself.
    pub const fn is_hosted(&self) -> bool {
        matches!(self, Self::Hosted)
    }

    /// The same with another secret, if it has one.
    pub fn map_secret<T>(self, change: impl FnOnce(S) -> T) -> PublishingTarget<T> {
        match self {
            Self::Hosted => PublishingTarget::Hosted,
            Self::Directory { folder, front_matter } => PublishingTarget::Directory { folder, front_matter },
            Self::Push { url, secret } => PublishingTarget::Push { url, secret: change(secret) },
        }
    }
}

/// The name of a website's folder: lower-case letters, digits, `-` and `_`, of which the first is a letter or a digit. It has no
/// separator and no dot, so it leads nowhere else; and no capital letter, so that no two names are one on any file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderName(String);

impl FolderName {
    /// The name, if it is one.
    pub fn parse(text: &str) -> Option<Self> {
        let is_letter_or_digit = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let is_allowed = text.len() <= MAX_FOLDER_CHARS
            && text.bytes().next().is_some_and(is_letter_or_digit)
            && text.bytes().all(|byte| is_letter_or_digit(byte) || matches!(byte, b'-' | b'_'));
        is_allowed.then(|| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How the data of an article stand at the beginning of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FrontMatter {
    /// Between `---`, as Hugo, Jekyll and Eleventy read it.
    #[default]
    Yaml,
    /// Between `+++`, as Zola and Hugo read it.
    Toml,
}

impl FrontMatter {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Yaml, Self::Toml];

    /// The name on the command line and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yaml => "yaml",
            Self::Toml => "toml",
        }
    }

    /// The one with that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == name)
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
}
