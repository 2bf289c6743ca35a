//! The reference as the server shows it at `/docs`: one file, built into the server. It is committed, so that building the
//! server needs nothing but its own sources.

use anyhow::Result;

use super::edition::Edition;
use super::layout::Frame;
use super::node::Node;
use super::operation::Server;
use super::{navigation, reference};

/// Shell variable with the address of the server.
pub(super) const BASE_URL: &str = "$CONTENTGEN_BASE_URL";
/// Responses of the reference server to the commands of the reference. A test of the examples records them.
pub(super) const RECORDED: &str = include_str!("../../../docs/samples/responses.json");
/// Commands of `contentgen` for the operations. A test of the command line runs them.
pub(super) const COMMANDS: &str = include_str!("../../../docs/samples/contentgen.json");

/// A remark for people who open the source in an editor.
const REMARK: &str =
    "@generated from openapi.yaml by `cargo xtask codegen`. Do not edit: change the document and run that command.";

/// The page for the text of a document.
pub(crate) fn served_page(document: &str) -> Result<String> {
    let document = Node::parse(document)?.composed();
    let title = reference::title(&document);
    let frame = Frame { title, brand: title, search_index: "", home: Edition::Server.home(), remark: REMARK };
    let server = Server { base_url: BASE_URL, recorded: &Node::parse(RECORDED)?, commands: &Node::parse(COMMANDS)? };
    Ok(frame.page(&navigation::list(&document, &[], ""), &reference::body(&document, title, Edition::Server, &server)))
}
