//! Articles published outside the hosted site: as files, and by requests to a customer's system.

mod directory;
mod push;
mod settings;
mod world;
