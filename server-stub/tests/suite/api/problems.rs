//! The server's table of problems equals the document's.

use std::collections::BTreeSet;

use contentgen_server_stub::http::Code;

use super::contract::DOCUMENT;

#[test]
fn codes_statuses_titles_and_types_are_the_documents() {
    let table = DOCUMENT["x-problem-codes"].as_object().unwrap();
    let documented: BTreeSet<_> = table
        .iter()
        .map(|(code, row)| {
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            (code.clone(), u16::try_from(row["status"].as_u64().unwrap()).unwrap(), text("title"), text("type"))
        })
        .collect();
    let served: BTreeSet<_> = Code::ALL
        .into_iter()
        .map(|code| {
            let (name, status, title) = code.row();
            (name.to_owned(), status.as_u16(), title.to_owned(), code.type_uri().into_owned())
        })
        .collect();
    assert_eq!(served, documented);
}
