//! Point of view, from the pronouns.

use super::super::profile::{BrandVoice, PointOfView};
use super::super::rules::{Pronouns, count_pronouns_in, keeps_point_of_view};
use super::super::supported_language::SupportedLanguage;
use super::corpus::Corpus;

pub(super) fn point_of_view(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    if SupportedLanguage::of(corpus.language).is_none() {
        return vec!["Not learnt: the rule does not know the pronouns of this language.".to_owned()];
    }
    let counts = pronouns(corpus);
    let mut candidates = [
        (counts.second, PointOfView::SecondPerson, "\"you\" is addressed"),
        (counts.plural, PointOfView::FirstPersonPlural, "\"we\" advise, and nobody says \"I\""),
        (counts.singular, PointOfView::FirstPersonSingular, "\"I\" advise"),
    ];
    candidates.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    let nobody = [(0, PointOfView::ThirdPerson, "nobody speaks and nobody is addressed")];
    let holds_everywhere = |point: PointOfView| {
        let voice = BrandVoice { point_of_view: point, ..voice.clone() };
        corpus.manuscripts().all(|text| keeps_point_of_view(&voice, text))
    };
    let found = nobody.into_iter().chain(candidates).find(|(_, point, _)| holds_everywhere(*point));
    let seen = format!("I {}, we {}, you {}, with their other forms", counts.singular, counts.plural, counts.second);
    match found {
        Some((_, point, what)) => {
            voice.point_of_view = point;
            vec![format!("{seen}: in every text {what}.")]
        }
        None => vec![format!("{seen}: no rule holds in every text.")],
    }
}

/// Returns the pronoun counts of all texts; zero if the language is not supported.
pub(super) fn pronouns(corpus: &Corpus<'_>) -> Pronouns {
    let Some(language) = SupportedLanguage::of(corpus.language) else { return Pronouns::default() };
    corpus.lines.iter().fold(Pronouns::default(), |mut counts, line| {
        let found = count_pronouns_in(language, line);
        counts.singular += found.singular;
        counts.plural += found.plural;
        counts.second += found.second;
        counts
    })
}
