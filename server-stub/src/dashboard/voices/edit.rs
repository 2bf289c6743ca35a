//! Creation and editing of a profile. Saving creates a version. A newer version by another user is overwritten only after a
//! confirmation.

use askama::Template;
use axum::extract::Path;

use super::super::error::{Failure, Result};
use super::super::field_errors::FieldErrors;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::time::DisplayTime;
use super::super::visit::Visit;
use super::profile_form::Typed;
use super::trial::{self, Sample, Shown};
use crate::app::{AdminError, MAX_CHECKED_CHARS};
use crate::domain::store::VoiceUse;
use crate::domain::voice::{BrandVoice, SavedVoice};

/// Maximum number of websites named on the page; the others are only counted.
const SHOWN_WEBSITES: usize = 20;

/// Choice: its stored name, and its label.
type Choice = (&'static str, &'static str);

const VIEWS: &[Choice] = &[
    ("any", "Any (not checked)"),
    ("first_person_singular", "I advise"),
    ("first_person_plural", "We advise"),
    ("second_person", "You are addressed"),
    ("third_person", "Nobody is addressed"),
];
const SPELLINGS: &[Choice] = &[("any", "Either"), ("en-US", "American"), ("en-GB", "British")];
const CONTRACTIONS: &[Choice] = &[("allow", "Allowed"), ("avoid", "Not allowed: “do not”, never “don’t”")];
const EMOJI: &[Choice] = &[("none", "None"), ("allow", "Allowed")];
const HUMOUR: &[Choice] = &[("1", "1 – serious"), ("2", "2"), ("3", "3"), ("4", "4"), ("5", "5 – funny")];
const FORMALITY: &[Choice] = &[("1", "1 – casual"), ("2", "2"), ("3", "3"), ("4", "4"), ("5", "5 – formal")];
const RESPECT: &[Choice] = &[("1", "1 – irreverent"), ("2", "2"), ("3", "3"), ("4", "4"), ("5", "5 – respectful")];
const ENTHUSIASM: &[Choice] =
    &[("1", "1 – matter-of-fact"), ("2", "2"), ("3", "3"), ("4", "4"), ("5", "5 – enthusiastic")];

#[derive(Template)]
#[template(path = "dashboard/voices/edit.html")]
struct EditPage {
    layout: Layout,
    stored: Option<Stored>,
    /// Version with which the form was opened.
    opened: u32,
    conflict: Option<Conflict>,
    typed: Typed,
    errors: FieldErrors,
    sample: Sample,
    trial: Shown,
    max_sample_chars: usize,
}

/// Stored profile, and the websites that use it.
struct Stored {
    id: String,
    version: u32,
    is_default: bool,
    saved_at: DisplayTime,
    saved_by: String,
    websites: Vec<VoiceUse>,
    more_websites: usize,
}

/// Version that is newer than the one with which the form was opened.
struct Conflict {
    version: u32,
    saved_by: String,
}

impl EditPage {
    fn new(visit: &Visit, title: &str, typed: Typed) -> Self {
        Self {
            layout: visit.layout(title, Section::Voices),
            stored: None,
            opened: 0,
            conflict: None,
            typed,
            errors: FieldErrors::default(),
            sample: Sample { text: String::new(), language: "en".to_owned() },
            trial: Shown::Nothing,
            max_sample_chars: MAX_CHECKED_CHARS,
        }
    }

    async fn of_stored(visit: &Visit, saved: &SavedVoice, typed: Typed) -> Result<Self> {
        let voice = &saved.profile;
        let mut websites = visit.app().websites_of_voice(visit.account(), voice).await?;
        let more_websites = websites.len().saturating_sub(SHOWN_WEBSITES);
        websites.truncate(SHOWN_WEBSITES);
        let stored = Stored {
            id: voice.id.clone(),
            version: voice.version,
            is_default: voice.is_default,
            saved_at: saved.saved_at.into(),
            saved_by: saved.saved_by.to_string(),
            websites,
            more_websites,
        };
        Ok(Self { stored: Some(stored), opened: voice.version, ..Self::new(visit, &voice.name, typed) })
    }

    /// Adds the sample of the form, and the result of checking it with the submitted profile.
    async fn with_trial(self, visit: &Visit, form: &Form) -> Result<Self> {
        let sample = Sample::read(form);
        let trial = trial::run(visit, &self.typed, &sample).await?;
        Ok(Self { sample, trial, ..self })
    }
}

/// Shows the form for a new profile, filled with the built-in one.
pub(in crate::dashboard) async fn show_new(visit: Visit) -> Result {
    let profile = BrandVoice { name: String::new(), ..BrandVoice::default() };
    Ok(visit.page(&EditPage::new(&visit, "New profile", Typed::of_profile(&profile))))
}

/// Creates the profile, or checks the sample with it.
pub(in crate::dashboard) async fn create(visit: Visit, form: Form) -> Result {
    let typed = Typed::read(&form);
    if form.has("check") {
        let page = EditPage::new(&visit, "New profile", typed).with_trial(&visit, &form).await?;
        return Ok(visit.page(&page));
    }
    let errors = match typed.profile() {
        Err(errors) => errors,
        Ok(profile) => match visit.app().create_voice(visit.account(), profile).await {
            Ok(voice) => {
                return Ok(visit.redirect(&format!("/dashboard/voices/{}", voice.id), Some(Notice::VoiceCreated)));
            }
            Err(AdminError::VoiceInvalid(violations)) => typed.errors(&violations),
            Err(error) => return Err(error.into()),
        },
    };
    let page = EditPage { errors, ..EditPage::new(&visit, "New profile", typed) };
    Ok(visit.form_again(&page.with_trial(&visit, &form).await?))
}

/// Shows the form of a profile.
pub(in crate::dashboard) async fn show(visit: Visit, Path(voice_id): Path<String>) -> Result {
    let saved = visit.app().voice(visit.account(), &voice_id).await?;
    let typed = Typed::of_profile(&saved.profile);
    Ok(visit.page(&EditPage::of_stored(&visit, &saved, typed).await?))
}

/// Saves the profile, or checks the sample with it.
pub(in crate::dashboard) async fn save(visit: Visit, Path(voice_id): Path<String>, form: Form) -> Result {
    let saved = visit.app().voice(visit.account(), &voice_id).await?;
    let typed = Typed::read(&form);
    // `overwrite` contains the number of the newer version that the user agreed to overwrite.
    let opened = if form.has("overwrite") { form.text("overwrite") } else { form.text("version") };
    let opened: u32 = opened.parse().map_err(|_| Failure::StaleForm)?;
    if form.has("check") {
        let page = EditPage { opened, ..EditPage::of_stored(&visit, &saved, typed).await? };
        return Ok(visit.page(&page.with_trial(&visit, &form).await?));
    }
    let (errors, conflict) = match typed.profile() {
        Err(errors) => (errors, None),
        Ok(profile) => match visit.app().save_voice(visit.account(), &voice_id, opened, profile).await {
            Ok(version) => {
                let notice = if version == opened { Notice::VoiceUnchanged } else { Notice::VoiceSaved };
                let path = format!("/dashboard/voices/{voice_id}");
                return Ok(visit.redirect_counting(&path, Some(notice), Some(version.into())));
            }
            Err(AdminError::VoiceInvalid(violations)) => (typed.errors(&violations), None),
            Err(AdminError::VoiceChanged(version)) => (FieldErrors::default(), Some(version)),
            Err(error) => return Err(error.into()),
        },
    };
    let saved = match conflict {
        Some(_) => visit.app().voice(visit.account(), &voice_id).await?,
        None => saved,
    };
    let conflict = conflict.map(|version| Conflict { version, saved_by: saved.saved_by.to_string() });
    let page = EditPage { opened, conflict, errors, ..EditPage::of_stored(&visit, &saved, typed).await? };
    Ok(visit.form_again(&page.with_trial(&visit, &form).await?))
}
