//! How elaborate the text has to be so that its reading grade lies in the profile's window.

use crate::domain::voice::ReadingGrade;

/// The degree of elaboration to try first.
const NATURAL: f64 = 0.95;
/// Degrees to try when the grade is too high.
const PLAINER: [f64; 9] = [0.6, 0.3, 0.1, -0.1, -0.3, -0.5, -0.7, -1.0, -1.3];
/// Degrees to try when the grade is too low.
const MORE_ELABORATE: [f64; 9] = [1.06, 1.12, 1.2, 1.3, 1.45, 1.6, 1.75, 1.9, 2.0];
/// How far outside the window a grade still counts as inside; the voice's own rule allows half a grade.
const GRADE_TOLERANCE: f64 = 0.25;

/// Tries degrees until the grade of what `write` returns lies in the window; gives the nearest where none does.
pub(super) fn fit_reading_grade<T>(window: ReadingGrade, write: impl Fn(f64) -> (T, Option<f64>)) -> T {
    let (least, most) = (f64::from(window.min), f64::from(window.max));
    let miss = |grade: Option<f64>| {
        grade.map_or(0.0, |grade| (least - GRADE_TOLERANCE - grade).max(grade - most - GRADE_TOLERANCE).max(0.0))
    };
    let (mut best, grade) = write(NATURAL);
    let mut smallest = miss(grade);
    let steps = if grade.is_some_and(|grade| grade > most) { PLAINER } else { MORE_ELABORATE };
    for degree in steps {
        if smallest <= 0.0 {
            break;
        }
        let (written, grade) = write(degree);
        if miss(grade) < smallest {
            smallest = miss(grade);
            best = written;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_degree_inside_the_window_is_taken() {
        let write = |degree: f64| (degree, Some(degree * 4.0 + 6.0));
        assert!((fit_reading_grade(ReadingGrade { min: 5, max: 12 }, write) - NATURAL).abs() < f64::EPSILON);
        assert!(fit_reading_grade(ReadingGrade { min: 2, max: 5 }, write) < 0.0);
        assert!(fit_reading_grade(ReadingGrade { min: 12, max: 14 }, write) > 1.4);
        assert!((fit_reading_grade(ReadingGrade { min: 18, max: 18 }, write) - 2.0).abs() < f64::EPSILON);
    }
}
