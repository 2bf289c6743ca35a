//! Memory of faults between requests, and of everything that passed through the proxy.

mod enabled;
mod slots;
mod world;

pub use enabled::Enabled;
pub use slots::Memory;
pub use world::World;
