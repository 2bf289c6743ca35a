//! The people who manage an account: signing in, sessions, passwords, and who they are.

mod members;
mod password;
mod sessions;
mod sign_in;

pub use password::PasswordHasher;
pub use sign_in::{NewSession, SignInError, Visitor};
