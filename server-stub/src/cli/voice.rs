//! `voice learn` and `voice template`: a voice as a TOML file, whose keys are the fields of the profile, for users who write in an
//! editor. `voice_check` checks texts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::failure::{Exit, Failure};
use super::text_file;
use crate::config::LearnVoice;
use crate::domain::voice::{BrandVoice, Sample, learn as propose};

/// Fields in the file's order, with their explanations. `id`, `version` and `is_default` exist only in the database.
const MEMBERS: [(&str, &str); 18] = [
    ("name", "1 to 80 characters."),
    ("audience", "Who reads, at most 200 characters. Advises the writer."),
    ("tone", "At most 8 adjectives of at most 40 characters. Advises the writer."),
    ("dos", "At most 20 wishes of at most 200 characters. Advises the writer."),
    ("donts", "At most 20 dislikes of at most 200 characters. Advises the writer."),
    (
        "point_of_view",
        "Who speaks to whom: first_person_singular, first_person_plural, second_person, third_person or any. Checked.",
    ),
    ("max_sentence_words", "Most words of a sentence, 10 to 60. Checked."),
    ("contractions", "Whether \"don't\" may stand for \"do not\": allow or avoid. Checked."),
    ("emoji", "Whether pictographs may appear: none or allow. Checked."),
    ("max_exclamations", "Most exclamation marks of a text, 0 to 20. Checked."),
    ("faq_count", "Questions that an article answers at its end, 0 to 10. Checked in articles."),
    ("spelling", "Spelling of English: en-US, en-GB or any. Advises the writer."),
    ("boilerplate", "The sentence about the company, at most 600 characters. Left out where there is none."),
    (
        "samples",
        "At most 5 texts of at most 8000 characters that show the voice. A language model reads 3000 characters each of the first three.",
    ),
    (
        "tone_dimensions",
        "1 to 5 each. humour: serious to funny. formality: casual to formal. respect: irreverent to respectful. \
         enthusiasm: matter-of-fact to enthusiastic. Advise the writer.",
    ),
    (
        "vocabulary",
        "Terms of at most 60 characters. avoid: at most 200 that never appear. replace: at most 200, such as \
         { from = \"utilise\", to = \"use\" }. prefer: at most 100, such as { term = \"sourdough\", required = false }. Checked.",
    ),
    ("reading_grade", "Window of the Flesch-Kincaid grade, 1 to 18. Checked on 100 words or more."),
    (
        "cta",
        "The call to action, repeated word for word near the end: text of at most 160 characters, perhaps with an https url. \
         Checked. Left out where there is none.",
    ),
];

/// Maximum length of a comment line, in characters.
const COMMENT_WIDTH: usize = 118;

/// Reads a voice and checks its bounds.
pub(super) fn read(path: &Path) -> Result<BrandVoice, Failure> {
    parse(&text_file::read(path)?).map_err(|wrong| {
        let hint = "`contentgen-server voice template` prints a file with all fields";
        Failure::new(Exit::Usage, format!("{} is not a valid voice file; {hint}:\n{wrong}", path.display()))
    })
}

/// Parses a voice, or lists its errors, one per line.
fn parse(text: &str) -> Result<BrandVoice, String> {
    let given: Table = of_toml(text)?;
    let voice: BrandVoice = of_toml(text)?;
    let mut wrong = Vec::new();
    for member in given.keys().filter(|member| MEMBERS.iter().all(|(known, _)| known != member)) {
        wrong.push(format!("{member}: unknown field"));
    }
    let known = table(&voice);
    for (member, value) in given.iter().filter(|(member, _)| known.contains_key(*member)) {
        unknown_members(member, value, &known[member], &mut wrong);
    }
    wrong.extend(voice.validate().iter().map(|violation| format!("{}: {}", violation.field, violation.message)));
    if wrong.is_empty() { Ok(voice) } else { Err(wrong.join("\n")) }
}

fn of_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| error.to_string())
}

/// Returns the voice as a table, without fields that have no value.
fn table(voice: &BrandVoice) -> Table {
    Table::try_from(voice).expect("a profile is a table of texts, numbers, lists and tables")
}

/// Finds nested fields that the voice did not take over: they are misspelt.
fn unknown_members(path: &str, given: &Value, known: &Value, wrong: &mut Vec<String>) {
    match (given, known) {
        (Value::Table(given), Value::Table(known)) => {
            for (name, value) in given {
                let path = format!("{path}.{name}");
                match known.get(name) {
                    Some(known) => unknown_members(&path, value, known, wrong),
                    None => wrong.push(format!("{path}: unknown field")),
                }
            }
        }
        (Value::Array(given), Value::Array(known)) => {
            for (index, (given, known)) in given.iter().zip(known).enumerate() {
                unknown_members(&format!("{path}[{index}]"), given, known, wrong);
            }
        }
        _ => {}
    }
}

/// Returns the built-in voice with an explanation of each field.
pub(super) fn template() -> String {
    let introduction =
        "A voice for `contentgen-server write --voice FILE` and `voice check`. What is left out is as it is here.";
    let explained = MEMBERS.iter().map(|(member, what)| (*member, vec![(*what).to_owned()]));
    let mut text = render(&BrandVoice::default(), introduction, &explained.collect());
    text.push_str("# text = \"Book a fitting\"\n# url = \"https://example.com/fitting\"\n");
    text
}

/// Returns a voice as a file, with comments above its fields. A missing field has only its comments.
fn render(voice: &BrandVoice, introduction: &str, comments: &BTreeMap<&str, Vec<String>>) -> String {
    let mut values = table(voice);
    let mut text = String::new();
    comment(introduction, &mut text);
    for (member, _) in MEMBERS {
        text.push('\n');
        for line in comments.get(member).into_iter().flatten() {
            comment(line, &mut text);
        }
        let value = values.remove(member);
        let written = value.map(|value| toml::to_string_pretty(&Table::from_iter([(member.to_owned(), value)])));
        match written {
            Some(written) => text.push_str(&written.expect("a member of a profile is a value of TOML")),
            None if member == "cta" => text.push_str("# [cta]\n"),
            None => {
                let _ = writeln!(text, "# {member} = \"\"");
            }
        }
    }
    text
}

/// Writes a comment, wrapped to [`COMMENT_WIDTH`].
fn comment(words: &str, text: &mut String) {
    let mut width = 0;
    for word in words.split_whitespace() {
        let length = word.chars().count() + 1;
        if width == 0 || width + length > COMMENT_WIDTH {
            text.push_str(if width == 0 { "#" } else { "\n#" });
            width = 1;
        }
        text.push(' ');
        text.push_str(word);
        width += length;
    }
    text.push('\n');
}

pub(super) fn learn(options: &LearnVoice) -> Result<(), Failure> {
    let mut texts = Vec::new();
    for path in &options.files {
        texts.push((path.display().to_string(), text_file::without_front_matter(&text_file::read(path)?)));
    }
    let samples: Vec<_> = texts.iter().map(|(name, markdown)| Sample { name, markdown }).collect();
    let proposal = propose(&options.name, &options.language, &samples);
    let proposal = proposal.map_err(|error| Failure::new(Exit::Usage, format!("cannot learn a voice: {error}")))?;
    if let Some(violation) = proposal.voice.validate().first() {
        let wrong = format!("the proposed voice is not valid: {} {}", violation.field, violation.message);
        return Err(Failure::new(Exit::Usage, wrong));
    }
    let introduction = "Proposed by what the texts have in common; the comments say what each member was learnt from. Change what \
                        you know better, then try it: contentgen-server voice check FILE --voice THIS";
    let file = render(&proposal.voice, introduction, &proposal.evidence);
    text_file::write(options.output.as_deref(), &file)?;
    if let Some(path) = &options.output {
        // Ignore an error: standard error may be closed.
        let _ = writeln!(std::io::stderr().lock(), "{} has the voice, with the evidence for each rule", path.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_the_built_in_voice_and_explains_every_member() {
        let template = template();
        assert_eq!(parse(&template).unwrap(), BrandVoice::default(), "{template}");
        let known: Vec<String> = table(&BrandVoice::default()).keys().cloned().collect();
        let of_database = ["id", "version", "is_default"];
        for member in known.iter().map(String::as_str).chain(["boilerplate", "cta"]) {
            let is_explained = MEMBERS.iter().any(|(explained, _)| *explained == member);
            assert_eq!(is_explained, !of_database.contains(&member), "{member}");
        }
    }
}
