//! Short ids for people.

/// Number of random characters shown.
const SHOWN: usize = 8;

/// Shortens an id to its prefix and its random end: `art_…33df8423`.
pub(super) fn short_id(id: &str) -> String {
    match id.split_once('_') {
        Some((prefix, rest)) if rest.len() > SHOWN && rest.is_ascii() => {
            format!("{prefix}_…{}", &rest[rest.len() - SHOWN..])
        }
        _ => id.to_owned(),
    }
}
