//! Drafts of articles, made of a stock of sentences. They say nothing about the topic, but they have the requested length and form.

use serde_json::{Value, json};

use super::prompt::Prompt;
use super::random::Random;

/// Title of the drafts that a model discards. No article may have it.
pub const DISCARDED_TITLE: &str = "A draft to discard";
/// Maximum length of a title, in characters.
const MAX_TITLE_CHARS: usize = 60;
/// Words for each section after the introduction.
const SECTION_WORDS: usize = 220;
/// Number of sentences of a paragraph.
const PARAGRAPH: usize = 3;

/// Sentences, headings and questions of a language. A sentence is one of the beginnings with one of the ends.
struct Stock {
    beginnings: [&'static str; 8],
    ends: [&'static str; 12],
    headings: [&'static str; 8],
    questions: [&'static str; 10],
    /// Sentence about the topic, before and after it.
    about: (&'static str, &'static str),
    /// Description of 80 to 150 characters.
    description: &'static str,
    /// Text between two sentences.
    space: &'static str,
}

const ENGLISH: Stock = Stock {
    beginnings: [
        "Before you begin, ",
        "When something changes, ",
        "If you are not sure, ",
        "At the end of the day, ",
        "With a little practice, ",
        "On a quiet morning, ",
        "Whenever you have time, ",
        "As soon as you can, ",
    ],
    ends: [
        "write down what you did and whether the result was better than before.",
        "compare the result with the picture that you had in mind in the beginning.",
        "keep your equipment in the same place, so that you remember where to look for it.",
        "ask somebody who remembers the usual difficulties from experience.",
        "change a single detail and observe carefully what happens afterwards.",
        "choose the simple solution, because it is easier to repeat in a busy week.",
        "make sure that nothing important is missing from your preparation.",
        "take a short break and read your notes again from beginning to end.",
        "decide which part of the preparation matters most to you and your family.",
        "repeat the step that went well the last time, until it becomes a habit.",
        "put away everything that you do not need for the moment.",
        "prepare the next step while the memory of the last one is still fresh.",
    ],
    headings: [
        "Where to begin",
        "What to prepare",
        "How to find a rhythm",
        "What to watch for",
        "When something goes wrong",
        "How to keep going",
        "What helps other people",
        "Where to go from here",
    ],
    questions: [
        "How do you begin?",
        "What do you need?",
        "How often should you check?",
        "When is it ready?",
        "What can go wrong?",
        "How do you keep it up?",
        "Who can help you?",
        "Where do you keep your notes?",
        "Which step matters most?",
        "What comes next?",
    ],
    about: ("This text is about ", ", and it helps you to take the first steps without hurry."),
    description: "A calm guide for everybody who wants to begin, with small steps that are easy to repeat and to remember.",
    space: " ",
};

const JAPANESE: Stock = Stock {
    beginnings: [
        "始める前に、",
        "慣れてきたら、",
        "迷ったときは、",
        "一日の終わりに、",
        "静かな朝に、",
        "時間のあるときに、",
        "少しずつ、",
        "気がついたときに、",
    ],
    ends: [
        "やったことと結果を書き留めておきます。",
        "思っていた形と見比べてみましょう。",
        "道具はいつも同じ場所に置くと見つけやすくなります。",
        "よく知っている人に相談すると安心です。",
        "変えるところを小さくして様子を見ます。",
        "くり返しやすい簡単な方法を選びます。",
        "足りないものがないか確かめましょう。",
        "ひと休みしてからメモを読み返します。",
        "大切なところから順に決めていきます。",
        "うまくいった手順をもう一度試します。",
        "今は使わないものを片づけておきます。",
        "忘れないうちに次の予定を立てましょう。",
    ],
    headings: [
        "どこから始めるか",
        "準備するもの",
        "リズムの作り方",
        "気をつけること",
        "うまくいかないとき",
        "続けるための工夫",
        "まわりの人の力",
        "これからのこと",
    ],
    questions: [
        "どのように始めますか？",
        "何が必要ですか？",
        "どのくらい確かめますか？",
        "いつできあがりますか？",
        "失敗しやすいのはどこですか？",
        "どうすれば続けられますか。",
        "だれに相談できますか？",
        "メモはどこに置きますか",
        "どの手順が大切ですか？",
        "次に何をしますか？",
    ],
    about: ("この文章では、", "について、あわてずに始められるように説明します。"),
    description: "これから始める人のための、やさしい案内です。小さな手順に分けて、くり返しやすく覚えやすい形でまとめました。道具の準備から、\
                  続けるための工夫、うまくいかないときの考え方まで、順番に紹介します。",
    space: "",
};

/// Returns a draft with the fields that `contentgen-server` asks for.
pub(super) fn draft(prompt: &Prompt, random: &mut Random) -> Value {
    let stock = if prompt.is_japanese { JAPANESE } else { ENGLISH };
    let topic: String = prompt.topic.trim_end_matches(['.', '。']).chars().take(MAX_TITLE_CHARS).collect();
    let mut sentences = Sentences::new(&stock, random);
    let keywords = prompt.keywords.iter().map(|keyword| format!("{}{keyword}{}", stock.about.0, stock.about.1));
    let first: Vec<String> =
        std::iter::once(format!("{}{topic}{}", stock.about.0, stock.about.1)).chain(keywords).collect();
    let introduction = sentences.paragraphs(first, prompt.words / 10);
    let count = (prompt.words / SECTION_WORDS).clamp(3, stock.headings.len());
    let each = prompt.words * 9 / 10 / count;
    let sections =
        stock.headings.iter().take(count).map(
            |heading| json!({ "heading": heading, "level": 2, "markdown": sentences.paragraphs(Vec::new(), each) }),
        );
    let begin = json!({ "heading": "", "level": 2, "markdown": introduction });
    let sections: Vec<Value> = std::iter::once(begin).chain(sections).collect();
    let faq = stock.questions.iter().take(prompt.questions);
    let faq: Vec<Value> = faq.map(|question| json!({ "question": question, "answer": sentences.next() })).collect();
    json!({
        "title": topic, "excerpt": sentences.next(), "meta_description": stock.description, "sections": sections,
        "faq": faq, "keywords": [], "tags": ["guide", "steps"], "hero_alt": stock.headings[0],
    })
}

/// All sentences of a stock in random order, again and again.
struct Sentences {
    all: Vec<String>,
    next: usize,
    space: &'static str,
}

impl Sentences {
    fn new(stock: &Stock, random: &mut Random) -> Self {
        let all = stock.beginnings.iter().flat_map(|begin| stock.ends.iter().map(move |end| format!("{begin}{end}")));
        Self { all: random.shuffled(all.collect()), next: 0, space: stock.space }
    }

    fn next(&mut self) -> String {
        self.next += 1;
        self.all[(self.next - 1) % self.all.len()].clone()
    }

    /// Returns paragraphs with at least this many words, after the given sentences.
    fn paragraphs(&mut self, mut sentences: Vec<String>, words: usize) -> String {
        let is_spaced = !self.space.is_empty();
        let length = |sentence: &String| {
            if is_spaced {
                sentence.split(' ').count()
            } else {
                sentence.chars().filter(|letter| letter.is_alphanumeric()).count()
            }
        };
        let mut written: usize = sentences.iter().map(length).sum();
        while written < words || sentences.is_empty() {
            let sentence = self.next();
            written += length(&sentence);
            sentences.push(sentence);
        }
        let paragraphs = sentences.chunks(PARAGRAPH).map(|sentences| sentences.join(self.space));
        paragraphs.collect::<Vec<_>>().join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_has_the_requested_length_and_follows_from_its_seed() {
        let prompt = Prompt::read(&json!({ "messages": [] }));
        let one = draft(&prompt, &mut Random::new(1));
        assert_eq!(one, draft(&prompt, &mut Random::new(1)));
        assert_ne!(one, draft(&prompt, &mut Random::new(2)));
        let sections = one["sections"].as_array().unwrap();
        let words: usize =
            sections.iter().map(|section| section["markdown"].as_str().unwrap().split_whitespace().count()).sum();
        assert!((600..700).contains(&words), "{words}");
        assert_eq!(one["faq"].as_array().unwrap().len(), 3);
    }
}
