//! What the SDK costs: processor time of a call beside the same call by the HTTP client alone, both in one process, and of
//! verifying a hook. `cargo trials bench sdk`. A missed goal is printed and is no error.

mod answers;
mod calls;
mod compare;
mod hook;
mod stopwatch;

/// Calls at the same time in the second half of the measurements.
const CONCURRENCY: usize = 64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Under `cargo test --benches` there is nothing to measure.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let address = answers::serve()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut out = std::io::stdout();
    runtime.block_on(async {
        let sides = calls::Sides::new(address)?;
        for concurrency in [1, CONCURRENCY] {
            compare::run(&mut out, "get_job", concurrency, &sides, calls::raw_get, calls::sdk_get).await?;
            compare::run(&mut out, "generate", concurrency, &sides, calls::raw_generate, calls::sdk_generate).await?;
        }
        Ok::<_, Box<dyn std::error::Error>>(())
    })?;
    hook::run(&mut out)
}
