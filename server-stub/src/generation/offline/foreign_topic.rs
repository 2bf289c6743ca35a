//! An ordered topic as it stands in German, French and Spanish sentences: in quotation marks, because how its words bend is not known.

use std::sync::LazyLock;

use regex::Regex;

use crate::domain::voice::SupportedLanguage;

use super::orthography::quoted;
use super::profile_rules::ProfileRules;
use super::prose_file::Purpose;
use super::topic::Topic;
use super::topic_phrase::without_banned;
use super::topic_words::is_listed;
use super::wording::capitalised;

/// Words of the three languages that say nothing alone.
const SMALL_WORDS: &str = " eine einen einem einer eines oder aber nicht kein keine wenn dann dass weil wird werden kann können soll sollte sind sein \
    haben mein meine meinen dein deine ihre ihren ohne durch beim nach über unter zwischen gegen auch noch mehr sehr warum welche welcher \
    welches wann beste besten damit dans avec sans pour vers chez sous entre leur leurs votre notre cette quel quelle quels quelles comment \
    pourquoi quand plus moins être avoir faire faut tout tous toute toutes sont dont aussi para como cómo cuando cuándo donde dónde porque \
    desde hasta sobre este esta estos estas unos unas todo todos toda todas menos cuál cuáles quién tiene hacer sirve mejor mejores \
    best ways tips ideas make doing steps ";
/// Words before which a long phrase can be cut.
const CUTS: &str = " für in im mit ohne bei beim auf zum zur am an nach vor durch pour en dans sans avec sur chez para con sin por al ";
/// Words that no phrase ends with.
const LOOSE_ENDS: &str = " der die das den dem des ein eine und oder für in im mit von zu zum zur le la les un une des du de et ou pour en à au el los las \
    una y o para con del al ";
const MIN_WORDS_TO_CUT: usize = 3;
const MAX_OPTION_WORDS: usize = 4;

/// How the forms of topics are told apart in one language, in the order in which they are tried.
struct Forms {
    patterns: [(Regex, Purpose); 5],
    options: Regex,
    /// How a topic that is something to do begins or ends.
    action: Regex,
    /// What stands before the subject of a question or of a list.
    asking: Regex,
}

static GERMAN: LazyLock<Forms> = LazyLock::new(|| {
    forms(
        [
            r"(?i)^\d+ |\b(?:tipps|ideen|checkliste|tricks|fehler)\b",
            r"(?i)^(?:soll|darf|muss|lohnt|ist es|sind)|\b(?:vor- und nachteile|pro und contra|lohnt sich|besser als)\b",
            r"(?i) oder | vs\.? | versus |\bvergleich|\bbesten\b|^welche|auswählen$|\bkaufen$",
            r"(?i)^(?:was (?:ist|sind|bedeutet|heißt)|warum|wieso|weshalb|woher|wie (?:funktioniert|entsteht)|geschichte)",
            r"(?i)^(?:wie|so|anleitung)\b",
        ],
        r"(?i)^(.{2,40}?) (?:oder|vs\.?|versus) (.{2,40})$",
        r" \p{Ll}\w*(?:en|ern|eln)$",
        r"(?i)^(?:lohnt sich|lohnen sich|was (?:ist|sind|bedeutet|heißt)|wie (?:funktioniert|entsteht)|\d+ \w+ (?:für|zum|zur|zu)) (?:(?:ein|eine|einen|der|die|das|den) )?",
    )
});
static FRENCH: LazyLock<Forms> = LazyLock::new(|| {
    forms(
        [
            r"(?i)^\d+ |\b(?:conseils|idées|astuces|raisons|erreurs)\b",
            r"(?i)^(?:faut-il|doit-on|dois-je|est-il|est-ce|vaut-il|peut-on)|pour ou contre|avantages et|vaut la peine",
            r"(?i) ou | vs\.? | versus | contre |\bcompar|\bmeilleur|^quel|^choisir",
            r"(?i)^(?:qu.est-ce|c.est quoi|pourquoi|comment fonctionne|comprendre|l.histoire|histoire|qui )",
            r"(?i)^(?:comment|guide)\b",
        ],
        r"(?i)^(.{2,40}?) (?:ou|vs\.?|versus|contre) (.{2,40})$",
        r"^\p{L}\w*(?:er|ir|re) ",
        r"(?i)^(?:faut-il|qu.est-ce que|pourquoi|comment(?: fonctionne)?|dois-je|est-ce que|\d+ \w+ pour) (?:(?:le|la|les|un|une|du|des) |l.)?",
    )
});
static SPANISH: LazyLock<Forms> = LazyLock::new(|| {
    forms(
        [
            r"(?i)^\d+ |\b(?:consejos|ideas|trucos|razones|errores)\b",
            r"(?i)^(?:debería|debo|hay que|es mejor|es bueno|merece)|vale la pena|pros y contras|ventajas y|conviene",
            r"(?i) o | vs\.? | versus | contra |\bcompar|\bmejores\b|^cuál|^qué .* (?:elegir|comprar)|^elegir",
            r"(?i)^(?:qué (?:es|son|significa)|por qué|cómo funciona|historia|la historia|entender|quién)",
            r"(?i)^(?:cómo|como|guía)\b",
        ],
        r"(?i)^(.{2,40}?) (?:o|vs\.?|versus|contra) (.{2,40})$",
        r"^\p{L}\w*(?:ar|er|ir)(?:se)? ",
        r"(?i)^(?:vale la pena|qué (?:es|son)|por qué|cómo(?: funciona)?|debería|conviene|\d+ \w+ para) (?:(?:el|la|los|las|un|una) )?",
    )
});

/// The patterns of lists, judgements, choices, explanations and instructions, in this order, and the other ones.
fn forms(patterns: [&str; 5], options: &str, action: &str, asking: &str) -> Forms {
    const PURPOSES: [Purpose; 5] =
        [Purpose::Listing, Purpose::Judging, Purpose::Choosing, Purpose::Understanding, Purpose::Doing];
    let compile = |source: &str| Regex::new(source).expect("the pattern is valid");
    let mut purposes = PURPOSES.into_iter();
    Forms {
        patterns: patterns.map(|pattern| (compile(pattern), purposes.next().expect("as many as patterns"))),
        options: compile(options),
        action: compile(action),
        asking: compile(asking),
    }
}

/// Reads the phrase of a topic; `is_question` tells whether it ended with a question mark.
pub(super) fn read(phrase: &str, is_question: bool, rules: &ProfileRules<'_>) -> Topic {
    let language = rules.language;
    let phrase = without_loose_ends(&without_banned(&rules.replaced(phrase), rules));
    let forms = match language {
        SupportedLanguage::French => &*FRENCH,
        SupportedLanguage::Spanish => &*SPANISH,
        SupportedLanguage::German | SupportedLanguage::English => &*GERMAN,
    };
    let may_say = |text: &String| text.chars().any(char::is_alphanumeric) && rules.allows(text);
    let as_quoted = |text: &str| {
        [text.to_owned(), text.replace(['\'', '\u{2019}'], "")].iter().map(|text| quoted(language, text)).find(&may_say)
    };
    let core = forms.asking.replace(&phrase, "");
    let short = match core.split(' ').find(|word| word.starts_with(char::is_uppercase)) {
        Some(noun) if is_question && language == SupportedLanguage::German => as_quoted(noun),
        _ => as_quoted(&shortened(&core)),
    };
    let list_length = phrase.split(' ').next().and_then(|first| first.parse().ok());
    let whole = as_quoted(&phrase).unwrap_or_else(|| unnamed(language).to_owned());
    // A question or a list makes no phrase that can follow "about"; its title still has every word of it.
    let noun = if is_question || list_length.is_some() { short.clone().unwrap_or(whole) } else { whole };
    let options = forms.options.captures(&phrase).filter(|_| !is_question).and_then(|found| {
        let is_short = |text: &str| text.split(' ').count() <= MAX_OPTION_WORDS;
        let bare = found[2].split([',', ':']).next().unwrap_or_default();
        let second = shortened(bare);
        (is_short(&found[1]) && is_short(&second)).then(|| Some((as_quoted(&found[1])?, as_quoted(&second)?))).flatten()
    });
    let purpose = forms.patterns.iter().find(|(pattern, _)| pattern.is_match(&phrase)).map(|(_, purpose)| *purpose);
    let purpose = purpose
        .or_else(|| forms.action.is_match(&phrase).then_some(Purpose::Doing))
        .or_else(|| is_question.then_some(Purpose::Understanding));
    let question = is_question.then(|| asked(language, &capitalised(&phrase))).filter(may_say);
    Topic {
        bare: Some(capitalised(&phrase)).filter(may_say),
        short: short.unwrap_or_else(|| noun.clone()),
        question,
        options,
        list_title: list_length.map(|_: usize| phrase.clone()).filter(may_say),
        list_length,
        purpose,
        noun,
        ..Topic::default()
    }
}

/// Whether the word says nothing alone.
pub(super) fn is_small(word: &str) -> bool {
    is_listed(SMALL_WORDS, &word.to_lowercase())
}

/// A topic that cannot be named.
fn unnamed(language: SupportedLanguage) -> &'static str {
    match language {
        SupportedLanguage::English => "\u{201c}this subject\u{201d}",
        SupportedLanguage::German => "\u{201e}dieses Thema\u{201c}",
        SupportedLanguage::French => "\u{ab}\u{a0}ce sujet\u{a0}\u{bb}",
        SupportedLanguage::Spanish => "\u{ab}este tema\u{bb}",
    }
}

fn asked(language: SupportedLanguage, question: &str) -> String {
    match language {
        SupportedLanguage::French => format!("{question}\u{a0}?"),
        SupportedLanguage::Spanish => format!("\u{bf}{question}?"),
        SupportedLanguage::English | SupportedLanguage::German => format!("{question}?"),
    }
}

/// What stands before the first addition of a long phrase.
fn shortened(phrase: &str) -> String {
    let words: Vec<&str> = phrase.split(' ').collect();
    let cut =
        (1..words.len()).find(|&at| words.len() >= MIN_WORDS_TO_CUT && is_listed(CUTS, &words[at].to_lowercase()));
    let head = &words[..cut.unwrap_or(words.len())];
    let says = head.iter().any(|word| word.chars().count() > 3 && !is_small(word));
    if says { without_loose_ends(&head.join(" ")) } else { phrase.to_owned() }
}

fn without_loose_ends(phrase: &str) -> String {
    let mut words: Vec<&str> = phrase.split(' ').collect();
    while words.len() > 1 && words.last().is_some_and(|word| is_listed(LOOSE_ENDS, &word.to_lowercase())) {
        words.pop();
    }
    words.join(" ")
}
