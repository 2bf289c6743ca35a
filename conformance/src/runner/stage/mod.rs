//! A run in progress: all requirements in order (`course`), and one requirement (`examination`). `runner::cases` runs its cases.

mod course;
mod examination;

pub(super) use course::Stage;
