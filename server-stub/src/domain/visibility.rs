//! Decides which websites' jobs, articles and leads a caller may see.

/// Data that a caller may see: all websites of one account, or some of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visibility {
    /// The caller's account.
    pub account_id: String,
    /// The websites it is restricted to; `None` means all of the account.
    pub website_ids: Option<Vec<String>>,
}

impl Visibility {
    /// Returns true if the caller may see records of this account and website.
    pub fn sees(&self, account_id: &str, website_id: &str) -> bool {
        self.account_id == account_id
            && self.website_ids.as_ref().is_none_or(|ids| ids.iter().any(|id| id == website_id))
    }
}
