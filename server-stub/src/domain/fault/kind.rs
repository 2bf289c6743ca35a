//! What a switch is: its name, what it does wrong, and what must notice it.

/// What is expected of a server with the switch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It breaks the contract: one of these requirements must fail.
    Broken(&'static [&'static str]),
    /// It breaks the contract where no exchange shows it, for this reason.
    Unobservable(&'static str),
    /// It keeps the contract in this profile: every requirement must hold.
    Benign(Profile),
}

/// What a benign variant still keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// The documented facts.
    Core,
    /// The whole document.
    Full,
}

/// One switch.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// `area.what`, never reused.
    pub name: &'static str,
    /// The part of the contract that it is about.
    pub area: &'static str,
    /// What the server does, in one sentence.
    pub description: &'static str,
    /// What is expected of the suite.
    pub kind: Kind,
}
