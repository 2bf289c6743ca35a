//! Capabilities of this service that only some targets have.

use crate::check::Capability;

impl Capability {
    /// The job operations.
    pub const JOBS: Self = Self::new("jobs", "the target has no job operations");

    /// Lists of articles.
    pub const ARTICLES: Self = Self::new("articles", "the target lists no articles");

    /// The scheduled posts pipeline.
    pub const PIPELINE: Self = Self::new("pipeline", "the target has no scheduled posts operation");

    /// The lead operations.
    pub const LEADS: Self = Self::new("leads", "the target has no lead operations");

    /// The list of websites.
    pub const WEBSITES: Self = Self::new("websites", "the target lists no websites");

    /// A way to capture a lead.
    pub const CAPTURE: Self = Self::new("capture", "no way to capture a lead is configured ([leads])");

    /// The lead form that the document describes.
    pub const LEAD_FORM: Self =
        Self::new("lead-form", "leads are not captured at {base_url}/capture/{website_id} ([leads] capture)");

    /// A website that is paused or archived.
    pub const INACTIVE_WEBSITE: Self =
        Self::new("inactive-website", "no paused website is configured ([target] inactive_website_id)");

    /// A website whose leads have to be confirmed by a link.
    pub const DOUBLE_OPT_IN: Self =
        Self::new("double-opt-in", "no website with double opt-in is configured ([target] double_opt_in_website_id)");

    /// A key that is restricted to another website of the account than the one under test.
    pub const RESTRICTED_KEY: Self =
        Self::new("restricted-key", "no key for another website alone is configured ([target.restricted_key])");

    /// A request whose job fails for good.
    pub const FAILING_JOB: Self =
        Self::new("failing-job", "no order is configured whose job fails for good ([failing_job])");

    /// A way to erase a lead.
    pub const ERASING: Self = Self::new("erasing", "no command erases a lead ([leads] erase)");

    /// A way to pause and resume a website.
    pub const PAUSING: Self = Self::new("pausing", "no command pauses a website ([pausing])");

    /// A way to restart the target.
    pub const RESTARTING: Self = Self::new("restarting", "no command restarts the target ([restarting])");

    /// A way to break and repair the writer of the target.
    pub const WRITER: Self = Self::new("writer", "no command breaks the target's writer ([writer])");

    /// A way to move the clock of the target.
    pub const CLOCK: Self = Self::new("clock", "no command moves the target's clock ([clock])");
}
