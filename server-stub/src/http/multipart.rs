//! Reads a form that is sent as `multipart/form-data` (RFC 7578). The meaning of its names is in `app`.

use std::convert::Infallible;

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use multer::{Field, Multipart};

use super::problem::{Code, Problem};
use crate::app::LeadSubmission;

/// Maximum number of parts of a form (`capture_parts` under `x-limits`).
const MAX_PARTS: usize = 100;

/// Names with their texts, and names of fields with a file.
type Fields = (Vec<(String, String)>, Vec<String>);

/// Returns the lead in `body`; the caller has checked its size. Ignores parts beyond the limit.
pub(super) async fn read(headers: &HeaderMap, body: Bytes) -> Result<LeadSubmission, Problem> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let boundary = multer::parse_boundary(content_type)
        .map_err(|_| Problem::invalid_header("Content-Type", "must name the boundary of the parts"))?;
    let whole = futures::stream::iter([Ok::<_, Infallible>(body)]);
    let mut parts = Multipart::new(whole, boundary);
    let mut fields = Fields::default();
    let (mut count, mut has_more) = (0, false);
    while let Some(part) = parts.next_field().await.map_err(|_| malformed())? {
        has_more = count == MAX_PARTS;
        if has_more {
            break;
        }
        read_part(part, &mut fields).await?;
        count += 1;
    }
    let (texts, files) = fields;
    let lead = LeadSubmission::from_form(texts).with_files(files);
    Ok(if has_more { lead.with_too_many_parts(MAX_PARTS) } else { lead })
}

async fn read_part(part: Field<'_>, (texts, files): &mut Fields) -> Result<(), Problem> {
    let name = part.name().ok_or_else(malformed)?.to_owned();
    if part.file_name().is_none() {
        texts.push((name, part.text().await.map_err(|_| malformed())?));
    } else if !part.bytes().await.map_err(|_| malformed())?.is_empty() {
        files.push(name);
    }
    Ok(())
}

fn malformed() -> Problem {
    Problem::new(Code::InvalidHeader, "The body is not a form with the boundary that Content-Type names.")
}
