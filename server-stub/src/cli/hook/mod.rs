//! `hook`: the commands about hook endpoints and their deliveries. Their options are in `config`.

mod commands;
mod lists;

pub(super) use commands::run;
