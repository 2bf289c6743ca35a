//! Selection of the default profile, and removal of a profile after a confirmation.

use askama::Template;
use axum::extract::Path;

use super::super::error::Result;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use crate::domain::store::VoiceUse;
use crate::domain::voice::BrandVoice;

/// Maximum number of websites named on the page; the others are only counted.
const SHOWN_WEBSITES: usize = 20;

#[derive(Template)]
#[template(path = "dashboard/voices/remove.html")]
struct RemovePage {
    layout: Layout,
    voice: BrandVoice,
    websites: Vec<VoiceUse>,
    more_websites: usize,
}

/// Makes the profile the account's default.
pub(in crate::dashboard) async fn make_default(visit: Visit, Path(voice_id): Path<String>) -> Result {
    visit.app().make_default_voice(visit.account(), &voice_id).await?;
    Ok(visit.redirect(&format!("/dashboard/voices/{voice_id}"), Some(Notice::VoiceMadeDefault)))
}

/// Shows the confirmation page, or the reason why the profile cannot be removed.
pub(in crate::dashboard) async fn show(visit: Visit, Path(voice_id): Path<String>) -> Result {
    let voice = visit.app().voice(visit.account(), &voice_id).await?.profile;
    let mut websites = visit.app().websites_of_voice(visit.account(), &voice).await?;
    let more_websites = websites.len().saturating_sub(SHOWN_WEBSITES);
    websites.truncate(SHOWN_WEBSITES);
    let layout = visit.layout("Remove a profile", Section::Voices);
    Ok(visit.page(&RemovePage { layout, voice, websites, more_websites }))
}

/// Removes the profile.
pub(in crate::dashboard) async fn submit(visit: Visit, Path(voice_id): Path<String>) -> Result {
    visit.app().remove_voice(visit.account(), &voice_id).await?;
    Ok(visit.redirect("/dashboard/voices", Some(Notice::VoiceRemoved)))
}
