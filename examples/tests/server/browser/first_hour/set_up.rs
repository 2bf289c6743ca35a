//! Set-up: the user signs in, and creates a website and a key.

use contentgen_sdk::Client;

use super::FirstHour;

/// Text before the key in the lines that a page offers to copy.
const BEFORE_THE_KEY: &str = "export CONTENTGEN_API_KEY=";

impl FirstHour {
    pub(super) async fn signs_in_by_the_one_time_link(&self) {
        self.user.signs_in(&self.server).await;
        self.user.sees("Overview").await;
        // The link worked once, and cannot be used again.
        let link = self.server.sign_in_url(&self.server.accounts()[0]).expect("the demonstration has a dashboard");
        self.user.open(&link).await;
        self.user.sees("This link was used before").await;
        self.user.open("/dashboard").await;
    }

    /// Creates a website that publishes nothing without approval. Returns its id.
    pub(super) async fn makes_a_website(&self) -> String {
        self.user.press("Websites").await;
        self.user.press("New website").await;
        self.user.fill("Name", "Evening courses").await;
        self.user.fill("Address", "https://courses.example.com").await;
        self.user.fill("Time zone", "Europe/Vienna").await;
        self.user.tick("Publish only what somebody has approved").await;
        self.user.press("Make the website").await;
        self.user.sees("The website is made").await;
        self.user.word_beginning_with("web_").await
    }

    /// Creates a key. Returns a client that uses it.
    pub(super) async fn makes_a_key(&self) -> Client {
        self.user.press("Keys").await;
        self.user.press("New key").await;
        self.user.fill("Name", "My first program").await;
        self.user.press("Make the key").await;
        self.user.sees("Copy the key “My first program” now").await;
        let key = self.user.word_after(BEFORE_THE_KEY).await;
        self.user.press("I have copied it").await;
        self.user.sees("My first program").await;
        self.user.does_not_see(&key).await;
        Client::builder().base_url(crate::base_url(&self.server)).api_key(key).build().expect("the key is one")
    }
}
