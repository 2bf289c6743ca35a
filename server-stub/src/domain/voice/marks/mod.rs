//! Where a text breaks the rules that have a place. Whether it breaks them is decided in `rules`.

mod finder;
#[cfg(test)]
mod tests;

pub use finder::{Mark, marks};
