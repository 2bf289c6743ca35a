//! Limits of Brand DNA profiles, and the results of removing one.

/// Maximum number of profiles of an account.
pub const MAX_VOICES: usize = 50;
/// Maximum number of websites that `Store::list_voice_uses` returns.
pub const MAX_VOICE_USES: u32 = 1000;

/// Result of removing a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceRemoval {
    /// The profile is removed.
    Done,
    /// The account has no such profile.
    NotFound,
    /// The profile is the default, which websites without a chosen profile use.
    IsDefault,
    /// Some websites have chosen the profile.
    InUse,
}

/// A website and its chosen profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceUse {
    /// The website.
    pub website_id: String,
    /// Its name.
    pub website_name: String,
    /// The profile; `None` means the account's default.
    pub voice_id: Option<String>,
}
