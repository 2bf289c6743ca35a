//! The server beside `FastAPI` with uvicorn, which `--peer` asks for. The peer's script and the versions
//! of its packages lie here, too.

mod comparison;
mod environment;
mod processes;

pub(crate) use comparison::{NAME, measure};
