//! How much of a page is seen, and in which colours.

use super::user::User;

/// A phone's width, CSS pixels.
pub(super) const PHONE: u32 = 390;
/// A desktop's width, CSS pixels.
pub(super) const DESKTOP: u32 = 1280;
/// The height of both.
const HEIGHT: u32 = 900;

/// What the system asks pages to look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Theme {
    Light,
    Dark,
}

impl Theme {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl User {
    /// Takes a screen of this width, on a system with this theme.
    pub(super) async fn shows(&self, width: u32, theme: Theme) {
        let tools = self.session().cdp();
        let screen = serde_json::json!({
            "width": width, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": false
        });
        tools.send_raw("Emulation.setDeviceMetricsOverride", screen).await.expect("Chromium has other screens");
        let scheme = serde_json::json!({ "name": "prefers-color-scheme", "value": theme.as_str() });
        let media = serde_json::json!({ "features": [scheme] });
        tools.send_raw("Emulation.setEmulatedMedia", media).await.expect("Chromium has both themes");
    }
}
