//! Limits of Brand DNA profiles, and the outcomes of removing one.

/// Maximum number of profiles of an account.
pub const MAX_VOICES: usize = 50;
/// Maximum number of websites that `Store::list_voice_uses` returns.
pub const MAX_VOICE_USES: u32 = 1000;

/// What became of removing a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceRemoval {
    /// It is gone.
    Done,
    /// The account has no such profile.
    NotFound,
    /// It is the default, which websites without a choice of their own use.
    IsDefault,
    /// Websites chose it.
    InUse,
}

/// A website and the profile that it chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceUse {
    /// The website.
    pub website_id: String,
    /// Its name.
    pub website_name: String,
    /// The profile; `None` means the account's default.
    pub voice_id: Option<String>,
}
