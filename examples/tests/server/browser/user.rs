//! A user of a browser, who sees labels, buttons and text, but no ids.

use std::sync::Arc;

use contentgen_server_stub::server::Running;
use thirtyfour::error::{WebDriverError, WebDriverErrorInner};
use thirtyfour::prelude::ElementQueryable as _;
use thirtyfour::{By, Key, WebDriver, WebElement};

use super::driver::{Driver, Script};
use crate::until::{GIVE_UP_AFTER, POLL_INTERVAL, holds_in_time};

/// A user and their browser window.
pub(crate) struct User {
    /// Declared before the driver, because fields are dropped in this order.
    session: WebDriver,
    base_url: String,
    has_script: bool,
    /// Input devices of the user.
    hand: Hand,
    _driver: Arc<Driver>,
}

/// Input devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hand {
    /// Mouse, and keyboard for texts.
    Mouse,
    /// Keyboard alone: Tab, Enter, Space and texts.
    Keyboard,
}

impl User {
    /// Opens a new window with a new profile.
    pub(crate) async fn new(driver: &Arc<Driver>, script: Script, base_url: &str) -> Self {
        let session = driver.session(script).await;
        let has_script = script == Script::On;
        Self { session, base_url: base_url.to_owned(), has_script, hand: Hand::Mouse, _driver: Arc::clone(driver) }
    }

    /// Changes the input devices of the user.
    pub(crate) fn with(self, hand: Hand) -> Self {
        Self { hand, ..self }
    }

    /// Returns the browser window's session.
    pub(crate) fn session(&self) -> &WebDriver {
        &self.session
    }

    /// Returns true if pages may run scripts.
    pub(crate) fn has_script(&self) -> bool {
        self.has_script
    }

    /// Opens an address: an absolute URL or a path of the server.
    pub(crate) async fn open(&self, address: &str) {
        let url = if address.starts_with('/') { format!("{}{address}", self.base_url) } else { address.to_owned() };
        self.session.goto(&url).await.unwrap_or_else(|error| panic!("{url} cannot be opened: {error}"));
    }

    /// Returns the path and query of the open page.
    pub(crate) async fn address(&self) -> String {
        let url = self.session.current_url().await.expect("the window is open");
        url.as_str().strip_prefix(&self.base_url).unwrap_or(url.as_str()).to_owned()
    }

    /// Signs in as the user of the demonstration's first account, by the one-time link.
    pub(crate) async fn signs_in(&self, server: &Running) {
        let account = &server.accounts()[0];
        self.open(&server.sign_in_url(account).expect("the demonstration has a dashboard")).await;
        self.sees(&account.email).await;
        self.press("Sign in").await;
        self.sees("You have no password yet").await;
    }

    /// Presses a button or follows a link that has this text, label for screen readers or title.
    pub(crate) async fn press(&self, text: &str) {
        let said = literal(text);
        let path = format!(
            "//*[self::button or self::a or self::summary][normalize-space(.)={said} or @aria-label={said} or @title={said}]"
        );
        self.click(&path, text).await;
    }

    /// Follows the first link whose text contains `text`.
    pub(crate) async fn follow(&self, text: &str) {
        self.click(&format!("//a[contains(normalize-space(.), {})]", literal(text)), text).await;
    }

    /// Replaces the text of the field with a label.
    pub(crate) async fn fill(&self, label: &str, text: &str) {
        let field = self.field(label).await;
        if self.hand == Hand::Keyboard {
            self.reaches(&field, label).await;
            self.selects_all().await;
            return self.types(text).await;
        }
        field.clear().await.unwrap_or_else(|error| panic!("{label} cannot be cleared: {error}"));
        field.send_keys(text).await.unwrap_or_else(|error| panic!("{label} cannot be filled: {error}"));
    }

    /// Selects the check box or radio button with a label.
    pub(crate) async fn tick(&self, label: &str) {
        let field = self.field(label).await;
        if field.is_selected().await.expect("a box can be selected") {
            return;
        }
        if self.hand == Hand::Keyboard {
            self.reaches(&field, label).await;
            self.types(Key::Space).await;
        } else {
            field.click().await.unwrap_or_else(|error| panic!("{label} cannot be ticked: {error}"));
        }
    }

    /// Chooses an entry of the list with a label.
    pub(crate) async fn choose(&self, label: &str, entry: &str) {
        let list = self.field(label).await;
        if self.hand == Hand::Keyboard {
            self.reaches(&list, label).await;
            // The first word is enough. A space would open the list.
            self.types(entry.split(' ').next().unwrap_or(entry)).await;
            return;
        }
        let option = list.find(By::XPath(format!(".//option[normalize-space(.)={}]", literal(entry)))).await;
        let option = option.unwrap_or_else(|error| panic!("{label} has no entry {entry}: {error}"));
        option.click().await.expect("an entry can be chosen");
    }

    /// Finds the field with a label.
    pub(crate) async fn field(&self, label: &str) -> WebElement {
        let said = literal(label);
        let labels = format!("//label[.//text()[normalize-space(.)={said}]]");
        let path = format!(
            "//*[self::input or self::textarea or self::select][@id={labels}/@for or @aria-label={said}] | \
             {labels}//*[self::input or self::textarea or self::select]"
        );
        self.find(&path, &format!("a field `{label}`")).await
    }

    async fn click(&self, path: &str, text: &str) {
        let is_pressed = holds_in_time(async || {
            let element = self.find(path, &format!("`{text}` to press")).await;
            if self.hand == Hand::Keyboard {
                self.reaches(&element, text).await;
                self.types(Key::Enter).await;
                return true;
            }
            match element.click().await {
                Ok(()) => true,
                // The page has refreshed this part, and now has a new element.
                Err(error) if is_stale(&error) => false,
                Err(error) => self.fail(&format!("`{text}` cannot be pressed: {error}")).await,
            }
        });
        if !is_pressed.await {
            self.fail(&format!("`{text}` is replaced again and again")).await;
        }
    }

    async fn find(&self, path: &str, what: &str) -> WebElement {
        let query =
            self.session.query(By::XPath(path)).and_displayed().and_enabled().wait(GIVE_UP_AFTER, POLL_INTERVAL);
        match query.first().await {
            Ok(element) => element,
            Err(_) => self.fail(&format!("there is no {what}")).await,
        }
    }

    /// Waits until the page shows a text. Ignores case, because a style sheet may change it.
    pub(crate) async fn sees(&self, text: &str) {
        self.waits(&format!("`{text}` is not shown"), async |user| contains(&user.text().await, text)).await;
    }

    /// Waits until the page shows a text, and reloads the page between the checks.
    pub(crate) async fn sees_after_reloading(&self, text: &str) {
        self.waits(&format!("`{text}` is not shown"), async |user| {
            if contains(&user.text().await, text) {
                return true;
            }
            user.reload().await;
            false
        })
        .await;
    }

    /// Fails if the page shows a text.
    pub(crate) async fn does_not_see(&self, text: &str) {
        if contains(&self.text().await, text) {
            self.fail(&format!("`{text}` is shown")).await;
        }
    }

    /// Waits until a condition holds.
    pub(crate) async fn waits(&self, otherwise: &str, condition: impl AsyncFn(&Self) -> bool) {
        if !holds_in_time(async || condition(self).await).await {
            self.fail(otherwise).await;
        }
    }

    /// Reloads the page.
    pub(crate) async fn reload(&self) {
        self.session.refresh().await.expect("the page can be loaded again");
    }

    /// Returns the visible text of the page.
    pub(crate) async fn text(&self) -> String {
        self.evaluate("return document.body.innerText").await
    }

    /// Returns the first word on the page that starts with `beginning`.
    pub(crate) async fn word_beginning_with(&self, beginning: &str) -> String {
        let text = self.text().await;
        match text.split_whitespace().find(|word| word.starts_with(beginning)) {
            Some(word) => word.to_owned(),
            None => self.fail(&format!("no word begins with `{beginning}`")).await,
        }
    }

    /// Returns the word on the page after the first occurrence of `before`.
    pub(crate) async fn word_after(&self, before: &str) -> String {
        let text = self.text().await;
        match text.split_once(before).and_then(|(_, after)| after.split_whitespace().next()) {
            Some(word) => word.to_owned(),
            None => self.fail(&format!("`{before}` is not shown")).await,
        }
    }

    /// Executes a script through the driver, which the page's policy does not block. Returns its result.
    pub(crate) async fn evaluate<T: serde::de::DeserializeOwned>(&self, script: &str) -> T {
        let value = self.session.execute(script, Vec::new()).await;
        value.and_then(|value| value.convert()).unwrap_or_else(|error| panic!("{script} fails: {error}"))
    }

    /// Returns the browser's errors and warnings since the last call: script errors and policy violations.
    pub(crate) async fn complaints(&self) -> Vec<String> {
        let entries = self.session.browser_log().await.expect("the log was asked for when the window opened");
        let complaints = entries.into_iter().filter(|entry| matches!(entry.level.as_str(), "SEVERE" | "WARNING"));
        complaints.map(|entry| format!("{}: {}", entry.level, entry.message)).collect()
    }

    /// Closes the window.
    pub(crate) async fn leaves(self) {
        self.session.quit().await.expect("the window closes");
    }

    async fn fail(&self, what: &str) -> ! {
        panic!("{what} on {}:\n{}", self.address().await, self.text().await)
    }
}

/// Returns true if the page no longer has the element.
fn is_stale(error: &WebDriverError) -> bool {
    matches!(error.as_inner(), WebDriverErrorInner::StaleElementReference(_))
}

/// Quotes a text as an `XPath` string. `XPath` has no escapes.
fn literal(text: &str) -> String {
    if !text.contains('\'') {
        return format!("'{text}'");
    }
    assert!(!text.contains('"'), "a text with both kinds of quotes needs concat()");
    format!("\"{text}\"")
}

fn contains(page: &str, text: &str) -> bool {
    page.to_lowercase().contains(&text.to_lowercase())
}
