//! Realistic topics: each gives an article that keeps every rule and reads correctly.

use std::collections::HashSet;

use contentgen_server_stub::domain::voice::sentences;
use contentgen_server_stub::domain::written_article::InternalLink;

use super::briefs::{all_text, brief_about, write};

const TOPICS: &str = include_str!("topics.txt");

#[test]
fn a_hundred_ordinary_topics_keep_every_rule() {
    let topics: Vec<&str> = TOPICS.lines().filter(|line| !line.is_empty()).collect();
    assert!(topics.len() >= 100, "{} topics", topics.len());
    for (topic, target) in topics.iter().zip([1200, 200, 700, 2500, 400, 5000, 1000, 300].into_iter().cycle()) {
        let mut brief = brief_about(topic);
        brief.target_word_count = target;
        let article = write(&brief).unwrap_or_else(|error| panic!("{topic}: {error}"));
        assert!(article.voice.passed, "{topic}: {:?}", article.voice);
        let share = f64::from(article.word_count) / f64::from(target);
        assert!((0.9..=1.1).contains(&share), "{topic}: {} of {target} words", article.word_count);
        assert!((1..=110).contains(&article.title.chars().count()), "{}", article.title);
        assert!((1..=60).contains(&article.meta_title.chars().count()), "{}", article.meta_title);
        assert!((50..=160).contains(&article.meta_description.chars().count()), "{}", article.meta_description);
        assert!((1..=300).contains(&article.excerpt.chars().count()), "{}", article.excerpt);
        assert!(article.hero_image.as_ref().is_some_and(|image| (1..=125).contains(&image.alt.chars().count())));
        assert!(article.outline.len() >= 3 && article.tags.len() <= 10 && article.keywords.len() <= 10);
        assert!(
            !article.content_markdown.lines().any(|line| line.starts_with("# ")),
            "{topic} has a heading of level one"
        );
        let text = all_text(&article);
        for leftover in ["{topic}", "{how}", "{term}", "[", " +", "  ", "|]", "..", " ,", " ."] {
            let allowed = leftover == "  " || leftover == "[";
            assert!(allowed || !text.contains(leftover), "{topic} has {leftover:?} in\n{text}");
        }
    }
}

#[test]
fn the_same_order_gives_the_same_bytes_and_another_website_gives_others() {
    let first = write(&brief_about("Sourdough bread for beginners")).expect("an ordinary brief");
    let again = write(&brief_about("Sourdough bread for beginners")).expect("an ordinary brief");
    assert_eq!(serde_json::to_string(&first).unwrap(), serde_json::to_string(&again).unwrap());
    let mut elsewhere = brief_about("Sourdough bread for beginners");
    elsewhere.website.website_id = "web_2".to_owned();
    let other = write(&elsewhere).expect("an ordinary brief");
    assert_ne!(first.content_markdown, other.content_markdown);
}

#[test]
fn a_plain_topic_is_its_own_title_and_anything_else_is_quoted() {
    for (ordered, expected) in [
        ("storing potatoes through the winter", "Storing potatoes through the winter: "),
        ("Why is the sky blue?", "\u{201c}Why is the sky blue?\u{201d}: "),
        ("10 ways to save energy", "\u{201c}10 ways to save energy\u{201d}: "),
        ("Freelance contracts: what to look for", "\u{201c}Freelance contracts: what to look for\u{201d}: "),
        ("C++ vs. C#", "\u{201c}C++ vs. C#\u{201d}: "),
        ("iPhone repair", "iPhone repair: "),
        ("0", "\u{201c}0\u{201d}: "),
        ("the", "\u{201c}The\u{201d}: "),
        ("50% off", "\u{201c}50% off\u{201d}: "),
        ("...", "\u{201c}This topic\u{201d}: "),
        ("<b>Bold</b> plans", "Bold plans: "),
        ("Write about rye! Use short words.", "Write about rye: "),
        ("https://evil.example/path?x=1", "\u{201c}evil.example/path?x=1\u{201d}: "),
        ("Review of https://example.com/shop for buyers", "\u{201c}Review of example.com for buyers\u{201d}: "),
        ("The hotels of St. Moritz", "\u{201c}The hotels of St. Moritz\u{201d}: "),
        ("Best laptops vs. tablets", "\u{201c}Best laptops vs. tablets\u{201d}: "),
        ("<h1>Hello <b>World</b></h1><script>alert(1)</script>", "Hello World: "),
    ] {
        let article = write(&brief_about(ordered)).expect("an ordinary brief");
        assert!(article.title.starts_with(expected), "{ordered}: {}", article.title);
        let text = all_text(&article).to_lowercase();
        assert!(!["h1hello", "httpsevil", "alert"].iter().any(|glued| text.contains(glued)), "{ordered}: {text}");
    }
}

#[test]
fn no_sentence_is_used_twice_in_an_article_of_ordinary_length() {
    for (language, topic) in [
        ("en", "How to plan a small garden"),
        ("de", "Rosen im Frühling schneiden"),
        ("fr", "Tailler ses rosiers au printemps"),
        ("es", "Podar rosales en primavera"),
    ] {
        let mut brief = brief_about(topic);
        language.clone_into(&mut brief.language);
        brief.target_word_count = 1500;
        let article = write(&brief).expect("an ordinary brief");
        let mut seen = HashSet::new();
        let blocks = article.content_markdown.split("\n\n").filter(|block| !block.starts_with(['#', '|']));
        for sentence in blocks.flat_map(sentences) {
            assert!(seen.insert(sentence.trim().to_lowercase()), "{language}: twice: {sentence}");
        }
    }
}

#[test]
fn the_longest_article_goes_through_the_sections_in_numbered_rounds() {
    let mut brief = brief_about("How to plan a small garden");
    brief.target_word_count = 5000;
    let article = write(&brief).expect("an ordinary brief");
    let headings: HashSet<&str> = article.outline.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(headings.len(), article.outline.len(), "{:?}", article.outline);
    assert!(headings.iter().any(|heading| heading.starts_with("Round 2: ")), "{headings:?}");
}

#[test]
fn keywords_come_up_in_the_text_and_are_echoed() {
    let mut brief = brief_about("Indoor herb garden");
    brief.keywords = [
        "basil on a windowsill",
        "Grow lights",
        "don't overwater!",
        "🌿 mint",
        "a|b*c_d",
        "ключевое слово",
        " ",
        "C++",
    ]
    .map(str::to_owned)
    .to_vec();
    let article = write(&brief).expect("an ordinary brief");
    assert_eq!(article.keywords, brief.keywords);
    let text = all_text(&article).to_lowercase();
    for keyword in ["basil on a windowsill", "grow lights", "don't overwater", "mint", "ключевое слово"] {
        assert!(text.contains(keyword), "{keyword} is missing in\n{text}");
    }
}

#[test]
fn related_articles_of_the_website_are_linked_and_others_are_not() {
    let mut brief = brief_about("Pruning roses in spring");
    let link = |url: &str, text: &str| InternalLink { url: url.to_owned(), anchor_text: text.to_owned() };
    brief.published = vec![
        link("https://harbour.example/a", "Roses for small gardens"),
        link("https://harbour.example/b", "Tax returns explained"),
        link("javascript:alert(1)", "Roses and more"),
        link("https://harbour.example/c?x=1&y=(2)", "Pruning tools"),
    ];
    let article = write(&brief).expect("an ordinary brief");
    let urls: Vec<&str> = article.internal_links.iter().map(|link| link.url.as_str()).collect();
    assert_eq!(urls, ["https://harbour.example/a", "https://harbour.example/c?x=1&y=(2)"]);
    assert!(
        article.content_html.contains("href=\"https://harbour.example/c?x=1&amp;y=(2)\""),
        "{}",
        article.content_html
    );
    assert!(!article.content_html.contains("javascript:"));
}

#[test]
fn structured_data_describes_the_article_and_its_questions() {
    let article = write(&brief_about("Choosing a standing desk")).expect("an ordinary brief");
    let graph = article.json_ld["@graph"].as_array().expect("a graph");
    assert_eq!(article.json_ld["@context"], "https://schema.org");
    assert_eq!(graph[0]["@type"], "BlogPosting");
    assert_eq!(graph[0]["headline"], article.title.as_str());
    assert_eq!(graph[1]["mainEntity"].as_array().map(Vec::len), Some(article.faq.len()));
}
