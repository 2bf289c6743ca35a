//! Screen sizes and colour themes.

use super::user::User;

/// Width of a phone's screen, in CSS pixels.
pub(super) const PHONE: u32 = 390;
/// Width of a desktop's screen, in CSS pixels.
pub(super) const DESKTOP: u32 = 1280;
/// Height of both screens, in CSS pixels.
const HEIGHT: u32 = 900;
/// Maximum height of a picture, in pixels.
const MAX_HEIGHT: u32 = 8000;
/// Script that finishes all animations, for example the transition to the colours of the other theme.
pub(super) const FINISH_ANIMATIONS: &str = "
    for (const animation of document.getAnimations()) try { animation.finish(); } catch { animation.cancel(); }
";

/// Colour theme that the operating system requests (`prefers-color-scheme`).
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
    /// Sets the width of the screen and the theme.
    pub(super) async fn shows(&self, width: u32, theme: Theme) {
        self.has_screen(width, HEIGHT).await;
        let tools = self.session().cdp();
        let scheme = serde_json::json!({ "name": "prefers-color-scheme", "value": theme.as_str() });
        let media = serde_json::json!({ "features": [scheme] });
        tools.send_raw("Emulation.setEmulatedMedia", media).await.expect("Chromium has both themes");
    }
    /// Takes a picture (PNG) of the whole page, up to [`MAX_HEIGHT`].
    pub(super) async fn photographs(&self, width: u32, theme: Theme) -> Vec<u8> {
        self.shows(width, theme).await;
        let height: u32 = self.evaluate("return document.documentElement.scrollHeight").await;
        self.has_screen(width, height.clamp(HEIGHT, MAX_HEIGHT)).await;
        let _: Option<bool> = self.evaluate(FINISH_ANIMATIONS).await;
        self.session().screenshot_as_png().await.expect("the window can be photographed")
    }

    async fn has_screen(&self, width: u32, height: u32) {
        let screen = serde_json::json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let shown = self.session().cdp().send_raw("Emulation.setDeviceMetricsOverride", screen).await;
        shown.expect("Chromium has other screens");
    }
}
