//! No `Debug` output shows personal data. One test checks every type that can contain it, and another searches the source for types that
//! the first test misses.

mod declarations;
mod walk;
