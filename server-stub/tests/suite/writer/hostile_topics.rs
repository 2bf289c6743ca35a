//! Unreadable topics: mark-up, code, other scripts, empty text, noise. They become plain text or are rejected.

use contentgen_server_stub::domain::voice::PointOfView;
use contentgen_server_stub::domain::written_article::WrittenArticle;
use contentgen_server_stub::generation::assemble::{count_words, render, sanitise};
use proptest::prelude::*;

use super::briefs::{all_text, brief_about, write};

fn assert_harmless(article: &WrittenArticle) {
    let html = &article.content_html;
    assert_eq!(&sanitise(html), html, "sanitising again changes the text");
    assert_eq!(html, &render(&article.content_markdown).html, "the HTML is not the rendering of the Markdown");
    assert_eq!(article.word_count, count_words(html));
    assert!(!html.to_lowercase().contains("<script"), "{html}");
    for tag in html.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
        let tag = tag.to_lowercase();
        assert!(!tag.contains("javascript:") && !tag.contains(" on"), "<{tag}>");
        assert!(!tag.starts_with("h1") && !tag.starts_with("iframe") && !tag.starts_with("style"), "<{tag}>");
    }
    let headings: Vec<String> =
        article.outline.iter().map(|entry| format!("<h{} id=\"{}\">", entry.level, entry.anchor)).collect();
    let mut rest = html.as_str();
    for heading in &headings {
        let at =
            rest.find(heading.as_str()).unwrap_or_else(|| panic!("{heading} is missing or out of order in {html}"));
        rest = &rest[at + heading.len()..];
    }
    assert_eq!(html.matches("<h2").count() + html.matches("<h3").count() + html.matches("<h4").count(), headings.len());
    assert!(!article.content_markdown.contains('<'), "{}", article.content_markdown);
    let slug = &article.slug;
    assert!(
        (1..=80).contains(&slug.len()) && !slug.starts_with('-') && !slug.ends_with('-') && !slug.contains("--"),
        "{slug}"
    );
}

#[test]
fn mark_up_and_code_in_a_topic_become_plain_text() {
    for topic in [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)> gardening",
        "{{7*7}}",
        "${jndi:ldap://x}",
        "'; DROP TABLE users; --",
        "[click](javascript:alert(1))",
        "# heading\n\n- list\n\n> quote",
        "https://evil.example/path?x=1",
        "a`b`c ``` d",
        "| a | b |",
        "\u{202e}gnippilf\u{202c} text",
        "ze\u{200b}ro wi\u{200d}dth",
        "🚀🚀🚀",
        "🚀 Launch day!!!",
        "!!!",
        "?",
        "...",
        "\t\n x",
        "مقدمة في البستنة",
        "日本の庭園の歴史について",
        "Ünïcödé çhärs",
        "I",
        "my own roof",
        "&lt;b&gt;",
        "\\",
        "*",
        "1. one 2. two",
        "-- --",
        "World War I",
        "What is it?",
        "how",
        "How to",
        "the",
        "AT&T",
        "50% off",
        "C++ vs. C#",
        "\"quoted\" words",
        "don't panic",
        "How do I",
        "Why?",
        "A. B. C. D.",
        "x",
        "x\u{301}",
        "İstanbul",
        "İ[:A",
        "a[b",
        "ﬁne ﬂags",
        "<",
        "</",
        "<b",
        "&",
        "\u{ad}",
        "a\u{85}b",
    ] {
        for point_of_view in [PointOfView::Any, PointOfView::SecondPerson, PointOfView::ThirdPerson] {
            let mut brief = brief_about(topic);
            brief.target_word_count = 400;
            brief.voice.point_of_view = point_of_view;
            let article = write(&brief).unwrap_or_else(|error| panic!("{topic:?} {point_of_view:?}: {error}"));
            assert_harmless(&article);
            assert_eq!(article.topic, topic);
            for line in [&article.title, &article.excerpt, &article.meta_description] {
                assert!(!line.contains("<script") && !line.contains("<img"), "{line}");
                assert!(!line.contains(['\u{202e}', '\u{200b}']), "{line:?}");
            }
        }
    }
}

#[test]
fn very_long_topics_are_shortened_to_a_phrase() {
    for topic in [
        "word ".repeat(199),
        "x".repeat(1000),
        "長".repeat(1000),
        "a,".repeat(500),
        "aeiou".repeat(200),
        "- ".repeat(400),
    ] {
        let article = write(&brief_about(&topic)).unwrap_or_else(|error| panic!("{topic}: {error}"));
        assert_harmless(&article);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_topic_and_length_give_a_harmless_article_that_keeps_every_rule(topic in "\\PC{1,200}", target in 200_u32..1500) {
        let mut brief = brief_about(&topic);
        brief.target_word_count = target;
        let article = write(&brief).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(article.voice.passed);
        let share = f64::from(article.word_count) / f64::from(target);
        prop_assert!((0.9..=1.1).contains(&share), "{} of {} words", article.word_count, target);
        assert_harmless(&article);
    }

    #[test]
    fn any_keyword_is_found_in_the_text(keywords in prop::collection::vec("\\PC{1,80}|[a-z ]{1,40}", 0..10), target in 300_u32..1500) {
        let mut brief = brief_about("Planning a small garden");
        brief.keywords = keywords;
        brief.target_word_count = target;
        let article = write(&brief).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(article.voice.passed && !article.voice.fails("keyword_use"));
        assert_harmless(&article);
        prop_assert!(!all_text(&article).contains('\u{202e}'), "a bidirectional control is left");
    }
}
