//! Statements that the filter removes from a draft because they have no source, case by case, and statements that stay.

use std::sync::{Arc, Mutex};

use contentgen_server_stub::domain::voice::{CallToAction, sentences};
use contentgen_server_stub::domain::written_article::InternalLink;
use contentgen_server_stub::generation::{ArticleBrief, FailureCode, OfflineWriter, write_article};
use proptest::prelude::*;

use super::oracle::assert_grounded;
use super::stub::{Stub, brief, chat, draft, write};
use crate::writer::briefs::{all_text, brief_about};

/// Returns the result of these sentences in the first section of an article.
async fn written(brief: &ArticleBrief, sentences: &str) -> String {
    let mut draft = draft(brief).await;
    draft.sections[0].markdown += &["\n\nBefore it.", sentences, "Behind it."].join(" ");
    let stub = Stub::writing(&draft).await;
    let article = write(&stub.writer(), brief).await.0.unwrap_or_else(|error| panic!("{sentences}: {error}"));
    let (_, rest) =
        article.content_markdown.split_once("Before it.").unwrap_or_else(|| panic!("{}", article.content_markdown));
    rest.split_once("Behind it.").unwrap_or_else(|| panic!("{sentences}: {rest}")).0.trim().to_owned()
}

#[tokio::test]
async fn a_sentence_without_a_source_is_taken_out_whole() {
    for sentence in [
        "About 40% of starters die.",
        "It costs $5.",
        "It costs 5 euros.",
        "Bake it at 230 °C.",
        "In 1998 it began.",
        "Wait ½ hour.",
        "Wait ٤٢ minutes.",
        "Wait 4**2** minutes.",
        "Wait &#52;2 minutes.",
        "Wait four\u{200b}teen minutes.",
        "Wait \u{1f17e}12 minutes.",
        "Wait four&#8203;teen minutes.",
        "Ask zorblatt&#x200b;.com for it.",
        "Forty percent of bakers give up.",
        "One in ten starters dies.",
        "It rises twice as fast.",
        "Millions of people bake.",
        "Two thirds of it is water.",
        "Studies show that rye is better.",
        "Researchers at Harvard found that rye is better.",
        "Experts recommend rye.",
        "According to a recent survey, rye is better.",
        "According to Gartner, rye is better.",
        "Rye is clinically proven to help.",
        "Dr. Smith prefers rye.",
        "Jane Miller, a baker from Ulm, says that rye is better.",
        "\"Rye is the only flour worth baking with,\" said a baker.",
        "\u{201c}Rye forever,\u{201d} she says.",
        "\u{ab}Le seigle est la seule farine\u{bb}.",
        "As they say: 'rye is the only flour worth it'.",
        "Read https://evil.example/rye for more.",
        "Read www.evil.example for more.",
        "Read evil-bakery.com for more.",
        "Write to baker@evil.example today.",
        "Call `5` friends.",
    ] {
        assert_eq!(written(&brief(), sentence).await, "", "{sentence}");
    }
}

#[tokio::test]
async fn what_says_nothing_of_the_kind_stays_as_it_is() {
    for sentence in [
        "Use two jars and feed both.",
        "The first step is the best one.",
        "Study the dough, and report what you see to a friend.",
        "Ask experts where you live.",
        "A *good* jar is **clean** and has `no` lid.",
        "COVID-19 made many people bake, and B2B shops sell flour.",
        "The baker's jar is older than the miller's.",
        "Feed it (e.g. in the morning) and wait.",
    ] {
        assert_eq!(written(&brief(), sentence).await, sentence, "{sentence}");
    }
}

#[tokio::test]
async fn words_of_a_link_and_of_a_named_thing_stay_without_link_and_marks() {
    for (sentence, expected) in [
        ("Use [a clean jar](https://evil.example/jar) for it.", "Use a clean jar for it."),
        ("Use [a clean jar][1] for it.\n\n[1]: https://evil.example\n\n", "Use a clean jar for it."),
        ("Call it a \"levain\" or a \u{201c}mother\u{201d}.", "Call it a levain or a mother."),
        ("Use <b>a jar</b> here<br>now.", "Use a jar here now."),
        ("Use ![a picture](https://evil.example/p.png) this.", "Use this."),
        ("Use a jar<script>alert(1)</script> now.", "Use a jar now."),
    ] {
        let found = written(&brief(), sentence).await;
        assert_eq!(found.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{sentence}");
    }
}

#[tokio::test]
async fn what_the_order_or_the_profile_says_may_be_repeated() {
    let mut brief = brief_about("Baking with 5 kg of rye at 230 °C");
    brief.target_word_count = 300;
    brief.keywords = vec!["the 24 hour dough".to_owned()];
    brief.voice.boilerplate = Some("We have baked since 1998 and studies show that we like it".to_owned());
    brief.voice.samples =
        vec!["As we always say: \"good bread needs a lot of time\". See harbour.example/shop.".to_owned()];
    for sentence in [
        "Take 5 kg of rye.",
        "The 24 hour dough rests.",
        "The bakery stands here since 1998.",
        "Here \"good bread needs a lot of time\" is the rule.",
        "Here studies show that we like it.",
        "More is at harbour.example/shop today.",
    ] {
        assert_eq!(written(&brief, sentence).await, sentence, "{sentence}");
    }
    assert_eq!(written(&brief, "Take 7 \"good. Bread\" bakes.").await, "Bread bakes.");
    assert_eq!(written(&brief, "Take 7 \". Rye\" bakes.").await, "Rye bakes.");
    for sentence in ["Take 5 % of rye.", "Take 23 kg of rye.", "Since 199 it stands.", "Take 5 million of them."] {
        assert_eq!(written(&brief, sentence).await, "", "{sentence}");
    }
}

#[tokio::test]
async fn lines_are_kept_without_their_numbers_and_lists_and_tables_without_some_rows() {
    // Long enough for one section more than an article needs, because one loses its heading.
    let brief = ArticleBrief { target_word_count: 600, ..brief() };
    let mut draft = draft(&brief).await;
    draft.title = "7 \"Secrets\" of Keeping a Rye Starter Alive".to_owned();
    draft.tags = vec!["rye".to_owned(), "top 10".to_owned(), "see evil.com".to_owned()];
    draft.sections[1].heading = "3 Ways to Feed It".to_owned();
    draft.sections[2].heading = "\"It has changed my life,\" says a baker".to_owned();
    draft.sections[1].markdown.push_str("\n\n- Feed it.\n- Wait 12 hours.\n- Stir it.\n\n| what | how |\n|---|---|\n| jar | clean |\n| water | 40 g |\n");
    let stub = Stub::writing(&draft).await;
    let article = write(&stub.writer(), &brief).await.0.unwrap();
    assert_eq!(article.title, "Secrets of Keeping a Rye Starter Alive");
    assert_eq!(article.tags, ["rye"]);
    assert!(article.outline.iter().any(|entry| entry.text == "Ways to Feed It"), "{:?}", article.outline);
    let all = serde_json::to_string(&article).unwrap();
    assert!(!all.contains("changed my life") && !all.contains("says a baker"), "{all}");
    let html = article.content_html.replace('\n', "");
    assert!(html.contains("<ul><li>Feed it.</li><li>Stir it.</li></ul>"), "{html}");
    assert!(html.contains("<td>jar</td><td>clean</td></tr></tbody>"), "{html}");
}

#[tokio::test]
async fn only_published_articles_of_the_website_are_linked_to_and_all_links_are_listed() {
    let mut brief = brief();
    let link = |url: &str| InternalLink { url: url.to_owned(), anchor_text: "A jar".to_owned() };
    brief.published = vec![link("https://harbour.example/jar?a=1&b=2"), link("https://harbour.example/book")];
    let url = Some("https://harbour.example/book".to_owned());
    brief.voice.cta = Some(CallToAction { text: "Book a visit".to_owned(), url });
    let sentence = "See [one](https://harbour.example/jar?a=1&b=2), [two](https://harbour.example/invented) and \
                    [three](https://harbour.example/book).";
    let found = written(&brief, sentence).await;
    assert_eq!(found, "See [one](https://harbour.example/jar?a=1&amp;b=2), two and three.");
    let mut draft = draft(&brief).await;
    draft.sections[0].markdown += sentence;
    let stub = Stub::writing(&draft).await;
    let article = write(&stub.writer(), &brief).await.0.unwrap();
    let urls: Vec<&str> = article.internal_links.iter().map(|link| link.url.as_str()).collect();
    assert_eq!(urls, ["https://harbour.example/jar?a=1&b=2"]);
    let body = stub.bodies().await.remove(0);
    assert!(body["messages"][1]["content"].as_str().unwrap().contains("https://harbour.example/jar?a=1&b=2 A jar"));
}

#[tokio::test]
async fn where_nothing_is_left_of_a_line_the_server_has_one() {
    let brief = brief();
    let mut draft = draft(&brief).await;
    draft.title = "Studies show that 90% fail".to_owned();
    draft.excerpt = "It costs $5.".to_owned();
    draft.meta_description = "Call 555.".to_owned();
    let stub = Stub::writing(&draft).await;
    let article = write(&stub.writer(), &brief).await.0.unwrap();
    assert_eq!(article.title, brief.topic);
    assert!(
        article.excerpt.len() > 20 && article.content_markdown.contains(article.excerpt.split('.').next().unwrap())
    );
    assert!((50..=160).contains(&article.meta_description.chars().count()), "{}", article.meta_description);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_model_says_is_text_that_readers_may_see(
        noise in prop::collection::vec(prop_oneof![any::<String>(), "[-*_#>`|<\\[\\]()!&;:.0-9a-z \n\"\u{201c}\u{202e}]{0,120}"], 8)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let brief = brief();
            let mut draft = draft(&brief).await;
            let [title, excerpt, description, heading, first, last, answer, alt] = noise.try_into().unwrap();
            draft.title += &title;
            draft.excerpt += &excerpt;
            draft.meta_description += &description;
            draft.sections[1].heading += &heading;
            draft.sections[1].markdown.insert_str(0, &format!("{first}\n\n"));
            draft.sections[2].markdown += &last;
            draft.faq[0].answer += &answer;
            draft.hero_alt = alt;
            let stub = Stub::writing(&draft).await;
            match write(&stub.writer(), &brief).await.0 {
                Ok(article) => {
                    assert_grounded(&article, &brief);
                    assert!(!article.title.is_empty());
                }
                Err(error) => assert_eq!(error.code, FailureCode::VoiceUnsatisfiable),
            }
        });
    }
}

/// The offline writer writes nothing without a source. A topic in quotation marks looks like a quotation.
#[tokio::test]
async fn harmless_articles_on_a_hundred_topics_lose_nothing_but_quotations() {
    let mut lost = Vec::new();
    let bare = |text: &str| {
        let text = text.replace(['\u{201c}', '\u{201d}', '"', '\\'], "");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = Arc::new(Mutex::new(String::new()));
    let said = Arc::clone(&text);
    let stub = Stub::start(move |_, _| chat(&said.lock().unwrap())).await;
    let writer = stub.writer();
    for topic in include_str!("../writer/topics.txt").lines().filter(|line| !line.is_empty()) {
        let brief = ArticleBrief { target_word_count: 1000, ..brief_about(topic) };
        let expected = write_article(&OfflineWriter, &brief).await.unwrap();
        let draft = serde_json::to_string(&draft(&brief).await).unwrap();
        *text.lock().unwrap() = draft;
        let (written, usage) = write(&writer, &brief).await;
        let article = written.unwrap_or_else(|error| panic!("{topic}: {error}"));
        assert_eq!(usage.requests, 1, "{topic}");
        let found = bare(&all_text(&article));
        for sentence in all_text(&expected).lines().flat_map(sentences) {
            let is_left = found.contains(bare(sentence).trim_start_matches("| "));
            // Headings lose their numbers, like all headings from a model.
            let is_heading_number = sentence.starts_with("##") && !sentence.contains(char::is_alphabetic);
            if !is_left && !sentence.contains('\u{201c}') && !is_heading_number {
                lost.push(sentence.trim().to_owned());
            }
        }
    }
    assert!(lost.is_empty(), "{}: {lost:#?}", lost.len());
}
