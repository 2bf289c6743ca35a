//! Articles of 800 words that the offline writer writes in a second on one core, checked and rendered as in a job: `cargo bench -p
//! contentgen-server-stub --bench writer`.

use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use contentgen_server_stub::domain::voice::{BrandVoice, PointOfView, ReadingGrade};
use contentgen_server_stub::generation::{ArticleBrief, BriefWebsite, OfflineWriter, write_article};

/// Topics as users write them.
const TOPICS: &str = include_str!("../../tests/suite/writer/topics.txt");
/// Topics in German, French and Spanish, each after its language.
const OTHER_TOPICS: &str = include_str!("../../tests/suite/writer/topics_other_languages.txt");
/// Words of each article.
const WORDS: u32 = 800;
/// Duration of the measurement of each kind of request.
const TIME: Duration = Duration::from_secs(3);

/// Languages with topics.
type Topics = Vec<(&'static str, &'static str)>;

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` measures nothing.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let english: Topics = TOPICS.lines().filter(|line| !line.is_empty()).map(|topic| ("en", topic)).collect();
    let other: Topics = OTHER_TOPICS.lines().filter_map(|line| line.split_once(": ")).collect();
    let in_language =
        |language: &str| -> Topics { other.iter().copied().filter(|(tag, _)| *tag == language).collect() };
    let hard = BrandVoice {
        reading_grade: ReadingGrade { min: 3, max: 6 },
        point_of_view: PointOfView::ThirdPerson,
        max_sentence_words: 20,
        ..BrandVoice::default()
    };
    let orders: [(&str, Topics, BrandVoice); 5] = [
        ("English", english.clone(), BrandVoice::default()),
        ("English, a strict profile", english, hard),
        ("German", in_language("de"), BrandVoice::default()),
        ("French", in_language("fr"), BrandVoice::default()),
        ("Spanish", in_language("es"), BrandVoice::default()),
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().build().context("no runtime")?;
    let mut out = std::io::stdout();
    for (name, topics, voice) in orders {
        let briefs: Vec<ArticleBrief> = topics.iter().map(|(language, topic)| brief(language, topic, &voice)).collect();
        let begun = Instant::now();
        let (mut articles, mut words) = (0_u32, 0_u64);
        while begun.elapsed() < TIME {
            for brief in &briefs {
                let article = runtime.block_on(write_article(&OfflineWriter, brief));
                words += u64::from(article.with_context(|| brief.topic.clone())?.word_count);
                articles += 1;
            }
        }
        let rate = f64::from(articles) / begun.elapsed().as_secs_f64();
        writeln!(out, "{rate:7.0} articles/s  {name}, {} words on average", words / u64::from(articles))?;
    }
    Ok(())
}

fn brief(language: &str, topic: &str, voice: &BrandVoice) -> ArticleBrief {
    ArticleBrief {
        topic: topic.to_owned(),
        language: language.to_owned(),
        keywords: Vec::new(),
        target_word_count: WORDS,
        metadata: None,
        website: BriefWebsite {
            website_id: "web_1".to_owned(),
            name: "Harbour Notes".to_owned(),
            url: "https://harbour.example".to_owned(),
        },
        voice: voice.clone(),
        published: Vec::new(),
    }
}
