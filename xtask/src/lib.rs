//! Code that several tasks and other programs of the workspace share: the judge of changes of the API document, the document as a tree, and
//! its edition as OpenAPI 3.1. The tasks themselves are the program.

pub mod compatibility;
pub mod composition;
pub mod node;
pub mod openapi_3_1;
