//! The pages of the hosted site. The walk through the dashboard does not reach them.

use std::time::Duration;

use contentgen_sdk::types::ArticleStatus;
use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::lead_form::LeadForm;
use contentgen_server_stub::server::Running;
use futures::TryStreamExt as _;
use serde_json::{Value, json};

use crate::receiver::Address;
use crate::until::until_some;
use crate::{capture_on, full_client, request};

/// Last part of the path of a page that does not exist.
pub(super) const NOTHING: &str = "/nothing-is-here";
/// A topic and a name that break out of attributes, elements and scripts unless they are escaped.
const HOSTILE: &str = "\"><script>alert('1')</script><!-- & </title> ]]> \u{202e}";
/// A consent sentence that does the same.
const CONSENT: &str = "\"><script>alert('1')</script> Ihr d\u{fc}rft mir \u{fc}ber Backkurse & mehr schreiben.";
/// Number of articles that fill more than one page of an index.
const MANY: usize = 26;

/// A page of the site.
#[derive(Debug)]
pub(super) struct Page {
    /// File name of its screenshot, without the extension.
    pub(super) name: &'static str,
    pub(super) path: String,
}

/// Returns pages of each kind. Their articles are published when this returns.
pub(super) async fn pages(server: &Running) -> Vec<Page> {
    let own = server.accounts()[0].website_id.clone();
    let plain = LeadForm::default;
    // Names cannot have the last character.
    let hostile = website(server, HOSTILE.trim_end_matches(" \u{202e}"), "en-GB", plain()).await;
    let hebrew = website(server, "\u{5de}\u{5d0}\u{5e4}\u{5d9}\u{5d9}\u{5d4}", "he-IL", plain()).await;
    let empty = website(server, "Nothing yet", "de", plain()).await;
    let many = website(server, "A bakery that writes a lot", "en", plain()).await;
    let asking = LeadForm {
        consent_text: Some(CONSENT.to_owned()),
        privacy_url: Some("https://breads.example/privacy?a=1&b=2".to_owned()),
        double_opt_in: true,
    };
    let asking = website(server, "Die B\u{e4}ckerei am Hafen", "de", asking).await;
    let client = full_client(server);
    let mut orders = vec![
        request(server, HOSTILE).website_id(hostile.as_str()).language("en-GB"),
        request(server, "\u{5dc}\u{5d7}\u{5dd} \u{5e9}\u{5d9}\u{5e4}\u{5d5}\u{5df}")
            .website_id(hebrew.as_str())
            .language("he-IL"),
        request(server, "Sauerteig im Winter").website_id(asking.as_str()).language("de"),
    ];
    let numbered = (0..MANY).map(|number| format!("Bread number {number} of a long series"));
    orders.extend(numbered.map(|topic| request(server, &topic).website_id(many.as_str()).target_word_count(200)));
    for order in orders {
        client.generate_and_wait(order).poll_interval(Duration::from_millis(20)).await.expect("the topic is taken");
    }
    let [asks, thanks] = confirmations(server, &asking).await;
    let confirmed =
        crate::http().post(format!("{}{thanks}", crate::base_url(server))).send().await.expect("the server answers");
    assert_eq!(confirmed.status(), 200);
    let index = |website_id: &str| format!("/sites/{website_id}");
    vec![
        Page { name: "site-index", path: index(&own) },
        Page { name: "site-article", path: article(server, &own).await },
        Page { name: "site-index-hostile", path: index(&hostile) },
        Page { name: "site-article-hostile", path: article(server, &hostile).await },
        Page { name: "site-index-rtl", path: index(&hebrew) },
        Page { name: "site-article-rtl", path: article(server, &hebrew).await },
        Page { name: "site-article-consent", path: article(server, &asking).await },
        Page { name: "confirm-lead", path: asks },
        Page { name: "confirm-lead-done", path: thanks },
        Page { name: "site-index-empty", path: index(&empty) },
        Page { name: "site-index-older", path: older(server, &many).await },
        Page { name: "site-not-found", path: index(&own) + NOTHING },
    ]
}

/// Captures two leads, and returns the paths of the confirmation links in their webhooks.
async fn confirmations(server: &Running, website_id: &str) -> [String; 2] {
    let address = Address::bind().await;
    let hook = server.create_hook(&server.accounts()[0].name, &address.url(), &[EventType::LeadCaptured]).await;
    let (_, secret) = hook.expect("hooks may go to this machine");
    let mut receiver = address.receive(&[&secret]);
    let mut paths = Vec::new();
    for email in ["ada@example.com", "grace@example.org"] {
        let lead = json!({ "email": email, "consent": { "given": true, "text": CONSENT } });
        capture_on(server, website_id, lead.to_string()).await;
        let event: Value = serde_json::from_slice(&receiver.next().await.body).expect("a hook is JSON");
        let link = event["data"]["confirmation_url"].as_str().expect("the website asks for it");
        paths.push(link.strip_prefix(&crate::base_url(server)).expect("the server has it").to_owned());
    }
    paths.try_into().expect("there are two")
}

async fn website(server: &Running, name: &str, language: &str, lead_form: LeadForm) -> String {
    let account = server.app().account(&server.accounts()[0].name).await.expect("the demonstration has it");
    let settings = WebsiteSettings {
        name: name.to_owned(),
        url: "https://breads.example".to_owned(),
        language: language.to_owned(),
        lead_form,
        ..WebsiteSettings::default()
    };
    let website = server.app().create_website(&account, settings, WebsiteStatus::Active).await;
    website.expect("the website can be made").website_id
}

/// Returns the path of the newest article that the website has published.
async fn article(server: &Running, website_id: &str) -> String {
    let client = full_client(server);
    until_some("the website has published an article", async || {
        let list = client.list_articles().website_id(website_id).status(ArticleStatus::Published);
        let newest = list.items().try_next().await.expect("articles can be listed");
        let url = newest.and_then(|article| article.url)?;
        Some(url.strip_prefix(&crate::base_url(server)).expect("the server hosts it").to_owned())
    })
    .await
}

/// Waits until the index has a second page, and returns its path.
async fn older(server: &Running, website_id: &str) -> String {
    let url = format!("{}/sites/{website_id}", crate::base_url(server));
    until_some("the index has a second page", async || {
        let response = crate::http().get(&url).send().await.expect("the server answers");
        let html = response.text().await.expect("a page is text");
        let (_, rest) = html.split_once("rel=\"next\" href=\"")?;
        Some(rest.split('"').next().expect("splitting gives a first part").to_owned())
    })
    .await
}
