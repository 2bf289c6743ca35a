//! Articles: the user watches them on the board, changes their voice, approves one, and reads it.

use std::collections::BTreeMap;
use std::time::Duration;

use contentgen_sdk::Client;
use contentgen_sdk::types::GenerateRequest;

use super::FirstHour;

const TOPIC: &str = "Keeping a rye starter alive through winter";
const COURSE: &str = "What you learn on a bread course";
/// Minimum length of a forbidden word. Most texts need the shorter ones.
const MIN_LETTERS: usize = 6;

impl FirstHour {
    /// Watches an article appear on the board. Returns its text.
    pub(super) async fn watches_an_article_appear_on_the_board(&self, client: &Client) -> String {
        self.user.press("Pipeline").await;
        self.user.sees("Cancelled ones, too").await;
        self.user.does_not_see(TOPIC).await;
        let _: bool = self.user.evaluate("return window.isTheSamePage = true").await;
        let text = self.writes(client, TOPIC).await;
        self.sees_in_time(TOPIC).await;
        let is_the_same_page: bool = self.user.evaluate("return window.isTheSamePage === true").await;
        assert_eq!(is_the_same_page, self.user.has_script(), "the board was loaded again, or not kept fresh");
        text
    }

    pub(super) async fn forbids_a_word_that_the_next_article_avoids(&self, client: &Client, article: &str) {
        let word = frequent_word(article);
        self.user.press("Brand DNA").await;
        self.user.press("Bakery counter").await;
        let field = self.user.field("Words to avoid").await;
        let words = field.prop("value").await.expect("a field has a value").unwrap_or_default();
        self.user.fill("Words to avoid", &format!("{}\n{word}", words.trim_end())).await;
        self.user.press("Save").await;
        self.user.sees("is saved").await;
        let next = self.writes(client, TOPIC).await;
        assert!(!words_of(&next).any(|other| other == word), "`{word}` is forbidden, but is in:\n{next}");
    }

    pub(super) async fn approves_an_article(&self, client: &Client, website_id: &str) {
        let request = GenerateRequest::new().topic(COURSE).website_id(website_id);
        let job = client.generate().body(request).send().await.expect("the website is active").into_inner();
        client.wait_for_job(&job.job_id).poll_interval(Duration::from_millis(20)).await.expect("it is written");
        self.user.press("Pipeline").await;
        self.user.press(COURSE).await;
        self.user.sees("is published only when you approve it").await;
        self.user.press("Approve and publish now").await;
        self.sees_in_time("Read it at").await;
    }

    pub(super) async fn opens_its_hosted_page(&self) {
        self.user.follow("/sites/").await;
        self.user.sees("Hear from Evening courses").await;
    }

    async fn writes(&self, client: &Client, topic: &str) -> String {
        let request = crate::request(&self.server, topic);
        let article = client.generate_and_wait(request).poll_interval(Duration::from_millis(20)).await;
        article.expect("it is written").into_inner().content_markdown.expect("a written article has a text")
    }
}

/// Returns the most frequent word of a text, except short words and words of the topic or the call to action.
fn frequent_word(text: &str) -> String {
    let mut counts = BTreeMap::new();
    let topic: Vec<_> = words_of(TOPIC).collect();
    // The call to action is the customer's text, and is in every article.
    let own = text.rfind("Come by the bakery").map_or("", |at| &text[at..]);
    let own: Vec<_> = words_of(own).collect();
    for word in words_of(text).filter(|word| word.len() >= MIN_LETTERS && !topic.contains(word) && !own.contains(word))
    {
        *counts.entry(word).or_insert(0) += 1;
    }
    let (word, count) = counts.into_iter().max_by_key(|(_, count)| *count).expect("an article has words");
    assert!(count > 1, "no word occurs twice in:\n{text}");
    word
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}
