//! A run that has begun: the requirements in their order (`course`), and one of them (`examination`). The cases of one are run in
//! `runner::cases`.

mod course;
mod examination;

pub(super) use course::Stage;
