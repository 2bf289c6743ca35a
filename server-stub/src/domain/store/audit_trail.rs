//! Filters of the audit trail.

use crate::domain::audit::Action;
use crate::domain::personal::Personal;
use crate::domain::search::Search;

/// Filters of the audit trail, combined with AND.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Only this action.
    pub action: Option<Action>,
    /// Only actors whose name contains this text.
    pub actor: Option<Personal<Search>>,
}
