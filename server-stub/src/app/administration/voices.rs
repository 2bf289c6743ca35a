//! Manages the Brand DNA profiles of an account and their versions, and tries a profile on a text.

use super::super::page::Listing;
use super::super::{AdminError, App, Page, Setting};
use crate::domain::account::Account;
use crate::domain::audit::Action;
use crate::domain::id::{self, Kind};
use crate::domain::search::{Search, searchable};
use crate::domain::store::{self, PageKey, VoiceRemoval, VoiceUse};
use crate::domain::voice::{BrandVoice, Mark, SavedVoice, VoiceCheck, check_wording, marks};

/// Maximum length of a text that a profile is tried on, in characters.
pub const MAX_CHECKED_CHARS: usize = 20_000;
/// Number of versions on a page of the list.
const VERSIONS_PAGE: u32 = 20;

/// A profile in the list.
#[derive(Debug, Clone)]
pub struct ListedVoice {
    /// Newest saved version.
    pub saved: SavedVoice,
    /// Websites that use the profile, by choice or because it is the default.
    pub websites: Vec<VoiceUse>,
}

/// Result of checking a text against a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceTrial {
    /// Results of the rules that apply to any text.
    pub checks: Vec<VoiceCheck>,
    /// Places where the text breaks a rule.
    pub marks: Vec<Mark>,
}

impl App {
    /// Stores a new Brand DNA profile unchanged.
    pub async fn put_voice(&self, account: &Account, voice: &BrandVoice) -> Result<(), AdminError> {
        if self.store_version(account, voice, &voice.name).await? {
            return Ok(());
        }
        Err(AdminError::VoiceChanged(voice.version))
    }

    /// Returns all profiles of the account, the last saved first.
    pub async fn voices(&self, account: &Account) -> Result<Vec<SavedVoice>, AdminError> {
        Ok(self.store.list_voices(&account.id).await?)
    }

    /// Returns a page of the account's profiles, the last saved first. An account has few profiles, so the search runs in memory.
    pub async fn find_voices(
        &self,
        account: &Account,
        search: Option<&Search>,
        page_token: Option<&str>,
    ) -> Result<Page<ListedVoice>, AdminError> {
        let listing = Listing::new("voices", &account.id).with("search", search.map(Search::as_str));
        let listing = self.at_token(listing, page_token).ok_or(AdminError::PageToken)?;
        let request = listing.request();
        let key = |saved: &SavedVoice| PageKey { time: saved.saved_at, id: saved.profile.id.clone() };
        let is_wanted = |saved: &SavedVoice| {
            let texts = searchable([saved.profile.name.as_str(), saved.profile.audience.as_str()]);
            search.is_none_or(|search| texts.contains(search.as_str()))
        };
        let is_behind = |saved: &SavedVoice| {
            request.after.as_ref().is_none_or(|after| (saved.saved_at, &saved.profile.id) < (after.time, &after.id))
        };
        let uses = self.store.list_voice_uses(&account.id).await?;
        let rows = self.voices(account).await?.into_iter();
        let rows = rows.filter(|saved| is_wanted(saved) && is_behind(saved)).take(request.limit as usize);
        let rows = rows.map(|saved| ListedVoice { websites: websites_of(&saved.profile, &uses), saved }).collect();
        Ok(self.page(listing, rows, |row: &ListedVoice| key(&row.saved)))
    }

    /// Returns the account's profile with this id.
    pub async fn voice(&self, account: &Account, voice_id: &str) -> Result<SavedVoice, AdminError> {
        self.store.find_voice(&account.id, voice_id).await?.ok_or(AdminError::VoiceNotFound)
    }

    /// Returns the websites that use the profile.
    pub async fn websites_of_voice(&self, account: &Account, voice: &BrandVoice) -> Result<Vec<VoiceUse>, AdminError> {
        Ok(websites_of(voice, &self.store.list_voice_uses(&account.id).await?))
    }

    /// Creates a profile. The first profile of an account is the default.
    pub async fn create_voice(&self, account: &Account, profile: BrandVoice) -> Result<BrandVoice, AdminError> {
        let is_default = self.voices(account).await?.is_empty();
        let id = id::new(Kind::Voice, self.clock.wall(), &*self.randomness);
        let voice = BrandVoice { id, version: 1, is_default, ..profile };
        check(&voice)?;
        self.put_voice(account, &voice).await?;
        Ok(voice)
    }

    /// Saves a profile that was opened at version `opened` as the next version. Returns the stored version, which is the old one if
    /// nothing changed.
    pub async fn save_voice(
        &self,
        account: &Account,
        voice_id: &str,
        opened: u32,
        profile: BrandVoice,
    ) -> Result<u32, AdminError> {
        let former = self.voice(account, voice_id).await?.profile;
        let name = profile.name.clone();
        self.store_next(account, former, opened, profile, &name).await
    }

    /// Creates a new version with the content of an earlier one.
    pub async fn restore_voice(&self, account: &Account, voice_id: &str, version: u32) -> Result<u32, AdminError> {
        let newest = self.voice(account, voice_id).await?.profile;
        let wanted = self.voice_version(account, voice_id, version).await?.profile;
        let (opened, detail) = (newest.version, format!("{}, version {version} restored", wanted.name));
        self.store_next(account, newest, opened, wanted, &detail).await
    }

    async fn store_next(
        &self,
        account: &Account,
        former: BrandVoice,
        opened: u32,
        profile: BrandVoice,
        detail: &str,
    ) -> Result<u32, AdminError> {
        let version = former.version.saturating_add(1);
        let voice = BrandVoice { id: former.id.clone(), version, is_default: former.is_default, ..profile };
        check(&voice)?;
        if former.version != opened {
            return Err(AdminError::VoiceChanged(former.version));
        }
        if former.says_the_same_as(&voice) {
            return Ok(former.version);
        }
        if self.store_version(account, &voice, detail).await? {
            return Ok(version);
        }
        Err(AdminError::VoiceChanged(self.voice(account, &former.id).await?.profile.version))
    }

    async fn store_version(&self, account: &Account, voice: &BrandVoice, detail: &str) -> Result<bool, AdminError> {
        let detail = format!("version {} of {detail}", voice.version);
        let store = self.audited(&account.id, (Action::VoiceSaved, Some(&voice.id)), Some(&detail));
        let saved = SavedVoice {
            profile: voice.clone(),
            saved_at: self.clock.wall(),
            saved_by: self.actor_name().to_owned().into(),
        };
        Ok(store.put_voice(&account.id, &saved).await?)
    }

    /// Makes the profile the default for websites that chose none.
    pub async fn make_default_voice(&self, account: &Account, voice_id: &str) -> Result<(), AdminError> {
        let name = self.voice(account, voice_id).await?.profile.name;
        let store = self.audited(&account.id, (Action::VoiceMadeDefault, Some(voice_id)), Some(&name));
        store.make_default_voice(&account.id, voice_id).await?;
        Ok(())
    }

    /// Removes a profile with all its versions, if no website uses it.
    pub async fn remove_voice(&self, account: &Account, voice_id: &str) -> Result<(), AdminError> {
        let name = self.voice(account, voice_id).await?.profile.name;
        let store = self.audited(&account.id, (Action::VoiceRemoved, Some(voice_id)), Some(&name));
        match store.remove_voice(&account.id, voice_id).await {
            Ok(VoiceRemoval::Done) => Ok(()),
            Ok(VoiceRemoval::NotFound) => Err(AdminError::VoiceNotFound),
            Ok(VoiceRemoval::IsDefault) => Err(AdminError::DefaultVoice),
            // A website chose the profile at the same moment.
            Ok(VoiceRemoval::InUse) | Err(store::Error::MissingReference) => Err(AdminError::VoiceInUse),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns versions of the profile older than `before` (all if `None`), newest first, and the `before` of the next page, if there
    /// is one.
    pub async fn voice_versions(
        &self,
        account: &Account,
        voice_id: &str,
        before: Option<u32>,
    ) -> Result<(Vec<SavedVoice>, Option<u32>), AdminError> {
        let limit = VERSIONS_PAGE + 1;
        let mut versions = self.store.list_voice_versions(&account.id, voice_id, before, limit).await?;
        let is_last = versions.len() <= VERSIONS_PAGE as usize;
        versions.truncate(VERSIONS_PAGE as usize);
        let next = versions.last().filter(|_| !is_last).map(|last| last.profile.version);
        Ok((versions, next))
    }

    /// Returns one version of the profile.
    pub async fn voice_version(
        &self,
        account: &Account,
        voice_id: &str,
        version: u32,
    ) -> Result<SavedVoice, AdminError> {
        let found = self.store.find_voice_version(&account.id, voice_id, version).await?;
        found.ok_or(AdminError::VoiceNotFound)
    }

    /// Checks a text in `CommonMark` against a profile. The profile need not be stored.
    pub async fn try_voice(&self, voice: BrandVoice, language: &str, text: &str) -> Result<VoiceTrial, AdminError> {
        let is_short = text.chars().count() <= MAX_CHECKED_CHARS;
        Setting::SampleText.require(is_short, "must have at most 20,000 characters")?;
        let (language, text) = (language.to_owned(), text.to_owned());
        // Checking many terms takes milliseconds and would block the thread for other requests.
        let place = self.text_checks.place()?;
        let trial = place.run(move || {
            let violations = voice.validate();
            if !violations.is_empty() {
                return Err(AdminError::VoiceInvalid(violations));
            }
            Ok(VoiceTrial { checks: check_wording(&voice, &language, &text), marks: marks(&voice, &language, &text) })
        });
        trial.await
    }
}

fn check(voice: &BrandVoice) -> Result<(), AdminError> {
    let violations = voice.validate();
    if violations.is_empty() { Ok(()) } else { Err(AdminError::VoiceInvalid(violations)) }
}

fn websites_of(voice: &BrandVoice, uses: &[VoiceUse]) -> Vec<VoiceUse> {
    let is_in_it = |one: &&VoiceUse| one.voice_id.as_ref().map_or(voice.is_default, |id| *id == voice.id);
    uses.iter().filter(is_in_it).cloned().collect()
}
