//! What a fault must remember from one request to the next, and what passed through the edge so far.

mod enabled;
mod slots;
mod world;

pub use enabled::Enabled;
pub use slots::Memory;
pub use world::World;
