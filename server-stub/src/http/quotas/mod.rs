//! Quotas of keys and addresses: what each has left, in this process and in all that share the database. What a refused caller is
//! told as a problem is in `problem`.

mod charge;
mod leases;
mod request_counter;
#[cfg(test)]
mod tests;
mod window;

pub use charge::Quotas;
