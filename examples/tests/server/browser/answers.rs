//! Pages that are responses to forms, so that no link leads to them.

use super::user::User;

/// A text that breaks some rules of the demonstration's Brand DNA.
const TEXT: &str = "I tried this game-changer last winter. It won’t rise, and you don’t know why! Whoever bakes for a long \
    time comes to see that a starter which stands in a cold kitchen over night needs more flour, more patience, and now and \
    then a spoon of honey, since the yeast in it goes to sleep as soon as it is colder than the people who feed it would like \
    to have it.";

/// A page that is the response to a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// A key, which is shown once.
    Key,
    /// A new endpoint with its secret.
    Endpoint,
    /// The secret of an endpoint, once more.
    Secret,
    /// A one-time link for a user.
    Link,
    /// A form with error messages at its fields.
    Mistakes,
    /// A text with marks at the places that break the rules of a profile.
    CheckedText,
    /// The secret for sending articles to a customer's system.
    PushSecret,
}

impl Answer {
    pub(super) const ALL: [Self; 7] =
        [Self::Key, Self::Endpoint, Self::Secret, Self::Link, Self::Mistakes, Self::CheckedText, Self::PushSecret];

    /// Returns the file name of its screenshot, without the extension.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Key => "keys-new-answer",
            Self::Endpoint => "hooks-new-answer",
            Self::Secret => "hooks-hook_id-secret-answer",
            Self::Link => "account-users-link-answer",
            Self::Mistakes => "pipeline-new-mistakes",
            Self::CheckedText => "voices-voice_id-checked",
            Self::PushSecret => "websites-website_id-publishing-answer",
        }
    }

    /// Opens the page. The user must be signed in.
    pub(super) async fn show(self, user: &User) {
        match self {
            Self::Key => {
                user.open("/dashboard/keys/new").await;
                user.fill("Name", "Website, production").await;
                user.press("Make the key").await;
                user.sees("Copy the key “Website, production” now").await;
            }
            Self::Endpoint => {
                user.open("/dashboard/hooks/new").await;
                user.fill("Address", "http://127.0.0.1:9/leads").await;
                user.press("Register the endpoint").await;
                user.sees("The endpoint is registered").await;
            }
            Self::Secret => {
                user.open("/dashboard/hooks").await;
                user.follow("http://127.0.0.1:").await;
                user.press("Signing secret").await;
                user.press("Show the secret").await;
                user.sees("whsec_").await;
            }
            Self::Link => {
                user.open("/dashboard/account/users").await;
                user.press("New link for miller@harbour-bakery.example").await;
                user.sees("Copy the link now").await;
            }
            Self::Mistakes => {
                user.open("/dashboard/pipeline/new").await;
                user.fill("Topic", "Rye bread").await;
                user.fill("Words", "5").await;
                user.fill("Language", "english").await;
                user.press("Queue the article").await;
                user.sees("Please check what you entered").await;
            }
            Self::CheckedText => {
                user.open("/dashboard/voices").await;
                user.follow("Bakery counter").await;
                user.fill("Text", TEXT).await;
                user.press("Check").await;
                user.sees("rules are broken").await;
            }
            Self::PushSecret => {
                user.open("/dashboard/websites").await;
                user.follow("for wholesale customers").await;
                user.press("Where articles go…").await;
                user.tick("To your own system").await;
                user.fill("Address of your system", "http://127.0.0.1:9/articles").await;
                user.press("Save").await;
                user.sees("Copy the secret now").await;
            }
        }
    }
}
