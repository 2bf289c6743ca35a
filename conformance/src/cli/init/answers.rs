//! The answers: `ask` collects them, `trial` tries their commands, `file` renders them.

/// All answers; the file omits empty texts.
#[derive(Debug)]
pub(super) struct Answers {
    pub(super) base_url: String,
    pub(super) profile: String,
    pub(super) api_key_env: String,
    pub(super) website_id: String,
    pub(super) other_api_key_env: String,
    pub(super) id_from: String,
    pub(super) hook_id_pointer: String,
    pub(super) ready_within: String,
    pub(super) hooks: Option<HookAnswers>,
    pub(super) form: Option<FormAnswers>,
    pub(super) lent: LentAnswers,
    pub(super) organisation: String,
    pub(super) contact: String,
}

/// Answers about webhooks.
#[derive(Debug, Clone, Default)]
pub(super) struct HookAnswers {
    pub(super) register: String,
    pub(super) remove: String,
    pub(super) public_url: String,
    pub(super) standard_webhooks: bool,
}

/// Answers about the lead form.
#[derive(Debug)]
pub(super) struct FormAnswers {
    pub(super) url: String,
    /// True if it is sent as a form, not as JSON.
    pub(super) is_form: bool,
    pub(super) email: String,
    pub(super) name: String,
    pub(super) message: String,
}

/// Answers about set-up that only `full` uses.
#[derive(Debug, Default)]
pub(super) struct LentAnswers {
    pub(super) small_quota_env: String,
    pub(super) narrow_scope_env: String,
    pub(super) revoked_key_env: String,
    pub(super) expired_key_env: String,
    pub(super) restricted_key_env: String,
    pub(super) restricted_website_id: String,
    pub(super) inactive_website_id: String,
    pub(super) failing_topic: String,
    pub(super) pausing: Option<PausingAnswers>,
}

/// Answers about the website that can be paused.
#[derive(Debug, Clone, Default)]
pub(super) struct PausingAnswers {
    pub(super) website_id: String,
    pub(super) pause: String,
    pub(super) resume: String,
}
