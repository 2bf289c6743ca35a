//! The people who manage an account: signing in, sessions, passwords, and who they are.

mod manage_users;
mod password_hasher;
mod sessions;
mod sign_in;

pub use password_hasher::PasswordHasher;
pub use sign_in::{NewSession, SignInError, Visitor};
