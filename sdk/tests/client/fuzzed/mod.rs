//! The bodies of the fuzz targets in `sdk/fuzz`, as properties: they run on the stable compiler and cannot fall behind.

mod event;
mod properties;
mod verifier;
