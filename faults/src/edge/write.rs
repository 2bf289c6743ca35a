//! Converts a response for the wire.

use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt as _};
use http::Method;
use http::header::{CONNECTION, CONTENT_LENGTH, HeaderValue};
use http_body_util::StreamBody;
use hyper::body::Frame;

use crate::message::{BodyForm, Response};

/// Error that ends a body early.
#[derive(Debug, thiserror::Error)]
#[error("the fault cuts the body")]
pub(super) struct Cut;

pub(super) type Body = StreamBody<BoxStream<'static, Result<Frame<Bytes>, Cut>>>;

/// Returns the response with its requested length and chunks. A response to `HEAD` keeps its Content-Length.
pub(super) fn write(response: Response, method: &Method) -> hyper::Response<Body> {
    let has_no_body = *method == Method::HEAD || matches!(response.status, 100..=199 | 204 | 304);
    let status = response.status_code();
    let Response { mut headers, body, form, closes, .. } = response;
    if !has_no_body {
        headers.remove(CONTENT_LENGTH);
        if !matches!(form, BodyForm::Chunks(_)) {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        }
    } else if *method != Method::HEAD {
        headers.remove(CONTENT_LENGTH);
    }
    if closes {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let body = if has_no_body { Bytes::new() } else { body };
    let mut answer = hyper::Response::new(StreamBody::new(pieces(body, form)));
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    answer
}

fn pieces(body: Bytes, form: BodyForm) -> BoxStream<'static, Result<Frame<Bytes>, Cut>> {
    let frame = |bytes: Bytes| Ok(Frame::data(bytes));
    match form {
        BodyForm::Whole => stream::iter((!body.is_empty()).then(|| frame(body))).boxed(),
        BodyForm::Chunks(size) => {
            let chunks: Vec<Bytes> = body.chunks(size.max(1)).map(Bytes::copy_from_slice).collect();
            stream::iter(chunks).map(frame).boxed()
        }
        BodyForm::CutAfter(length) => {
            let begin = body.slice(..length.min(body.len()));
            stream::iter([frame(begin), Err(Cut)]).boxed()
        }
        BodyForm::StallAfter(length) => {
            let begin = body.slice(..length.min(body.len()));
            stream::iter([frame(begin)]).chain(stream::pending()).boxed()
        }
    }
}
