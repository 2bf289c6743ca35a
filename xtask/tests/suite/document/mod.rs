//! Checks that `openapi.yaml` is complete and consistent: every example fits its schema, every part has a description, an example and its
//! provenance, marks for clients are consistent, and the table of problems agrees with the responses.

mod bounds;
mod completeness;
mod editions;
mod examples;
mod links;
mod marks;
mod problems;
mod references;
mod scopes;
mod source;
