//! The clocks that read the machine's time. Other modules receive one as a [`Clock`](crate::domain::clock::Clock).

mod slewed;
mod system;

pub use slewed::SlewedClock;
pub use system::SystemClock;
