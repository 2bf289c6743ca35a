//! The beginning of the first hour without a mouse: Tab, Enter and Space, with the focus in sight at every step.

use contentgen_server_stub::server::{self, Settings};
use thirtyfour::Key;

use super::super::driver::{Driver, Script};
use super::super::user::User;

/// How often Tab is pressed before something counts as out of reach.
const MAX_STOPS: usize = 60;

/// What has the focus, and whether that can be seen.
#[derive(Debug, serde::Deserialize)]
struct Focus {
    /// Its text, or the text of its label.
    name: String,
    /// Whether it stands in the part of the page that is shown, and has an outline.
    is_visible: bool,
}

const FOCUS: &str = r"
    const element = document.activeElement;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    // The button that opens a calendar is inside of its field, where Chromium itself draws the outline.
    const is_in_browser = !element.matches(':focus');
    const is_outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1
        && !/^(transparent|rgba\(.*, 0\))$/.test(style.outlineColor);
    const is_in_sight = box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight;
    const label = element.labels?.[0] ?? element;
    const words = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
    let name = '';
    while (!name && words.nextNode()) name = words.currentNode.textContent.trim();
    return { name, is_visible: (is_outlined || is_in_browser) && is_in_sight };
";

/// Whoever has no mouse.
struct Typist(User);

impl Typist {
    /// Presses Tab until something with this name has the focus, and fails where the focus cannot be seen on the way.
    async fn reaches(&self, name: &str) {
        let mut passed = Vec::new();
        for _ in 0..MAX_STOPS {
            let focus: Focus = self.0.evaluate(FOCUS).await;
            if focus.name == name {
                return;
            }
            self.0.types(Key::Tab).await;
            let focus: Focus = self.0.evaluate(FOCUS).await;
            assert!(
                focus.is_visible,
                "the focus is on `{}` and cannot be seen, on {}",
                focus.name,
                self.0.address().await
            );
            passed.push(focus.name);
        }
        panic!("`{name}` cannot be reached by Tab on {}; passed {passed:?}", self.0.address().await);
    }

    async fn fills(&self, label: &str, text: &str) {
        self.reaches(label).await;
        // Tab has selected what was in it.
        self.0.types(text).await;
    }

    async fn enters(&self, name: &str) {
        self.reaches(name).await;
        self.0.types(Key::Enter).await;
    }

    async fn sees(&self, text: &str) {
        self.0.sees(text).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_hour_begins_by_keyboard_alone() {
    let Some(driver) = Driver::shared() else { return };
    let settings = Settings { is_worker: false, ..Settings::demo() };
    let server = server::start(settings).await.expect("a loopback port and a temporary folder are to be had");
    let user = User::new(&driver, Script::On, &crate::base_url(&server)).await;
    user.open(&server.sign_in_url(&server.accounts()[0]).expect("the demonstration has a dashboard")).await;
    let typist = Typist(user);
    typist.enters("Sign in").await;
    typist.sees("You have no password yet").await;
    typist.enters("Websites").await;
    typist.enters("New website").await;
    typist.sees("Time zone").await;
    typist.fills("Name", "Evening courses").await;
    typist.fills("Address", "https://courses.example.com").await;
    typist.reaches("Publish only what somebody has approved").await;
    typist.0.types(Key::Space).await;
    typist.enters("Make the website").await;
    typist.sees("The website is made").await;
    if super::is_built("/dashboard/keys/new") {
        typist.enters("Keys").await;
        typist.enters("New key").await;
        typist.sees("What it may do").await;
        typist.fills("Name", "My first program").await;
        typist.enters("Make the key").await;
        typist.sees("Copy the key “My first program” now").await;
        typist.enters("I have copied it").await;
        typist.sees("My first program").await;
    }
    typist.0.leaves().await;
    server.stop().await;
}
