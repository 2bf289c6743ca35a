//! Versions of a profile: list, comparison and restoring.

use askama::Template;
use axum::extract::Path;

use super::super::{DisplayTime, Failure, FieldErrors, Form, Layout, Notice, Paging, Result, Section, Visit};
use super::labels;
use crate::app::AdminError;
use crate::domain::voice::SavedVoice;

#[derive(Template)]
#[template(path = "dashboard/voices/versions.html")]
struct VersionsPage {
    layout: Layout,
    voice_id: String,
    newest: u32,
    versions: Vec<Row>,
    paging: Paging,
    from: String,
    to: String,
    comparison: Option<Comparison>,
    errors: FieldErrors,
}

struct Row {
    version: u32,
    saved_at: DisplayTime,
    saved_by: String,
}

/// Differences between two versions.
struct Comparison {
    from: u32,
    to: u32,
    lines: Vec<Line>,
    /// True if the versions differ at most in the order of lists.
    is_same: bool,
}

/// Line of the comparison.
enum Line {
    Field(String),
    Removed(String),
    Added(String),
}

/// Shows the list, and the comparison if the query requests one.
pub(in crate::dashboard) async fn show(visit: Visit, Path(voice_id): Path<String>, query: Form) -> Result {
    let newest = visit.app().voice(visit.account(), &voice_id).await?;
    let before = query.page_token();
    let before = before.map(|token| token.parse().map_err(|_| Failure::NotFound)).transpose()?;
    let (versions, next) = visit.app().voice_versions(visit.account(), &voice_id, before).await?;
    let next = next.map(|version: u32| version.to_string());
    let path = format!("/dashboard/voices/{voice_id}/versions");
    let (from, to) = (query.text("from"), query.text("to"));
    let mut errors = FieldErrors::default();
    let comparison = if from.is_empty() && to.is_empty() {
        None
    } else {
        let from = version(&visit, &voice_id, from, ("from", &mut errors)).await?;
        let to = version(&visit, &voice_id, to, ("to", &mut errors)).await?;
        from.zip(to).map(|(from, to)| compare(&from, &to))
    };
    let row = |saved: SavedVoice| Row {
        version: saved.profile.version,
        saved_at: saved.saved_at.into(),
        saved_by: saved.saved_by.into_inner(),
    };
    Ok(visit.page(&VersionsPage {
        layout: visit.layout(newest.profile.name.as_str(), Section::Voices),
        voice_id,
        newest: newest.profile.version,
        versions: versions.into_iter().map(row).collect(),
        paging: visit.paging(&path, &query, &["from", "to"], next.as_deref()),
        from: from.to_owned(),
        to: to.to_owned(),
        comparison,
        errors,
    }))
}

/// Returns the version with that number, or an error for its field.
async fn version(
    visit: &Visit,
    voice_id: &str,
    typed: &str,
    (field, errors): (&str, &mut FieldErrors),
) -> Result<Option<SavedVoice>> {
    let found = match typed.parse() {
        Ok(number) => visit.app().voice_version(visit.account(), voice_id, number).await,
        Err(_) => Err(AdminError::VoiceNotFound),
    };
    match found {
        Ok(saved) => Ok(Some(saved)),
        Err(AdminError::VoiceNotFound) => {
            errors.add(field, "write the number of a version in the list");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn compare(from: &SavedVoice, to: &SavedVoice) -> Comparison {
    let (old, new) = (&from.profile, &to.profile);
    let mut differences = old.differences(new);
    differences.sort_by_key(|difference| labels::of_path(&difference.field).0);
    let mut lines = Vec::new();
    for difference in differences {
        lines.push(Line::Field(labels::of_path(&difference.field).1.to_owned()));
        lines.extend(difference.removed.into_iter().map(Line::Removed));
        lines.extend(difference.added.into_iter().map(Line::Added));
    }
    Comparison { from: old.version, to: new.version, lines, is_same: old.says_the_same_as(new) }
}

/// Creates a new version from a former one.
pub(in crate::dashboard) async fn restore(visit: Visit, Path(voice_id): Path<String>, form: Form) -> Result {
    visit.app().voice(visit.account(), &voice_id).await?;
    let version = form.text("version").parse().map_err(|_| Failure::NotFound)?;
    let restored = visit.app().restore_voice(visit.account(), &voice_id, version).await?;
    let path = format!("/dashboard/voices/{voice_id}/versions");
    Ok(visit.redirect_counting(&path, Notice::VoiceRestored, u64::from(restored)))
}
