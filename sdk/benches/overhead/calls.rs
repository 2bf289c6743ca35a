//! The same two calls in two ways. The HTTP client alone sends and decodes, and knows neither time limits nor keys for
//! repetition nor a limit of size.

use std::net::SocketAddr;
use std::time::Duration;

use contentgen_sdk::Client;
use contentgen_sdk::types::{Job, QueuedJob};
use serde::Serialize;

const KEY: &str = "cgs_demo_0123456789abcdef0123456789abcdef";
const JOB_ID: &str = "job_01KB0A5B2KZ9Y8X7W6V5T4S3R2";
const TOPIC: &str = "Raised beds for a small garden";
const WEBSITE_ID: &str = "web_01KB0A5B2KZ9Y8X7W6V5T4S3R2";

/// What both ways need.
#[derive(Clone)]
pub(crate) struct Sides {
    base_url: String,
    raw: reqwest::Client,
    sdk: Client,
}

/// The body of a request, as one would write it down without the SDK.
#[derive(Serialize)]
struct Request<'a> {
    topic: &'a str,
    website_id: &'a str,
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

impl Sides {
    pub(crate) fn new(address: SocketAddr) -> Result<Self, Box<dyn std::error::Error>> {
        let base_url = format!("http://{address}");
        let sdk = Client::builder().base_url(base_url.as_str()).api_key(KEY).build()?;
        // The SDK sets its own up alone; the other client asks for the provider of the process, even without TLS.
        drop(rustls::crypto::ring::default_provider().install_default());
        let raw = reqwest::Client::builder().connect_timeout(Duration::from_secs(10)).build()?;
        Ok(Self { base_url, raw, sdk })
    }
}

pub(crate) async fn raw_get(sides: Sides) -> Outcome {
    let url = format!("{}/api/v1/jobs/{JOB_ID}", sides.base_url);
    let answer = sides.raw.get(url).bearer_auth(KEY).send().await?.error_for_status()?;
    let job: Job = serde_json::from_slice(&answer.bytes().await?)?;
    checked(&job.job_id)
}

pub(crate) async fn sdk_get(sides: Sides) -> Outcome {
    checked(&sides.sdk.get_job(JOB_ID).send().await?.job_id)
}

pub(crate) async fn raw_generate(sides: Sides) -> Outcome {
    let body = Request { topic: TOPIC, website_id: WEBSITE_ID };
    let url = format!("{}/api/v1/generate", sides.base_url);
    let answer = sides.raw.post(url).bearer_auth(KEY).json(&body).send().await?.error_for_status()?;
    let queued: QueuedJob = serde_json::from_slice(&answer.bytes().await?)?;
    checked(&queued.job_id)
}

pub(crate) async fn sdk_generate(sides: Sides) -> Outcome {
    checked(&sides.sdk.generate().topic(TOPIC).website_id(WEBSITE_ID).send().await?.job_id)
}

/// Both ways have to come to the same.
fn checked(job_id: &str) -> Outcome {
    if job_id == JOB_ID { Ok(()) } else { Err(format!("an answer about {job_id:?}").into()) }
}
