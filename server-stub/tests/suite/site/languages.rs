//! Labels and dates of pages in the languages of readers.

use std::sync::Arc;
use std::time::Duration;

use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::domain::clock::Clock;
use contentgen_server_stub::domain::voice::SupportedLanguage;
use contentgen_server_stub::generation::ArticleBrief;
use contentgen_server_stub::server::{Server, Settings};
use serde_json::json;

use super::harness::{get, path_of, published_on, website};
use crate::moved_clock::MovedClock;
use crate::writer::edited::EditedWriter;

#[tokio::test]
async fn labels_are_in_the_language_of_the_page_and_dates_are_the_websites() {
    let clock = Arc::new(MovedClock::running());
    // Texts that the offline writer cannot write are English. The pages use only the language tag.
    let order = |brief: &mut ArticleBrief| {
        if SupportedLanguage::of(&brief.language).is_none() {
            brief.language = "en".to_owned();
        }
    };
    let writer = EditedWriter { order, draft: |_, _| {} };
    let server = Server::builder().settings(Settings::demo()).generator(Arc::new(writer));
    let running = server.clock(Arc::clone(&clock) as Arc<dyn Clock>).start().await.unwrap();
    // From 25 November 2026, 12:00 UTC to 22:00 UTC.
    clock.advance(Duration::from_hours(10));
    let cases = [
        ("en-GB", "Europe/London", "25 November 2026", "min read", "Send", "Articles published by B.", ""),
        ("de-AT", "Europe/Vienna", "25. November 2026", "Min. Lesezeit", "Senden", "Artikel von B.", ""),
        ("fr", "Europe/Helsinki", "26 novembre 2026", "min de lecture", "Envoyer", "Articles publi\u{e9}s par B.", ""),
        (
            "es",
            "America/Bogota",
            "25 de noviembre de 2026",
            "min de lectura",
            "Enviar",
            "Art\u{ed}culos publicados por B.",
            "",
        ),
        ("it", "Asia/Tokyo", "26 novembre 2026", "min di lettura", "Invia", "Articoli pubblicati da B.", ""),
        ("nl", "UTC", "25 november 2026", "min leestijd", "Versturen", "Artikelen van B.", ""),
        (
            "pt-BR",
            "America/Sao_Paulo",
            "25 de novembro de 2026",
            "min de leitura",
            "Enviar",
            "Artigos publicados por B.",
            "",
        ),
        (
            "he",
            "Asia/Jerusalem",
            "26 November 2026",
            "min read",
            "Send",
            "Articles published by B.",
            " lang=\"en\" dir=\"ltr\"",
        ),
    ];
    for (language, time_zone, date, minutes, send, description, attributes) in cases {
        let settings = WebsiteSettings {
            language: language.to_owned(),
            time_zone: time_zone.to_owned(),
            ..WebsiteSettings::default()
        };
        let website_id = website(&running, "B", settings).await;
        let order = json!({ "topic": "Rye bread", "website_id": website_id, "target_word_count": 200 });
        let article = published_on(&running, &order).await;
        let page = get(&running, &path_of(&running, &article)).await.text().await.unwrap();
        let index = get(&running, &format!("/sites/{website_id}")).await.text().await.unwrap();
        let feed = get(&running, &format!("/sites/{website_id}/feed.xml")).await.text().await.unwrap();
        let date = format!("{attributes}>{date}</time> <span{attributes}>");
        for html in [&page, &index] {
            assert!(html.contains(&date) && html.contains(minutes), "{language}: {html}");
        }
        assert!(page.contains(&format!("<button type=\"submit\">{send}</button>")), "{language}: {page}");
        // The built-in consent text is English. The whole form is English if there are no labels in the language.
        let is_english = language == "en-GB" || !attributes.is_empty();
        let english = if is_english { "" } else { " lang=\"en\" dir=\"ltr\"" };
        assert!(page.contains(&format!("<span{english}>You may use my address")), "{language}: {page}");
        assert!(index.contains(description) && feed.contains(description), "{language}: {index}");
        if language != "en-GB" && attributes.is_empty() {
            for label in ["min read", "All articles", ">Articles<", "Hear from", "optional<", ">Name <"] {
                let is_own = label == ">Articles<" && language == "fr";
                let is_german = label == ">Name <" && language == "de-AT";
                assert!(is_own || is_german || !page.contains(label) && !index.contains(label), "{language}: {label}");
            }
        }
    }
    assert!(running.stop().await);
}
