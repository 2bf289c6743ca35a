//! The reference as the server shows it at `/docs`: one file, built into the server. It is committed, so that building the
//! server needs nothing but its own sources.

use anyhow::Result;

use super::edition::Edition;
use super::layout::Frame;
use super::node::Node;
use super::{navigation, reference};

/// What the source says to whoever opens it in an editor.
const REMARK: &str =
    "@generated from openapi.yaml by `cargo xtask codegen`. Do not edit: change the document and run that command.";

/// The page for the text of a document.
pub(crate) fn served_page(document: &str) -> Result<String> {
    let document = Node::parse(document)?.composed();
    let frame = Frame { title: reference::title(&document), home: Edition::Server.home(), remark: REMARK };
    Ok(frame.page(&navigation::list(&document, &[], ""), &reference::body(&document, Edition::Server)))
}
