//! The server beside `FastAPI` with uvicorn, for `--peer`. The folder also contains the peer's script and the versions of its packages.

mod comparison;
mod environment;
mod processes;

pub(crate) use comparison::{NAME, measure};
