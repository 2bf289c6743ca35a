//! Operates pages by keyboard, and checks that the focus is visible at every step.

use std::time::Duration;

use thirtyfour::{Key, TypingData, WebElement};

use super::user::User;

/// Maximum number of presses of Tab to reach an element.
const MAX_STOPS: usize = 150;

/// Element that has the focus.
#[derive(Debug, serde::Deserialize)]
struct Focus {
    /// Its text, or the text of its label.
    name: String,
    /// True if it is the wanted element.
    is_it: bool,
    /// True if it is in the visible part of the page, and has an outline.
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
    return { name, is_it: element === arguments[0], is_visible: (is_outlined || is_in_browser) && is_in_sight };
";

impl User {
    /// Presses Tab until the element has the focus. Fails if the focus is invisible at any step.
    pub(super) async fn reaches(&self, element: &WebElement, name: &str) {
        let mut passed = Vec::new();
        for _ in 0..MAX_STOPS {
            if self.focus(element).await.is_it {
                return;
            }
            self.types(Key::Tab).await;
            let focus = self.focus(element).await;
            assert!(
                focus.is_visible,
                "the focus is on `{}` and cannot be seen, on {}",
                focus.name,
                self.address().await
            );
            passed.push(focus.name);
        }
        panic!("`{name}` cannot be reached by Tab on {}; passed {passed:?}", self.address().await);
    }

    async fn focus(&self, element: &WebElement) -> Focus {
        let arguments = vec![element.to_json().expect("an element has an id")];
        let focus = self.session().execute(FOCUS, arguments).await.and_then(|focus| focus.convert());
        focus.unwrap_or_else(|error| panic!("cannot read which element has the focus: {error}"))
    }

    /// Selects the text of the field that has the focus.
    pub(super) async fn selects_all(&self) {
        let at_once = Some(Duration::ZERO);
        let keys = self.session().action_chain_with_delay(at_once, at_once);
        let pressed = keys.key_down(Key::Control).send_keys("a").key_up(Key::Control).perform().await;
        pressed.expect("keys can be pressed");
    }

    /// Types a text or a key into the element that has the focus.
    pub(super) async fn types(&self, keys: impl Into<TypingData>) {
        let at_once = Some(Duration::ZERO);
        let typed = self.session().action_chain_with_delay(at_once, at_once).send_keys(keys).perform().await;
        typed.expect("keys can be pressed");
    }
}
