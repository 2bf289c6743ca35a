//! List of profiles, selection of the default profile, and removal of a profile after a confirmation.

use askama::Template;
use axum::extract::Path;

use super::super::{DisplayTime, Form, Layout, Notice, Paging, Result, Section, Visit};
use crate::app::ListedVoice;
use crate::domain::search::Search;
use crate::domain::store::VoiceUse;
use crate::domain::voice::BrandVoice;

const PATH: &str = "/dashboard/voices";
/// Maximum number of websites named in a row; the others are only counted.
const LISTED_WEBSITES: usize = 3;
/// Maximum number of websites named on the page; the others are only counted.
const SHOWN_WEBSITES: usize = 20;

#[derive(Template)]
#[template(path = "dashboard/voices/list.html")]
struct ListPage<'a> {
    layout: Layout,
    search: &'a str,
    voices: Vec<Row>,
    paging: Paging,
}

struct Row {
    id: String,
    name: String,
    audience: String,
    is_default: bool,
    version: u32,
    websites: Vec<(String, String)>,
    more_websites: usize,
    saved_at: DisplayTime,
    saved_by: String,
}

impl From<ListedVoice> for Row {
    fn from(ListedVoice { saved, websites }: ListedVoice) -> Self {
        let profile = saved.profile;
        Self {
            id: profile.id,
            name: profile.name,
            audience: profile.audience,
            is_default: profile.is_default,
            version: profile.version,
            more_websites: websites.len().saturating_sub(LISTED_WEBSITES),
            websites: websites
                .into_iter()
                .take(LISTED_WEBSITES)
                .map(|website| (website.website_id, website.website_name))
                .collect(),
            saved_at: saved.saved_at.into(),
            saved_by: saved.saved_by.into_inner(),
        }
    }
}

/// Shows the page.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let search = query.text("search");
    let token = query.page_token();
    let page = visit.app().find_voices(visit.account(), Search::parse(search).as_ref(), token).await?;
    Ok(visit.page(&ListPage {
        layout: visit.layout("Brand DNA", Section::Voices),
        search,
        paging: visit.paging(PATH, &query, &["search"], page.next_page.as_deref()),
        voices: page.items.into_iter().map(Row::from).collect(),
    }))
}

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
    Ok(visit.redirect(&format!("/dashboard/voices/{voice_id}"), Notice::VoiceMadeDefault))
}

/// Shows the confirmation page, or the reason why the profile cannot be removed.
pub(in crate::dashboard) async fn show_removal(visit: Visit, Path(voice_id): Path<String>) -> Result {
    let voice = visit.app().voice(visit.account(), &voice_id).await?.profile;
    let mut websites = visit.app().websites_of_voice(visit.account(), &voice).await?;
    let more_websites = websites.len().saturating_sub(SHOWN_WEBSITES);
    websites.truncate(SHOWN_WEBSITES);
    let layout = visit.layout("Remove a profile", Section::Voices);
    Ok(visit.page(&RemovePage { layout, voice, websites, more_websites }))
}

/// Removes the profile.
pub(in crate::dashboard) async fn remove(visit: Visit, Path(voice_id): Path<String>) -> Result {
    visit.app().remove_voice(visit.account(), &voice_id).await?;
    Ok(visit.redirect("/dashboard/voices", Notice::VoiceRemoved))
}
