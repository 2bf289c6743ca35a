//! From schemas to cases: valid values, boundary values, single breakages, malformed bytes, sequences.

mod alternatives;
mod boundary;
mod breakage;
mod draw;
mod list;
mod malformed;
mod parameter;
mod pattern;
mod sequence;
mod space;
mod text;
mod value;

pub use boundary::{boundaries, edges_of_properties};
pub use breakage::{Breakage, breakages};
pub use draw::{Draw, case_seed};
pub use malformed::{Malformed, malformed_bodies};
pub use parameter::ParameterKind;
pub use sequence::{BODIES, CLOSINGS, KEYS, Step, Turn, sequences};
pub use space::Space;
pub use text::{hostile_id, text};
pub use value::{Overrides, valid};
