//! The options that choose where articles are published.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::domain::publishing_target::FrontMatter;

/// Where files are published.
#[derive(Debug, Clone, Args)]
pub(crate) struct PublishRoot {
    /// Folder below which websites may have their articles published as files, each in a folder of its own [default: none may]
    #[arg(long, env = "CONTENTGEN_PUBLISH_ROOT", value_name = "FOLDER")]
    pub(crate) publish_root: Option<PathBuf>,
}

/// Where a website's articles go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// To the hosted site.
    Hosted,
    /// To files below `--publish-root`.
    Directory,
    /// To the customer's own system.
    Push,
}

/// What `website set` changes of it.
#[derive(Debug, Clone, Args)]
pub(crate) struct PublishingOptions {
    /// Where its articles go from now on.
    #[arg(long, value_enum, value_name = "TARGET")]
    pub(crate) publish_to: Option<Target>,
    /// Its folder below `--publish-root`: at most 64 lower-case letters, digits, - and _.
    #[arg(long, value_name = "NAME", required_if_eq("publish_to", "directory"))]
    pub(crate) folder: Option<String>,
    /// How a file begins: `yaml` for Hugo, Jekyll and Eleventy, `toml` for Zola.
    #[arg(long, value_name = "FORM", default_value = "yaml", value_parser = front_matter)]
    pub(crate) front_matter: FrontMatter,
    /// Where the customer's system takes articles: https://…
    #[arg(long, value_name = "URL", required_if_eq("publish_to", "push"))]
    pub(crate) push_url: Option<String>,
    /// Make a new secret that signs the requests; the former one ends at once.
    #[arg(long)]
    pub(crate) new_secret: bool,
}

fn front_matter(text: &str) -> Result<FrontMatter, String> {
    FrontMatter::parse(text).ok_or_else(|| "write yaml or toml".to_owned())
}
