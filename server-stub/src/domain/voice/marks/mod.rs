//! Places where a text violates rules. `rules` decides if it violates them.

mod finder;
#[cfg(test)]
mod tests;

pub use finder::{Mark, marks};
