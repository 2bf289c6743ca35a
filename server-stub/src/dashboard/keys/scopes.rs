//! Descriptions of the API scopes of a key.

use crate::domain::key::Permission;

/// API scope in the form.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScopeChoice {
    pub(super) name: &'static str,
    pub(super) allows: &'static str,
    pub(super) is_chosen: bool,
}

/// Returns all API scopes; those in `chosen` are ticked.
pub(super) fn choices(chosen: &[Permission]) -> Vec<ScopeChoice> {
    let choice = |permission: Permission| ScopeChoice {
        name: permission.as_str(),
        allows: allows(permission),
        is_chosen: chosen.contains(&permission),
    };
    Permission::ALL.into_iter().map(choice).collect()
}

const fn allows(permission: Permission) -> &'static str {
    match permission {
        Permission::GenerateWrite => "Queue articles, and cancel them while they are written.",
        Permission::JobsRead => "See how far articles are, and which posts are planned.",
        Permission::ArticlesRead => "Read articles with their text.",
        Permission::LeadsRead => "Read leads with the names and addresses in them.",
        Permission::WebsitesRead => "List the websites.",
    }
}
