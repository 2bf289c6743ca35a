//! No `Debug` output shows anything of a person: a walk over every type that can hold it, and a look at the source for those that
//! nobody walked over.

mod declarations;
mod walk;
