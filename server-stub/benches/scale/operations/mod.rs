//! What is measured: the ways of the service through its store.

mod operation;
mod reads;
mod subject;
mod writes;

pub(crate) use operation::Operation;
pub(crate) use subject::Subject;
