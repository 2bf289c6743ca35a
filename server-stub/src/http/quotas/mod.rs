//! Quotas of keys and addresses: the remaining requests, in this process and in all processes that share the database.
//! `problem` describes an exceeded quota.

mod charge;
mod leases;
mod request_counter;
#[cfg(test)]
mod tests;
mod window;

pub use charge::Quotas;
