//! `cargo trials crash` runs the real server, kills it, stops it, and takes its database and its disk away. An oracle then checks that
//! nothing is lost and nothing happens twice.

mod cms;
mod command;
pub(crate) mod database;
mod ending;
mod evidence;
mod launch;
mod ledger;
mod ledger_postgres;
mod ledger_sqlite;
mod load;
mod oracle;
mod outcome;
mod proxy;
mod receiver;
mod registration;
mod report;
mod scenario;
mod server;
mod standstill;
mod state;
mod world;

pub(crate) use command::{Arguments, run};
