//! The signals that ask a command to end.

/// Returns once this process is asked to end: by Ctrl-C, or on Unix by SIGTERM, as a CI does that cancels a job.
pub(super) async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminated.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    // Where no signal can be listened for, the system's own way of ending a process holds.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
