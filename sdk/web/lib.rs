//! Nothing: the tests in `tests` are what this crate is for. `.ci/web` compiles them for `wasm32-unknown-unknown` and runs them
//! in Node.js against a demonstration server.
