//! Parses the header `Link` (RFC 8288, section 3).

use super::header_fields::is_token;

/// One link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    /// The reference between `<` and `>`, as written.
    pub(crate) target: String,
    /// The relations, in lower case.
    pub(crate) relations: Vec<String>,
}

/// Returns the links of a value, or `None` if it is malformed.
pub(crate) fn parse(value: &str) -> Option<Vec<Link>> {
    let mut links = Vec::new();
    let mut rest = value.trim_start_matches([' ', '\t', ',']);
    while !rest.is_empty() {
        let (target, behind) = rest.strip_prefix('<')?.split_once('>')?;
        let (relations, behind) = parameters(behind)?;
        links.push(Link { target: target.to_owned(), relations });
        rest = match behind.strip_prefix(',') {
            Some(more) => more.trim_start_matches([' ', '\t', ',']),
            None if behind.is_empty() => behind,
            None => return None,
        };
    }
    Some(links)
}

/// Returns the target of the link with this relation.
pub(crate) fn target(value: &str, relation: &str) -> Option<String> {
    let is_it = |link: &Link| link.relations.iter().any(|known| known == relation);
    parse(value)?.into_iter().find(is_it).map(|link| link.target)
}

/// Returns the relations from the first `rel` parameter, and the text after the parameters.
fn parameters(text: &str) -> Option<(Vec<String>, &str)> {
    let mut relations = None;
    let mut rest = text.trim_start();
    while let Some(behind) = rest.strip_prefix(';') {
        let behind = behind.trim_start();
        let end = behind.find(['=', ';', ',', ' ', '\t']).unwrap_or(behind.len());
        let (name, behind) = behind.split_at(end);
        let behind = behind.trim_start();
        let (value, behind) = match behind.strip_prefix('=') {
            Some(behind) => written(behind.trim_start())?,
            None => (String::new(), behind),
        };
        if !name.is_empty() && !is_token(name) {
            return None;
        }
        if name.eq_ignore_ascii_case("rel") {
            relations.get_or_insert_with(|| value.split_whitespace().map(str::to_ascii_lowercase).collect());
        }
        rest = behind.trim_start();
    }
    Some((relations.unwrap_or_default(), rest))
}

/// Returns a token or a quoted string, and the text after it.
fn written(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ',', ' ', '\t']).unwrap_or(text.len());
        let (token, behind) = text.split_at(end);
        return is_token(token).then(|| (token.to_owned(), behind));
    };
    let (mut value, mut is_escaped) = (String::new(), false);
    for (at, character) in quoted.char_indices() {
        match character {
            _ if is_escaped => {
                value.push(character);
                is_escaped = false;
            }
            '\\' => is_escaped = true,
            '"' => return Some((value, &quoted[at + 1..])),
            _ => value.push(character),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{parse, target};

    #[test]
    fn links_are_told_apart_whatever_stands_in_them() {
        let value = r#"</a?b=c,d;e>; title="x, <y>; rel=\"next\""; rel=prev , </z> ; REL = "last Next" ;hreflang=en"#;
        let links = parse(value).unwrap();
        assert_eq!(links.len(), 2);
        assert_eq!((links[0].target.as_str(), links[0].relations.as_slice()), ("/a?b=c,d;e", &["prev".to_owned()][..]));
        assert_eq!(target(value, "next").as_deref(), Some("/z"));
        assert_eq!(target("</a>; rel=prev; rel=next", "next"), None);
        assert_eq!(parse(""), Some(Vec::new()));
        for broken in ["/a; rel=next", "</a; rel=next", "</a>; rel=\"next", "</a> rel=next", "</a>; rel=a b"] {
            assert_eq!(parse(broken), None, "{broken}");
        }
    }
}
