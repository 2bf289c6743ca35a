//! Fuzz targets of `sdk/fuzz`, run as properties: they compile with the stable compiler in every test run.

mod event;
mod properties;
mod verifier;
