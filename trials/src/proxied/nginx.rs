//! One nginx with its default limits in front of one server.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

use super::certificate::Certificate;

/// Maximum time until nginx listens.
const PATIENCE: Duration = Duration::from_secs(20);

/// An nginx; killed when this is dropped.
#[derive(Debug)]
pub(super) struct Nginx {
    _child: Child,
}

impl Nginx {
    /// Starts `program` in `folder` and waits until it listens at `address`. Forwards requests below `path` to `server`, with the path
    /// stripped. With a `certificate` it serves HTTPS, and HTTP/2 to clients that support it.
    pub(super) async fn start(
        program: &Path,
        folder: &Path,
        (address, path): (SocketAddr, &str),
        certificate: Option<&Certificate>,
        server: SocketAddr,
    ) -> Result<Self> {
        let file = folder.join("nginx.conf");
        let written = configuration(folder, (address, path), certificate, server);
        std::fs::write(&file, written).context("nginx.conf cannot be written")?;
        let mut child = Command::new(program)
            .arg("-c")
            .arg(&file)
            .arg("-e")
            .arg(folder.join("nginx.log"))
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("{} cannot be run; apt-get install nginx-light", program.display()))?;
        let given_up_at = Instant::now() + PATIENCE;
        while TcpStream::connect(address).await.is_err() {
            if let Some(status) = child.try_wait()? {
                bail!("nginx ended with {status}: {}", std::fs::read_to_string(folder.join("nginx.log"))?.trim());
            }
            if Instant::now() > given_up_at {
                bail!("nginx did not listen after {} s", PATIENCE.as_secs());
            }
            sleep(Duration::from_millis(20)).await;
        }
        Ok(Self { _child: child })
    }
}

/// Returns a configuration with only `proxy_pass` and folders for files that nginx may write. It runs one process: killing that one leaves
/// no others behind, and the process owns those files.
fn configuration(
    folder: &Path,
    (address, path): (SocketAddr, &str),
    certificate: Option<&Certificate>,
    server: SocketAddr,
) -> String {
    let tls = certificate.map_or_else(String::new, |Certificate { file, key }| {
        format!("    ssl_certificate {};\n    ssl_certificate_key {};\n", file.display(), key.display())
    });
    let listen = if certificate.is_some() { format!("{address} ssl http2") } else { address.to_string() };
    let folder = folder.display();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("  {kind}_temp_path {folder}/{kind};\n"))
        .concat();
    format!(
        "daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nevents {{}}\nhttp {{\n  access_log off;\n{temporary}  \
         server {{\n    listen {listen};\n{tls}    location {path}/ {{ proxy_pass http://{server}{target}; }}\n  }}\n}}\n",
        target = if path.is_empty() { "" } else { "/" },
    )
}
