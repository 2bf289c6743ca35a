//! Finds the degree of elaboration at which the reading grade of the text is in the profile's window.

use crate::domain::voice::{ReadingGrade, reading_grade, sentences, syllables, words};

/// Degree of elaboration to try first.
const NATURAL: f64 = 0.95;
/// Degrees to try when the grade is too high.
const PLAINER: [f64; 8] = [0.7, 0.5, 0.3, 0.0, -0.2, -0.4, -0.7, -1.0];
/// Degrees to try when the grade is too low.
const MORE_ELABORATE: [f64; 10] = [1.05, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.85, 2.0];
/// Distance from the ends of a window of several grades, so that a changed sentence does not move the grade out of the window.
const MARGIN: f64 = 0.5;

/// Tries degrees until the grade that `write` returns is in the window. Returns the result with the nearest grade if none is.
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

/// Returns the reading grade of all texts together.
pub(super) fn grade<'a>(texts: impl Iterator<Item = &'a str>) -> Option<f64> {
    let (mut word_total, mut sentence_total, mut syllable_total) = (0, 0, 0);
    for text in texts {
        sentence_total += sentences(text).len();
        word_total += words(text).count();
        syllable_total += words(text).map(syllables).sum::<usize>();
    }
    reading_grade(word_total, sentence_total, syllable_total)
}
