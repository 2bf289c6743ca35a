//! The edition of the document as OpenAPI 3.1, for tools that read no extensions: real `webhooks`, scopes in `security`, and schemas of
//! JSON Schema 2020-12. It has the same content as `openapi.yaml`, which stays OpenAPI 3.0.3.

mod document;
mod schema;

pub use document::openapi_3_1;
