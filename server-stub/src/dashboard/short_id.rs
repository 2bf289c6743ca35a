//! Ids that people tell from others at a glance.

/// How many characters of the random part are shown.
const SHOWN: usize = 8;

/// An id by its prefix and its end, which is random: `art_…33df8423`.
pub(super) fn short_id(id: &str) -> String {
    match id.split_once('_') {
        Some((prefix, rest)) if rest.len() > SHOWN && rest.is_ascii() => {
            format!("{prefix}_…{}", &rest[rest.len() - SHOWN..])
        }
        _ => id.to_owned(),
    }
}
