//! Filters of the audit trail.

use crate::domain::audit::Action;
use crate::domain::personal::Personal;
use crate::domain::search::Search;

/// Filters of the audit trail; all that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Of this.
    pub action: Option<Action>,
    /// By somebody with this in their name.
    pub actor: Option<Personal<Search>>,
}
