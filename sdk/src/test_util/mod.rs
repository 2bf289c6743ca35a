//! For the tests of an application (feature `test-util`): a stand-in for the service, sample answers, and signed hooks.
//!
//! ```
//! # async fn example() -> Result<(), contentgen_sdk::Error> {
//! use contentgen_sdk::test_util::{MockService, sample};
//! use contentgen_sdk::types::{GenerateRequest, JobStatus};
//!
//! let service = MockService::start().await;
//! service.queues("job_1");
//! service.has_job(&sample::job("job_1", JobStatus::Completed));
//! let mut article = sample::article("art_job_1");
//! article.title = Some("Raised Beds".to_owned());
//! service.has_article(&article);
//!
//! let request = GenerateRequest::builder().topic("Raised beds").website_id("web_1");
//! let read = service.client().generate_and_wait(request).await?;
//! assert_eq!(read.title.as_deref(), Some("Raised Beds"));
//! assert_eq!(service.calls_of("generate").await, 1);
//! # Ok(())
//! # }
//! # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(example()).unwrap();
//! ```
//!
//! The samples are values of [`types`](crate::types): set what a test is about, leave the rest. The mock is
//! [wiremock](https://docs.rs/wiremock)'s, so that anything else can be mounted on [`MockService::server`].

mod answers;
mod operation;
pub mod sample;
mod service;
mod signer;

pub use service::MockService;
pub use signer::{HookSigner, SignedHook};
