//! The forms a topic can take (question, order, list, comparison, plain subject) and the noun phrase in each.
//! Cleaning a topic and fitting it to a profile is done in `topic`.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::prose_file::Purpose;
use super::topic_words::{begins_with_verb, gerund_phrase};

/// What a topic turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) noun: String,
    pub(super) how_to: Option<String>,
    pub(super) question: Option<String>,
    pub(super) options: Option<(String, String)>,
    pub(super) purpose: Option<Purpose>,
    /// The list as it was ordered.
    pub(super) list_title: Option<String>,
    pub(super) list_length: Option<usize>,
    /// Whether `noun` is what was ordered.
    pub(super) is_named: bool,
}

impl Form {
    /// A topic that cannot be named.
    pub(super) fn unnamed() -> Self {
        Self { is_named: false, ..subject("this subject", None) }
    }
}

type Reading = fn(&Captures<'_>) -> Form;

static READINGS: LazyLock<Vec<(Regex, Reading)>> = LazyLock::new(|| {
    let person = "(?:i|we|you|one|people|someone|anyone|beginners)";
    let readings: [(&str, Reading); 18] = [
        (
            "^(?:how to|how (?:do|can|could|should|would) PERSON(?: best)?|(?:what is|what's|what\u{2019}s|what are) the (?:best|right|easiest|fastest) ways? to|(?:guide|introduction) to how to|learn(?:ing)? (?:how )?to) (.+)$",
            |found| action(&found[1]),
        ),
        (
            "^(?:the )?(?:top |best )?(?:\\d+ |a few |several |some )?(?:\\w+ )?(?:ways|steps|tips|ideas|methods|tricks|strategies|techniques|hacks|reasons) (?:to|on how to|how to) (.+)$",
            |found| listed(action(&found[1]), found),
        ),
        (
            "^(?:the )?(?:top |best )?(?:\\d+ |a few |several |some )?(?:\\w+ )?(?:tips|ideas|methods|tricks|strategies|techniques|hacks|mistakes|advice|lessons) (?:for|on|about|in|with|from) (.+)$",
            |found| listed(subject(&found[1], Some(Purpose::Listing)), found),
        ),
        ("^(?:pros and cons of|advantages and disadvantages of|benefits and drawbacks of) (.+)$", |found| {
            subject(&found[1], Some(Purpose::Judging))
        }),
        ("^(?:the case for|the case against|in defence of|in defense of|in praise of) (.+)$", |found| {
            subject(&found[1], Some(Purpose::Judging))
        }),
        ("^is it (?:really )?(?:worth|better|wise|good|bad|right|wrong|fair|time) (?:to )?(.+)$", |found| {
            judged(found, &found[1])
        }),
        ("^(?:should|shall|must) PERSON (.+)$", |found| judged(found, &found[1])),
        ("^(?:can|could|may) PERSON (.+)$", |found| {
            asked(found, &format!("whether it is possible to {}", &found[1]), Purpose::Understanding)
        }),
        (
            "^(when|where|what|which [\\w -]{1,40}?|how (?:much|many|often|long)(?: [\\w-]{1,20}){0,2}?) (?:should|can|could|do|must|would|shall) PERSON (?:need to |have to )?(.+)$",
            |found| asked(found, &format!("{} to {}", found[1].to_lowercase(), &found[2]), Purpose::Choosing),
        ),
        ("^how (long|much|often) does (.+) (take|last|cost|need|work|happen)$", |found| {
            asked(found, &format!("how {} {} {}s", &found[1], &found[2], &found[3]), Purpose::Understanding)
        }),
        ("^how (?:do|does) (.+) work$", |found| subject(&found[1], Some(Purpose::Understanding))),
        ("^why (?:do|did) (.+)$", |found| asked(found, &format!("why {}", &found[1]), Purpose::Understanding)),
        (
            "^(?:what is|what's|what\u{2019}s|whats|what are|what was|what were|who is|who was|who were) (.+)$",
            |found| subject(&found[1], Some(Purpose::Understanding)),
        ),
        ("^(.{2,60}?) (?:vs\\.?|versus) (.{2,60})$", |found| comparison(&found[1], &found[2])),
        ("^(?:choosing )?between (.{2,40}?) (?:and|or) (.{2,40})$", |found| choice(&found[1], &found[2])),
        ("^((?:\\w[\\w-]* ){1,3}?)or ((?:\\w[\\w-]* ?){1,4})$", |found| choice(&found[1], &found[2])),
        ("^(?:the )?(?:top|best) (?:\\d+ )?(.+)$", |found| {
            subject(&format!("the best {}", &found[1]), Some(Purpose::Choosing))
        }),
        (
            "^(?:the )?((?:benefits|advantages|importance|role|basics|history|future|art|power|science|origins|meaning|psychology) of .+)$",
            |found| subject(&format!("the {}", lower_first(&found[1])), Some(Purpose::Understanding)),
        ),
    ];
    let compile =
        |source: &str| Regex::new(&format!("(?i){}", source.replace("PERSON", person))).expect("the pattern is valid");
    readings.into_iter().map(|(source, reading)| (compile(source), reading)).collect()
});
static REQUEST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:please )?(?:(?:can|could) you )?(?:(?:please )?(?:write|create|draft|make|generate|give) (?:me |us )?)?(?:an? |the |some )?(?:\w+ ){0,2}?(?:article|blog post|post|essay|piece|text|guide|introduction|intro|overview|tutorial|handbook)s? (?:about|on|to|of|for|explaining|covering) ")
        .expect("the pattern is valid")
});
static QUESTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:what|which|who|whose|when|where|how|why|is|are|am|do|does|did|will|was|were|has|have|can|could|should|would|may|might)\b")
        .expect("the pattern is valid")
});
static TRAILING_LABEL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(.+\w) (?:guide|tips|tutorial|explained|checklist|ideas|101|made easy|step by step|for dummies)$")
        .expect("the pattern is valid")
});
static LIST_LABEL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i) (?:tips|ideas|checklist|mistakes|tricks)$").expect("the pattern is valid"));
static CHOICE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:tools|software|platforms?|apps|services|providers|alternatives?|comparison|options|models|brands|suppliers|machines|devices)\b")
        .expect("the pattern is valid")
});

/// Reads a cleaned topic. `is_question` tells whether it ended with a question mark.
pub(super) fn read(topic: &str, is_question: bool) -> Form {
    let stripped = REQUEST.replace(topic, "");
    let topic = if stripped.split(' ').next().is_some_and(|word| !word.is_empty()) { stripped.as_ref() } else { topic };
    for (pattern, reading) in READINGS.iter() {
        if let Some(found) = pattern.captures(topic) {
            return reading(&found);
        }
    }
    if is_question || QUESTION.is_match(topic) && topic.split(' ').count() > 2 {
        let quoted = format!("the question \u{201c}{topic}\u{201d}");
        let question = Some(format!("{topic}?"));
        return Form { question, ..subject(&quoted, Some(Purpose::Understanding)) };
    }
    let is_list = LIST_LABEL.is_match(topic);
    let topic =
        TRAILING_LABEL.captures(topic).map_or(topic, |found| found.get(1).expect("the group takes part").as_str());
    let words: Vec<&str> = topic.split(' ').collect();
    let form = if begins_with_verb(&words) { action(topic) } else { plain(topic, &words) };
    if is_list { Form { purpose: Some(Purpose::Listing), ..form } } else { form }
}

/// A topic that is a plain noun phrase.
fn plain(topic: &str, words: &[&str]) -> Form {
    let first = words[0].to_lowercase();
    let purpose = if CHOICE.is_match(topic) || matches!(first.as_str(), "choosing" | "buying" | "comparing") {
        Some(Purpose::Choosing)
    } else if first.ends_with("ing") || words.last().is_some_and(|word| word.ends_with("ing")) {
        Some(Purpose::Doing)
    } else if first == "the" {
        Some(Purpose::Understanding)
    } else {
        None
    };
    subject(topic, purpose)
}

fn action(verb_phrase: &str) -> Form {
    let verb_phrase = lower_first(verb_phrase);
    let how_to = format!("how to {verb_phrase}");
    let noun = gerund_phrase(&verb_phrase).unwrap_or_else(|| how_to.clone());
    let first = verb_phrase.split(' ').next().unwrap_or_default();
    let purpose = if matches!(first, "choose" | "pick" | "buy" | "compare" | "select" | "decide") {
        Purpose::Choosing
    } else {
        Purpose::Doing
    };
    Form { how_to: Some(how_to), ..subject(&noun, Some(purpose)) }
}

fn subject(noun: &str, purpose: Option<Purpose>) -> Form {
    Form {
        noun: noun.to_owned(),
        how_to: None,
        question: None,
        options: None,
        purpose,
        list_title: None,
        list_length: None,
        is_named: true,
    }
}

/// An embedded question needs a noun before it: "the question of whether to wait".
fn asked(found: &Captures<'_>, clause: &str, purpose: Purpose) -> Form {
    let question = Some(format!("{}?", &found[0]));
    let noun = format!("the question of {clause}");
    Form { question, ..subject(&noun, Some(purpose)) }
}

/// A question whether something should be done: the text is about doing it.
fn judged(found: &Captures<'_>, verb_phrase: &str) -> Form {
    let verb_phrase = lower_first(verb_phrase);
    let first = verb_phrase.split(' ').next().unwrap_or_default();
    let gerund = if first.ends_with("ing") { Some(verb_phrase.clone()) } else { gerund_phrase(&verb_phrase) };
    let question = Some(format!("{}?", &found[0]));
    match gerund {
        Some(noun) => Form { question, ..subject(&noun, Some(Purpose::Judging)) },
        None => asked(found, &format!("whether to {verb_phrase}"), Purpose::Judging),
    }
}

fn comparison(first: &str, second: &str) -> Form {
    let both = (first.trim().to_owned(), second.trim().to_owned());
    let fits = both.0.split(' ').count() <= 4 && both.1.split(' ').count() <= 6;
    // What the two are compared for belongs to the whole topic, not to the second option.
    let bare = both.1.split(" for ").next().unwrap_or(&both.1).to_owned();
    Form {
        options: fits.then(|| (both.0.clone(), bare)),
        ..subject(&format!("{} versus {}", both.0, both.1), Some(Purpose::Choosing))
    }
}

/// Two things of which one is to be chosen.
fn choice(first: &str, second: &str) -> Form {
    let compared = comparison(first, second);
    let noun = format!("the choice between {} and {}", lower_first(first.trim()), second.trim());
    Form { noun, ..compared }
}

/// A list of which the number of entries may have been ordered.
fn listed(form: Form, found: &Captures<'_>) -> Form {
    let length = found[0].split(' ').find_map(|word| word.parse().ok());
    Form {
        purpose: Some(Purpose::Listing),
        list_title: length.map(|_| found[0].to_owned()),
        list_length: length,
        ..form
    }
}

fn lower_first(text: &str) -> String {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let lower = if first.chars().skip(1).any(char::is_uppercase) { first.to_owned() } else { first.to_lowercase() };
    if rest.is_empty() { lower } else { format!("{lower} {rest}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_read_in_many_forms() {
        for (topic, is_question, noun) in [
            ("How do I train for a marathon", true, "training for a marathon"),
            ("how to make sourdough bread", false, "making sourdough bread"),
            ("10 ways to save energy", false, "saving energy"),
            ("7 tips for better sleep", false, "better sleep"),
            ("Write a blog post about houseplants", false, "houseplants"),
            ("What is composting", true, "composting"),
            ("Should I repaint the kitchen", true, "repainting the kitchen"),
            ("When should we prune roses", true, "the question of when to prune roses"),
            ("Tea vs coffee", false, "Tea versus coffee"),
            ("Top 10 standing desks", false, "the best standing desks"),
            ("Is the sky blue", true, "the question \u{201c}Is the sky blue\u{201d}"),
            ("Choose a bike", false, "choosing a bike"),
            ("Sourdough tips", false, "Sourdough"),
            ("Is it worth repairing a bike", true, "repairing a bike"),
            ("How long does paint take", true, "the question of how long paint takes"),
        ] {
            assert_eq!(read(topic, is_question).noun, noun, "{topic}");
        }
    }
}
