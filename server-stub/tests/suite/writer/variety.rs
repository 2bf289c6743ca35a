//! How much the articles of one website share: runs of eight words that stand in more than one of them.

use std::collections::{HashMap, HashSet};

use contentgen_server_stub::domain::voice::sentences;

use super::briefs::{brief_about, write};
use super::languages::topics_in;

const TOPICS: &str = include_str!("topics.txt");
/// Words of a shingle.
const SHINGLE_WORDS: usize = 8;
/// The largest mean share of an article's shingles that may stand in another article of the website.
const MAX_MEAN_SHARE: f64 = 0.30;
/// The same for the other languages over the first fifth of their topics.
const MAX_MEAN_SHARE_OF_A_FIFTH: f64 = 0.30;
/// The same for the other languages over a hundred topics each.
const MAX_MEAN_SHARE_ELSEWHERE: [(&str, f64); 3] = [("de", 0.43), ("fr", 0.51), ("es", 0.51)];
const ARTICLES: usize = 100;

fn shingles(markdown: &str) -> HashSet<String> {
    let words: Vec<String> = markdown
        .split_whitespace()
        .map(|word| word.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>().to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    words.windows(SHINGLE_WORDS).map(|window| window.join(" ")).collect()
}

/// For each article the share of its shingles that stand in another one.
#[expect(clippy::cast_precision_loss, reason = "an article has a few thousand words")]
fn shares(articles: &[String]) -> Vec<f64> {
    let all: Vec<HashSet<String>> = articles.iter().map(|article| shingles(article)).collect();
    let mut found_in: HashMap<&str, u32> = HashMap::new();
    for shingle in all.iter().flatten() {
        *found_in.entry(shingle).or_default() += 1;
    }
    let is_shared = |shingle: &&String| found_in[shingle.as_str()] > 1;
    all.iter().map(|own| own.iter().filter(is_shared).count() as f64 / own.len().max(1) as f64).collect()
}

/// The mean and the largest share among the articles about the topics.
#[expect(clippy::cast_precision_loss, reason = "there are a hundred articles")]
fn mean_and_most(language: &str, topics: &[&str]) -> (f64, f64) {
    let write_about = |topic: &&str| {
        let mut brief = brief_about(topic);
        language.clone_into(&mut brief.language);
        write(&brief).unwrap_or_else(|error| panic!("{topic}: {error}")).content_markdown
    };
    let shares = shares(&topics.iter().map(write_about).collect::<Vec<String>>());
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    (mean, shares.iter().copied().fold(0.0, f64::max))
}

#[test]
fn articles_of_one_website_share_few_runs_of_eight_words() {
    let topics: Vec<&str> = TOPICS.lines().filter(|line| !line.is_empty()).take(ARTICLES).collect();
    assert_eq!(topics.len(), ARTICLES);
    let (mean, most) = mean_and_most("en", &topics);
    println!("en: {:.1} % on average, {:.1} % at most", mean * 100.0, most * 100.0);
    assert!(mean < MAX_MEAN_SHARE, "{:.1} % on average, {:.1} % at most", mean * 100.0, most * 100.0);
}

#[test]
fn articles_in_other_languages_share_less_than_their_bound() {
    for (language, most_on_average) in MAX_MEAN_SHARE_ELSEWHERE {
        let topics: Vec<&str> = topics_in(language).into_iter().take(ARTICLES).collect();
        assert_eq!(topics.len(), ARTICLES);
        for (topics, bound) in [(&topics[..ARTICLES / 5], MAX_MEAN_SHARE_OF_A_FIFTH), (&topics[..], most_on_average)] {
            let (mean, most) = mean_and_most(language, topics);
            println!(
                "{language}, {} articles: {:.1} % on average, {:.1} % at most",
                topics.len(),
                mean * 100.0,
                most * 100.0
            );
            assert!(mean < bound, "{language}, {} articles: {:.1} % on average", topics.len(), mean * 100.0);
        }
    }
}

#[test]
fn no_sentence_is_used_twice_in_an_article() {
    for (language, topic) in [
        ("en", "How to plan a small garden"),
        ("de", "Rosen im Frühling schneiden"),
        ("fr", "Tailler ses rosiers au printemps"),
        ("es", "Podar rosales en primavera"),
    ] {
        let mut brief = brief_about(topic);
        language.clone_into(&mut brief.language);
        brief.target_word_count = 5000;
        let article = write(&brief).expect("an ordinary brief");
        let mut seen = HashSet::new();
        let blocks = article.content_markdown.split("\n\n").filter(|block| !block.starts_with(['#', '-', '|', '1']));
        for sentence in blocks.flat_map(sentences) {
            assert!(seen.insert(sentence.trim().to_lowercase()), "{language}: twice: {sentence}");
        }
    }
}
