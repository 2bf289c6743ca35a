//! Users of an account: signing in, sessions and passwords.

mod manage_users;
mod password_hasher;
mod sign_in;

pub use password_hasher::PasswordHasher;
pub use sign_in::{NewSession, SignInError, Visitor};
