//! Realistic topics: each gives an article that keeps every rule and reads correctly.

use std::collections::HashSet;

use contentgen_server_stub::domain::voice::{EmojiUse, emoji, sentences};
use contentgen_server_stub::domain::written_article::InternalLink;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

use super::briefs::{all_text, brief_about, write};

const TOPICS: &str = include_str!("topics.txt");
const LANGUAGES: [&str; 4] = ["en", "de", "fr", "es"];

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
fn a_plain_topic_begins_the_title_and_any_other_phrase_is_quoted() {
    for (ordered, expected) in [
        ("storing potatoes through the winter", "Storing potatoes through the winter: "),
        ("Why is the sky blue?", "\u{201c}Why is the sky blue?\u{201d}: "),
        ("10 ways to save energy", "\u{201c}10 ways to save energy\u{201d}: "),
        ("Freelance contracts: what to look for", "\u{201c}Freelance contracts: what to look for\u{201d}: "),
        ("iPhone repair", "iPhone repair: "),
        ("50% off", "\u{201c}50% off\u{201d}: "),
        ("!!!", "\u{201c}This topic\u{201d}: "),
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
fn a_topic_that_is_no_phrase_is_the_title() {
    for (ordered, expected) in [
        ("0", "0"),
        (" 2026 ", "2026"),
        ("50 %", "50 %"),
        ("\u{c0}", "\u{c0}"),
        ("A\u{300}", "\u{c0}"),
        ("x", "x"),
        ("AI", "AI"),
        ("C++ vs. C#", "C++ vs. C#"),
        ("\u{8336}", "\u{8336}"),
        ("the", "the"),
        ("...", "..."),
        ("?", "?"),
        ("\u{2014}", "\u{2014}"),
        ("\u{202e}7\u{200b}", "7"),
        ("\u{1f1e9}\u{1f1ea}", "\u{1f1e9}\u{1f1ea}"),
    ] {
        for language in LANGUAGES {
            let mut brief = brief_about(ordered);
            language.clone_into(&mut brief.language);
            let article = write(&brief).expect("an ordinary brief");
            assert_eq!(article.title, expected, "{language}: {ordered:?}");
        }
    }
    let mut brief = brief_about("\u{1f468}\u{200d}\u{1f33e} \u{2764}\u{fe0f}");
    let title = write(&brief).unwrap().title;
    assert!(title.starts_with("\u{201c}This topic\u{201d}: "), "{title}");
    brief.voice.emoji = EmojiUse::Allow;
    assert_eq!(write(&brief).unwrap().title, brief.topic);
}

/// Draws topics that are no phrase: one character of any kind, or short runs of digits, letters, marks and pictographs.
fn no_phrase() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        any::<char>().prop_map(String::from),
        "\\PC",
        "\\p{Nd}{1,9}",
        "\\p{L}",
        "\\p{Lu}\\p{M}{0,2}",
        "[A-Za-z]{1,2}[0-9+#]{0,2}",
        "[\\p{P}\\p{Sm}\\p{Sc}\\p{Sk}]{1,5}",
        "\\p{Extended_Pictographic}{1,3}",
    ];
    prop::collection::vec(token, 1..4).prop_map(|tokens| tokens.join(" "))
}

/// Returns the letters and digits of a text in NFC and in lower case. Some pictographs are letters, such as \u{24c2}.
fn letters(text: &str) -> String {
    let is_letter = |letter: &char| letter.is_alphanumeric() && emoji(&letter.to_string()).is_none();
    text.nfc().filter(is_letter).flat_map(char::to_lowercase).filter(|letter| letter.is_alphanumeric()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_title_on_a_topic_that_is_no_phrase_adds_no_letter(topic in no_phrase()) {
        for language in LANGUAGES {
            let mut brief = brief_about(&topic);
            language.clone_into(&mut brief.language);
            brief.target_word_count = 200;
            let article = write(&brief).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!(article.voice.passed && !article.title.is_empty());
            let (ordered, said) = (letters(&topic), letters(&article.title));
            let mut rest = ordered.chars();
            let is_part = said.chars().all(|letter| rest.any(|one| one == letter));
            // Without a letter, the profile may forbid the topic, or the reader may see nothing of it.
            prop_assert!(ordered.is_empty() || !said.is_empty() && is_part, "{language}, {topic:?}: {}", article.title);
        }
    }
}

/// Draws texts of words with accents and of any characters.
fn accented() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => prop::sample::select(vec![
            "Cr\u{e8}me", "br\u{fb}l\u{e9}e", "Gr\u{f6}\u{df}e", "a\u{f1}o", "\u{c9}d.", "ti\u{1ebf}ng", "\u{ac01}", "\u{c0}", "for", "beginners",
        ]).prop_map(str::to_owned),
        1 => "\\PC{1,6}",
    ];
    prop::collection::vec(word, 1..6).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_decomposed_order_gives_the_same_article(
        topic in accented(),
        keywords in prop::collection::vec(accented(), 0..4),
        avoided in accented(),
        language in prop::sample::select(LANGUAGES.to_vec()),
    ) {
        let written = |form: fn(&str) -> String| {
            let mut brief = brief_about(&form(&topic));
            language.clone_into(&mut brief.language);
            brief.keywords = keywords.iter().map(|keyword| form(keyword)).collect();
            brief.target_word_count = 300;
            brief.voice.vocabulary.avoid = vec![form(&avoided)];
            write(&brief)
                .map(|article| (article.title, article.slug, article.content_markdown, article.faq, article.tags))
                .map_err(|error| error.code)
        };
        prop_assert_eq!(written(|text| text.nfc().collect()), written(|text| text.nfd().collect()));
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
