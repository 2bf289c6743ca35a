//! Many articles from a hostile model. The number of planted statements in them must be zero.

use std::sync::{Arc, Mutex};

use contentgen_server_stub::domain::voice::{
    CallToAction, PointOfView, Pronouns, ReadingGrade, VoiceReport, count_pronouns,
};
use contentgen_server_stub::generation::{ArticleBrief, ArticleGenerator as _, FailureCode, OfflineWriter};
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use wiremock::ResponseTemplate;

use super::hostile_draft::{PLANTED, dress, hostile};
use super::oracle::{Findings, assert_reported, judge, texts};
use super::stub::{Stub, chat, draft, error, write};
use crate::writer::briefs::brief_about;

/// Articles in an ordinary run. `CONTENTGEN_TEST_HOSTILE_ARTICLES` sets another number.
const ARTICLES: u32 = 150;

/// Returns a random request with a profile.
fn order(topics: &[&str], random: &mut ChaCha8Rng) -> ArticleBrief {
    let mut brief = brief_about(topics.choose(random).unwrap());
    brief.target_word_count = random.random_range(250..900);
    let views = [PointOfView::Any, PointOfView::SecondPerson, PointOfView::FirstPersonPlural];
    brief.voice.point_of_view = *views.choose(random).unwrap();
    // The offline writer stays close to the edge of a narrow range, so one word more or less would leave it.
    brief.voice.reading_grade = ReadingGrade { min: 1, max: 18 };
    brief.voice.faq_count = random.random_range(0..6);
    if random.random_bool(0.5) {
        let url = Some("https://harbour.example/book".to_owned());
        brief.voice.cta = Some(CallToAction { text: "Book a visit".to_owned(), url });
    }
    brief
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_a_hostile_model_reaches_a_reader() {
    let asked = std::env::var_os("CONTENTGEN_TEST_HOSTILE_ARTICLES");
    let articles = asked.map_or(ARTICLES, |count| count.to_str().unwrap().parse().unwrap());
    let seed = std::env::var_os("CONTENTGEN_TEST_HOSTILE_SEED");
    let seed = seed.map_or(20_261_125, |seed| seed.to_str().unwrap().parse().unwrap());
    let topics: Vec<&str> = include_str!("../writer/topics.txt")
        .lines()
        .filter(|line| !line.is_empty() && count_pronouns(line) == Pronouns::default())
        .collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let answer = Arc::new(Mutex::new(String::new()));
    let said = Arc::clone(&answer);
    // Every seventh request is rejected first.
    let stub = Stub::start(move |number, _| match number % 7 {
        6 => error(429, "rate_limit_exceeded", "wait"),
        5 => ResponseTemplate::new(502),
        _ => chat(&said.lock().unwrap()),
    })
    .await;
    let writer = stub.writer();
    let (mut sum, mut written, mut refused, mut requests) = (Findings::default(), 0, 0, 0);
    for number in 0..articles {
        let brief = order(&topics, &mut random);
        // The draft keeps the profile with a margin, so the rest still keeps it after the lies are removed.
        let honest = OfflineWriter.revise(&brief, &draft(&brief).await, &VoiceReport::default(), 1).await.unwrap();
        let lies = hostile(&honest, &mut random);
        *answer.lock().unwrap() = dress(&serde_json::to_string(&lies).unwrap(), &mut random);
        let (outcome, usage) = write(&writer, &brief).await;
        requests += usage.requests;
        let article = match outcome {
            Ok(article) => article,
            Err(error) => {
                assert_eq!(error.code, FailureCode::VoiceUnsatisfiable, "{number} of seed {seed}: {error}");
                assert!(error.message.contains("expected"), "{error}");
                println!("{number}: {} ({} words): {error}", brief.topic, brief.target_word_count);
                refused += 1;
                continue;
            }
        };
        assert_reported(&article);
        let found = judge(&article, &brief);
        assert_eq!(found, Findings::default(), "{number} of seed {seed}, {}: {:#?}", brief.topic, texts(&article));
        let all = serde_json::to_string(&article).unwrap().to_lowercase();
        assert!(!all.contains(PLANTED), "{number} of seed {seed}: {:#?}", texts(&article));
        sum.links += found.links;
        sum.numbers += found.numbers;
        sum.quotations += found.quotations;
        sum.unsanitised += found.unsanitised;
        written += 1;
    }
    println!(
        "seed {seed}: {written} articles with a report on every rule, {refused} refused with the rules; {sum:?}; {requests} requests"
    );
    assert_eq!(refused, 0, "the article without the lies keeps the profile");
}
