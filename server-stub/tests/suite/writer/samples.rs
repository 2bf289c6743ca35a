//! The samples in `docs/samples`: ten realistic requests, each with the article that the writer writes.

use std::fmt::Write as _;
use std::path::PathBuf;

use contentgen_server_stub::domain::voice::{BrandVoice, PointOfView, PreferredTerm};

use super::briefs::{brief_about, write};

const WRITE_ANEW: &str =
    "cargo test -p contentgen-server-stub --test suite -- --ignored writer::samples::write_the_samples_anew";

struct Sample {
    file: &'static str,
    kind: &'static str,
    language: &'static str,
    topic: &'static str,
    words: u32,
    keywords: &'static [&'static str],
    /// Description of the profile, and the change that creates it.
    voice: (&'static str, fn(&mut BrandVoice)),
}

const DEFAULT: (&str, fn(&mut BrandVoice)) = ("the default", |_| {});
const SAMPLES: [Sample; 10] = [
    Sample {
        file: "en-how-to-roses",
        kind: "how-to",
        language: "en",
        topic: "How to prune old roses in spring",
        words: 800,
        keywords: &["climbing roses"],
        voice: DEFAULT,
    },
    Sample {
        file: "en-how-to-starter",
        kind: "how-to",
        language: "en",
        topic: "Keeping a rye starter alive through winter",
        words: 700,
        keywords: &["rye starter", "feeding"],
        voice: ("\"we\", casual", |voice| {
            voice.point_of_view = PointOfView::FirstPersonPlural;
            voice.tone_dimensions.formality = 2;
        }),
    },
    Sample {
        file: "en-comparison-drinks",
        kind: "comparison",
        language: "en",
        topic: "Tea vs coffee for long study days",
        words: 700,
        keywords: &[],
        voice: ("addresses the reader", |voice| voice.point_of_view = PointOfView::SecondPerson),
    },
    Sample {
        file: "en-list-energy",
        kind: "list",
        language: "en",
        topic: "10 ways to save energy at home",
        words: 1000,
        keywords: &["heating"],
        voice: DEFAULT,
    },
    Sample {
        file: "en-explanation-heat-pump",
        kind: "explanation",
        language: "en",
        topic: "How does a heat pump work?",
        words: 800,
        keywords: &[],
        voice: ("third person, formal, no contractions", |voice| {
            voice.point_of_view = PointOfView::ThirdPerson;
            voice.tone_dimensions.formality = 5;
        }),
    },
    Sample {
        file: "en-opinion-washing-machine",
        kind: "opinion",
        language: "en",
        topic: "Is it worth repairing an old washing machine?",
        words: 800,
        keywords: &[],
        voice: ("\"I\"", |voice| voice.point_of_view = PointOfView::FirstPersonSingular),
    },
    Sample {
        file: "de-how-to-tomaten",
        kind: "how-to",
        language: "de",
        topic: "Tomaten auf dem Balkon anbauen",
        words: 700,
        keywords: &["Balkontomaten"],
        voice: ("addresses the reader informally", |voice| {
            voice.point_of_view = PointOfView::SecondPerson;
            voice.tone_dimensions.formality = 2;
        }),
    },
    Sample {
        file: "de-opinion-e-bike",
        kind: "opinion",
        language: "de",
        topic: "Lohnt sich ein E-Bike für den Arbeitsweg?",
        words: 700,
        keywords: &[],
        voice: ("third person", |voice| voice.point_of_view = PointOfView::ThirdPerson),
    },
    Sample {
        file: "fr-comparison-chauffage",
        kind: "comparison",
        language: "fr",
        topic: "Pompe à chaleur ou chaudière à gaz",
        words: 700,
        keywords: &[],
        voice: ("addresses the reader formally", |voice| {
            voice.point_of_view = PointOfView::SecondPerson;
            voice.tone_dimensions.formality = 4;
        }),
    },
    Sample {
        file: "es-list-dormir",
        kind: "list",
        language: "es",
        topic: "10 consejos para dormir mejor",
        words: 900,
        keywords: &["siesta"],
        voice: ("\"we\", with a required term", |voice| {
            voice.point_of_view = PointOfView::FirstPersonPlural;
            voice.vocabulary.prefer = vec![PreferredTerm { term: "Método Faro".to_owned(), required: true }];
        }),
    },
];

impl Sample {
    fn path(&self) -> PathBuf {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/samples")).join(format!("{}.md", self.file))
    }

    fn text(&self) -> String {
        let mut brief = brief_about(self.topic);
        self.language.clone_into(&mut brief.language);
        brief.target_word_count = self.words;
        brief.keywords = self.keywords.iter().map(|&keyword| keyword.to_owned()).collect();
        (self.voice.1)(&mut brief.voice);
        let article = write(&brief).unwrap_or_else(|error| panic!("{}: {error}", self.topic));
        let keywords = if self.keywords.is_empty() { "none".to_owned() } else { self.keywords.join(", ") };
        let mut text = format!(
            "# {}\n\n> Ordered: “{}” ({}), language `{}`, {} words, keywords: {keywords}, voice: {}.\n\n*{}*\n\n{}",
            article.title,
            self.topic,
            self.kind,
            self.language,
            self.words,
            self.voice.0,
            article.excerpt,
            article.content_markdown
        );
        text.push_str("\n---\n");
        for entry in &article.faq {
            let _ = write!(text, "\n**{}** {}\n", entry.question, entry.answer);
        }
        text
    }
}

#[test]
fn the_samples_are_what_the_writer_writes() {
    for sample in SAMPLES {
        let committed = std::fs::read_to_string(sample.path()).unwrap_or_default();
        assert!(committed == sample.text(), "{} is not fresh. Write it anew with:\n    {WRITE_ANEW}", sample.file);
    }
}

#[test]
#[ignore = "writes the samples anew; run it by its name"]
fn write_the_samples_anew() {
    for sample in SAMPLES {
        std::fs::write(sample.path(), sample.text()).expect("docs/samples can be written");
    }
}
