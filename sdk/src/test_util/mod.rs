//! For the tests of an application (feature `test-util`): a mock service, sample responses, and signed hooks.
//!
//! ```
//! # async fn example() -> Result<(), contentgen_sdk::Error> {
//! use contentgen_sdk::test_util::{MockService, sample};
//! use contentgen_sdk::types::{GenerateRequest, JobStatus};
//!
//! let service = MockService::start().await;
//! service.set_queued_job("job_1");
//! service.add_job(&sample::job("job_1", JobStatus::Completed));
//! let mut article = sample::article("art_job_1");
//! article.title = Some("Raised Beds".to_owned());
//! service.add_article(&article);
//!
//! let request = GenerateRequest::new().topic("Raised beds").website_id("web_1");
//! let read = service.client().generate_and_wait(request).await?;
//! assert_eq!(read.title.as_deref(), Some("Raised Beds"));
//! assert_eq!(service.calls_of("generate").await, 1);
//! # Ok(())
//! # }
//! # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(example()).unwrap();
//! ```
//!
//! The samples are values of [`types`](crate::types): set the fields that a test is about, and leave the rest. [`MockService::respond`]
//! takes any other response, and [`MockService::requests`] returns the received requests.

mod answers;
mod operation;
mod response;
pub mod sample;
mod service;
mod signer;

pub use response::{MockResponse, ReceivedRequest};
pub use service::MockService;
pub use signer::{HookSigner, SignedHook};
