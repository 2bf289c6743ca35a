//! Repairs a draft without a generator: replaces terms, removes pictographs and exclamation marks. Used after the generator's
//! repairs failed.

use crate::domain::voice::{EmojiUse, TermMatcher, VoiceReport, emoji};
use crate::generation::generator::{ArticleBrief, ArticleDraft};

/// Repairs the failed checks of the report that need no generator.
pub(super) fn repair(brief: &ArticleBrief, draft: &ArticleDraft, report: &VoiceReport) -> ArticleDraft {
    let replaced: Vec<(TermMatcher, &str)> = if report.fails("replacements") {
        let pairs = &brief.voice.vocabulary.replace;
        pairs.iter().map(|pair| (TermMatcher::new([pair.from.as_str()]), pair.to.as_str())).collect()
    } else {
        Vec::new()
    };
    let without_emoji = brief.voice.emoji == EmojiUse::None && report.fails("emoji");
    let without_exclamations = report.fails("exclamations");
    let repair_text = |text: &mut String| {
        for (matcher, to) in &replaced {
            *text = matcher.replace_all(text, |found| with_case_of(found, to));
        }
        if without_emoji {
            let mut buffer = [0; 4];
            text.retain(|character| emoji(character.encode_utf8(&mut buffer)).is_none());
        }
        if without_exclamations {
            *text = text.replace(['!', '\u{ff01}'], ".");
        }
    };
    let mut draft = draft.clone();
    for text in [&mut draft.title, &mut draft.excerpt, &mut draft.meta_description, &mut draft.hero_alt] {
        repair_text(text);
    }
    for section in &mut draft.sections {
        repair_text(&mut section.heading);
        repair_text(&mut section.markdown);
    }
    for entry in &mut draft.faq {
        repair_text(&mut entry.question);
        repair_text(&mut entry.answer);
    }
    draft
}

/// Returns `to`, with a capital first letter if `found` has one.
pub(crate) fn with_case_of(found: &str, to: &str) -> String {
    let mut letters = to.chars();
    match (found.chars().next().is_some_and(char::is_uppercase), letters.next()) {
        (true, Some(first)) => first.to_uppercase().chain(letters).collect(),
        _ => to.to_owned(),
    }
}
