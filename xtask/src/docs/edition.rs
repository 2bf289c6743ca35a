//! The place where the reference is read, and the pages that it can link to. Every link is relative, so the place may have any address.

/// The publisher of the reference.
#[derive(Debug, Clone, Copy)]
pub(super) enum Edition {
    /// A folder of files, in which guides and pages of problems lie below the reference.
    Folder,
    /// The reference server, at `/docs`. It has its own pages of problems and no guides.
    Server,
}

impl Edition {
    /// Returns the target of the name at the head of the reference.
    pub(super) fn home(self) -> &'static str {
        match self {
            Self::Folder => "index.html",
            Self::Server => "./",
        }
    }

    /// The page of one problem.
    pub(super) fn problem_page(self, code: &str) -> String {
        match self {
            Self::Folder => format!("problems/{code}.html"),
            Self::Server => format!("problems/{code}"),
        }
    }

    /// The forms of the document that lie beside the reference.
    pub(super) fn documents(self) -> &'static [&'static str] {
        match self {
            Self::Folder => &["openapi.yaml", "openapi-3.1.json"],
            Self::Server => &["openapi.yaml", "openapi.json", "openapi-3.1.json"],
        }
    }
}
