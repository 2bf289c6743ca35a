//! The call to action: word for word, near the end, with its one link.

use super::super::manuscript::Manuscript;
use super::super::profile::BrandVoice;
use super::super::report::VoiceCheck;

pub(super) fn cta_present(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> VoiceCheck {
    let Some(cta) = &voice.cta else {
        return VoiceCheck::not_measured("cta_present");
    };
    let wanted = cta.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let body: Vec<String> = manuscript
        .passages
        .iter()
        .map(|passage| passage.text.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let body = body.join("\n");
    let near_end = body.rfind(&wanted).is_some_and(|at| at * 5 >= body.len() * 4);
    let links = cta
        .url
        .as_ref()
        .map(|url| manuscript.passages.iter().flat_map(|passage| &passage.links).filter(|link| *link == url).count());
    let passed = near_end && links.is_none_or(|links| links == 1);
    let place = match (near_end, body.contains(&wanted)) {
        (true, _) => "in the last fifth",
        (false, true) => "too early",
        (false, false) => "missing",
    };
    let observed = links.map_or_else(|| place.to_owned(), |links| format!("{place}, {links} links"));
    VoiceCheck::measured("cta_present", passed, format!("\"{wanted}\" in the last fifth"), observed)
}
