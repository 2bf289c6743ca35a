//! `badge.svg`: the verdict in one line, without fonts or images from elsewhere.

use super::model::{Conclusion, Report};
use super::verdict::{CORE, features_line};

/// Width of an average letter and padding of a text, in pixels.
const LETTER: usize = 7;
const MARGIN: usize = 10;

/// Renders the badge.
pub(super) fn render(report: &Report) -> String {
    let left = format!("content generation API, {}", report.profile);
    let (right, colour) = match report.conclusion {
        Conclusion::Conformant => (format!("conformant{}", features(report)), "#1a7f37"),
        Conclusion::PartiallyConformant => (format!("partially conformant{}", features(report)), "#8a6100"),
        Conclusion::NotConformant => (format!("not conformant, {} broken", report.summary.failed), "#c0262d"),
        Conclusion::SetUpFailed => ("set-up failed".to_owned(), "#57606a"),
        Conclusion::NothingRan => ("nothing checked".to_owned(), "#57606a"),
    };
    let detail = features_line(&report.features);
    let (left_width, right_width) = (width(&left), width(&right));
    let whole = left_width + right_width;
    let (left_at, right_at) = (left_width / 2, left_width + right_width / 2);
    let (left_text, right_text) = (left_width - 2 * MARGIN, right_width - 2 * MARGIN);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="24" viewBox="0 0 {whole} 24" role="img" aria-label="{left}: {right}">
  <title>{left}: {right} ({detail})</title>
  <clipPath id="corners"><rect width="{whole}" height="24" rx="4"/></clipPath>
  <g clip-path="url(#corners)">
    <rect width="{left_width}" height="24" fill="#32383f"/>
    <rect x="{left_width}" width="{right_width}" height="24" fill="{colour}"/>
  </g>
  <g fill="#ffffff" text-anchor="middle" font-family="Verdana, 'DejaVu Sans', sans-serif" font-size="12">
    <text x="{left_at}" y="16" textLength="{left_text}" lengthAdjust="spacingAndGlyphs">{left}</text>
    <text x="{right_at}" y="16" textLength="{right_text}" lengthAdjust="spacingAndGlyphs">{right}</text>
  </g>
</svg>
"##
    )
}

/// Returns the number of checked features in addition to `core`; nothing in the core profile.
fn features(report: &Report) -> String {
    let others: Vec<_> = report.features.iter().filter(|feature| feature.name != CORE).collect();
    let checked = others.iter().filter(|feature| feature.applicable > 0).count();
    if others.is_empty() { String::new() } else { format!(", core and {checked} of {} features", others.len()) }
}

fn width(text: &str) -> usize {
    text.chars().count() * LETTER + 2 * MARGIN
}
