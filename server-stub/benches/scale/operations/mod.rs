//! The measured operations of the store.

mod operation;
mod reads;
mod subject;
mod writes;

pub(crate) use operation::Operation;
pub(crate) use subject::Subject;
