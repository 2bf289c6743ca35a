//! How elaborate the text has to be so that its reading grade lies in the profile's window.

use crate::domain::voice::{ReadingGrade, reading_grade, sentences, syllables, words};

/// The degree of elaboration to try first.
const NATURAL: f64 = 0.95;
/// Degrees to try when the grade is too high.
const PLAINER: [f64; 8] = [0.7, 0.5, 0.3, 0.0, -0.2, -0.4, -0.7, -1.0];
/// Degrees to try when the grade is too low.
const MORE_ELABORATE: [f64; 10] = [1.05, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.85, 2.0];
/// How far inside a window of several grades the text shall be, so that a changed sentence does not bring it out.
const MARGIN: f64 = 0.5;

/// Tries degrees until the grade of what `write` returns lies in the window; gives the nearest where none does.
pub(super) fn fit_reading_grade<T>(window: ReadingGrade, write: impl Fn(f64) -> (T, Option<f64>)) -> T {
    let margin = if window.max > window.min + 1 { MARGIN } else { 0.0 };
    let (least, most) = (f64::from(window.min) + margin, f64::from(window.max) - margin);
    let miss = |grade: Option<f64>| grade.map_or(0.0, |grade| (least - grade).max(grade - most).max(0.0));
    let (mut best, grade) = write(NATURAL);
    let mut smallest = miss(grade);
    let steps = if grade.is_some_and(|grade| grade > most) { &PLAINER[..] } else { &MORE_ELABORATE[..] };
    for degree in steps {
        if smallest <= 0.0 {
            break;
        }
        let (written, grade) = write(*degree);
        if miss(grade) < smallest {
            smallest = miss(grade);
            best = written;
        }
    }
    best
}

/// The reading grade of texts together.
pub(super) fn grade<'a>(texts: impl Iterator<Item = &'a str>) -> Option<f64> {
    let (mut word_total, mut sentence_total, mut syllable_total) = (0, 0, 0);
    for text in texts {
        sentence_total += sentences(text).len();
        word_total += words(text).count();
        syllable_total += words(text).map(syllables).sum::<usize>();
    }
    reading_grade(word_total, sentence_total, syllable_total)
}
