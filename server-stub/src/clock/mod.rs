//! The clocks that read the machine's time. Whoever needs the time is handed one as [`Clock`](crate::domain::clock::Clock).

mod slewed;
mod system;

pub use slewed::SlewedClock;
pub use system::SystemClock;
