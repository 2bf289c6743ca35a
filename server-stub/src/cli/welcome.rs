//! What `serve` prints once it is ready: for the demonstration everything a newcomer needs to try it.

use std::fmt::Write as _;

use crate::demo::DemoAccount;
use crate::server::Running;
use crate::storage;

/// The text; empty for a process without an API.
pub(super) fn text(running: &Running) -> String {
    let Some(base_url) = running.base_url() else { return String::new() };
    let mut text = format!(
        "Listening on {base_url}
API reference: {}
",
        running.public_url().absolute("/docs")
    );
    if let Some(url) = running.dashboard_url() {
        let _ = writeln!(text, "Dashboard: {url}");
    }
    if let [first, ..] = running.accounts() {
        text.push_str(&demonstration(running, base_url, first));
    }
    text
}

fn demonstration(running: &Running, base_url: &str, first: &DemoAccount) -> String {
    let mut text = String::new();
    for account in running.accounts() {
        let DemoAccount { name, api_key, limited_api_key, narrow_api_key, website_id, .. } = account;
        let sign_in = running.sign_in_url(account).map(|url| format!("  sign in, once  {url}\n")).unwrap_or_default();
        let site = running.public_url().absolute(&format!("/sites/{website_id}"));
        let _ = write!(
            text,
            "\nAccount {name}\n{sign_in}  website        {website_id}\n  key            {api_key}\n  key, small quota {limited_api_key}\n  key, articles only {narrow_api_key}\n  hosted site    {site}\n"
        );
    }
    let DemoAccount { name, api_key, website_id, .. } = first;
    let (program, database) = (program(), storage::shown(running.database()));
    let _ = write!(
        text,
        r#"
Try it:

  export CONTENTGEN_BASE_URL={base_url}
  export CONTENTGEN_API_KEY={api_key}
  export CONTENTGEN_WEBSITE_ID={website_id}

  # queue an article
  curl -sS "$CONTENTGEN_BASE_URL/api/v1/generate" -H "Authorization: Bearer $CONTENTGEN_API_KEY" \
    -H 'Content-Type: application/json' \
    -d '{{"topic": "Keeping a rye starter alive through winter", "website_id": "{website_id}"}}'

  # watch the job (put the job_id of the answer here), then read the article by the same id
  curl -sS "$CONTENTGEN_BASE_URL/api/v1/jobs/JOB_ID" -H "Authorization: Bearer $CONTENTGEN_API_KEY" -H 'Prefer: wait=30'
  curl -sS "$CONTENTGEN_BASE_URL/api/v1/articles/JOB_ID" -H "Authorization: Bearer $CONTENTGEN_API_KEY"

  # be told when it is published and when a lead comes in; prints the secret that signs the hooks
  {program} hook create --database {database} --account {name} --url http://127.0.0.1:9000/hooks

Stop with Ctrl-C.
"#
    );
    text
}

/// This program as it was started, so that the commands that are shown can be pasted.
fn program() -> String {
    std::env::args().next().unwrap_or_else(|| "contentgen-server".to_owned())
}
