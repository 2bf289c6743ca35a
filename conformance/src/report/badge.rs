//! `badge.svg`: the verdict in one line, without fonts or images from elsewhere.
//!
//! What led to it is told by the other reports.

use super::model::{Conclusion, Report};

/// Width of an average letter and the room beside a text, in pixels.
const LETTER: usize = 7;
const MARGIN: usize = 10;

/// The badge.
pub(super) fn render(report: &Report) -> String {
    let left = format!("content generation API, {}", report.profile);
    let (right, colour) = match report.conclusion {
        Conclusion::Conformant => ("conformant".to_owned(), "#1a7f37"),
        Conclusion::PartiallyConformant => ("partially conformant".to_owned(), "#8a6100"),
        Conclusion::NotConformant => (format!("not conformant, {} broken", report.summary.failed), "#c0262d"),
        Conclusion::SetUpFailed => ("set-up failed".to_owned(), "#57606a"),
        Conclusion::NothingRan => ("nothing checked".to_owned(), "#57606a"),
    };
    let (left_width, right_width) = (width(&left), width(&right));
    let whole = left_width + right_width;
    let (left_at, right_at) = (left_width / 2, left_width + right_width / 2);
    let (left_text, right_text) = (left_width - 2 * MARGIN, right_width - 2 * MARGIN);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="24" viewBox="0 0 {whole} 24" role="img" aria-label="{left}: {right}">
  <title>{left}: {right}</title>
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

fn width(text: &str) -> usize {
    text.chars().count() * LETTER + 2 * MARGIN
}
