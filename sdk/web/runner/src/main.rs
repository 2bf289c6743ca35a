//! The test runner of `wasm-bindgen`, as a program of this workspace: its version is then the one that the tests are compiled
//! with, and the lock file knows all of it.

/// Runs the tests in the file that the first argument names.
fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
