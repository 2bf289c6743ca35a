//! `serve`: the faulty server and its control address.

use std::error::Error;
use std::io::Write as _;
use std::sync::Arc;

use serde_json::json;
use tokio::net::TcpListener;

use super::arguments::{Mistake, ServeArguments, fault};
use super::control;
use crate::catalogue::Fault;
use crate::server::{FaultyServer, StartError};

pub(super) async fn serve(arguments: &ServeArguments) -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).init();
    let faults = arguments.faults.iter().map(|name| fault(name)).collect::<Result<Vec<Fault>, Mistake>>()?;
    let server = FaultyServer::listen(&arguments.upstream, &arguments.listen, &arguments.listen_hooks).await?;
    let failed = |source| StartError::Listen { address: arguments.control.clone(), source };
    let listener = TcpListener::bind(&arguments.control).await.map_err(failed)?;
    let token = format!("{:032x}", rand::random::<u128>());
    let control_url = format!("http://{}/{token}", listener.local_addr()?);
    for fault in faults {
        server.enable(fault);
    }
    let hooks_url = arguments.hooks_to.as_deref().map(|target| {
        let endpoint = server.relay().open(target);
        if let Some(secret) = &arguments.hooks_secret {
            server.relay().learn_secret(endpoint.number, secret);
        }
        server.relay().url(&endpoint)
    });
    let mut output = std::io::stdout().lock();
    writeln!(output, "Requests: {}  (forwarded to {} with the enabled faults)", server.base_url(), arguments.upstream)?;
    writeln!(output, "Control:  {control_url}")?;
    if let Some(url) = &hooks_url {
        writeln!(output, "Webhooks: register {url}")?;
    }
    drop(output);
    if let Some(path) = &arguments.ready_file {
        let ready = json!({ "base_url": server.base_url(), "control_url": control_url, "hooks_url": hooks_url });
        std::fs::write(path, ready.to_string())?;
    }
    let app = control::router(Arc::new(server), &token);
    axum::serve(listener, app).with_graceful_shutdown(interrupted()).await?;
    Ok(())
}

/// Waits for an interrupt or a request to end.
pub(super) async fn interrupted() {
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
    }
}
