//! Creation and editing of a profile. Saving creates a version. A newer version by another user is overwritten only after a
//! confirmation.

use askama::Template;
use axum::extract::Path;

use super::super::{DisplayTime, Failure, FieldErrors, Form, Layout, Notice, Result, Section, Visit};
use super::profile_form::{self, form_of};
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
    typed: Form,
    errors: FieldErrors,
    has_samples: bool,
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
    fn new(visit: &Visit, title: &str, typed: Form) -> Self {
        Self {
            layout: visit.layout(title, Section::Voices),
            stored: None,
            opened: 0,
            conflict: None,
            has_samples: profile_form::has_samples(&typed),
            typed,
            errors: FieldErrors::default(),
            sample: Sample { text: String::new(), language: "en".to_owned() },
            trial: Shown::Nothing,
            max_sample_chars: MAX_CHECKED_CHARS,
        }
    }

    async fn of_stored(visit: &Visit, saved: &SavedVoice, typed: Form) -> Result<Self> {
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
    async fn with_trial(self, visit: &Visit) -> Result<Self> {
        let sample = Sample::read(&self.typed);
        let trial = trial::run(visit, &self.typed, &sample).await?;
        Ok(Self { sample, trial, ..self })
    }
}

/// Shows the form for a new profile, filled with the built-in one.
pub(in crate::dashboard) async fn show_new(visit: Visit) -> Result {
    let profile = BrandVoice { name: String::new(), ..BrandVoice::default() };
    Ok(visit.page(&EditPage::new(&visit, "New profile", form_of(&profile))))
}

/// Creates the profile, or checks the sample with it.
pub(in crate::dashboard) async fn create(visit: Visit, form: Form) -> Result {
    if form.has("check") {
        let page = EditPage::new(&visit, "New profile", form).with_trial(&visit).await?;
        return Ok(visit.page(&page));
    }
    let errors = match profile_form::profile(&form) {
        Err(errors) => errors,
        Ok(profile) => match visit.app().create_voice(visit.account(), profile).await {
            Ok(voice) => {
                return Ok(visit.redirect(&format!("/dashboard/voices/{}", voice.id), Notice::VoiceCreated));
            }
            Err(AdminError::VoiceInvalid(violations)) => profile_form::errors(&form, &violations),
            Err(error) => return Err(error.into()),
        },
    };
    let page = EditPage { errors, ..EditPage::new(&visit, "New profile", form) };
    Ok(visit.form_again(&page.with_trial(&visit).await?))
}

/// Shows the form of a profile.
pub(in crate::dashboard) async fn show(visit: Visit, Path(voice_id): Path<String>) -> Result {
    let saved = visit.app().voice(visit.account(), &voice_id).await?;
    let typed = form_of(&saved.profile);
    Ok(visit.page(&EditPage::of_stored(&visit, &saved, typed).await?))
}

/// Saves the profile, or checks the sample with it.
pub(in crate::dashboard) async fn save(visit: Visit, Path(voice_id): Path<String>, form: Form) -> Result {
    let saved = visit.app().voice(visit.account(), &voice_id).await?;
    // `overwrite` contains the number of the newer version that the user agreed to overwrite.
    let opened = if form.has("overwrite") { form.text("overwrite") } else { form.text("version") };
    let opened: u32 = opened.parse().map_err(|_| Failure::StaleForm)?;
    if form.has("check") {
        let page = EditPage { opened, ..EditPage::of_stored(&visit, &saved, form).await? };
        return Ok(visit.page(&page.with_trial(&visit).await?));
    }
    let (errors, conflict) = match profile_form::profile(&form) {
        Err(errors) => (errors, None),
        Ok(profile) => match visit.app().save_voice(visit.account(), &voice_id, opened, profile).await {
            Ok(version) => {
                let notice = if version == opened { Notice::VoiceUnchanged } else { Notice::VoiceSaved };
                let path = format!("/dashboard/voices/{voice_id}");
                return Ok(visit.redirect_counting(&path, notice, u64::from(version)));
            }
            Err(AdminError::VoiceInvalid(violations)) => (profile_form::errors(&form, &violations), None),
            Err(AdminError::VoiceChanged(version)) => (FieldErrors::default(), Some(version)),
            Err(error) => return Err(error.into()),
        },
    };
    let saved = match conflict {
        Some(_) => visit.app().voice(visit.account(), &voice_id).await?,
        None => saved,
    };
    let conflict = conflict.map(|version| Conflict { version, saved_by: saved.saved_by.to_string() });
    let page = EditPage { opened, conflict, errors, ..EditPage::of_stored(&visit, &saved, form).await? };
    Ok(visit.form_again(&page.with_trial(&visit).await?))
}
