//! Metrics as the text format 0.0.4, which every version of Prometheus and every agent reads. The library writes `OpenMetrics`
//! 1.0, which differs in the names of counters' comments and in lines that 0.0.4 does not know.

use std::fmt::Write as _;

use prometheus_client::encoding::text::encode_registry;
use prometheus_client::registry::Registry;

/// The media type of what [`render`] makes.
pub(super) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// All metrics of `registry`.
pub(super) fn render(registry: &Registry) -> String {
    let mut text = String::new();
    encode_registry(&mut text, registry).expect("writing to a string does not fail");
    plain(&text)
}

/// `OpenMetrics` text to 0.0.4: a counter's comments bear the name of its samples, and units go without a comment.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut help = None;
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("# HELP ") {
            // The name depends on the type, which the next line tells.
            help = comment.split_once(' ').map(|(_, words)| words);
        } else if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|comment| comment.split_once(' ')) {
            let suffix = if kind == "counter" { "_total" } else { "" };
            let words = help.take().unwrap_or_default();
            let _ = writeln!(plain, "# HELP {name}{suffix} {words}\n# TYPE {name}{suffix} {kind}");
        } else if !line.starts_with('#') {
            let _ = writeln!(plain, "{line}");
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_described_under_the_name_that_they_have() {
        let open = "# HELP a Counted.\n# TYPE a counter\na_total{b=\"c\"} 3\n\
                    # HELP d_seconds Took.\n# TYPE d_seconds histogram\n# UNIT d_seconds seconds\nd_seconds_sum 1.0\n# EOF\n";
        let expected = "# HELP a_total Counted.\n# TYPE a_total counter\na_total{b=\"c\"} 3\n\
                        # HELP d_seconds Took.\n# TYPE d_seconds histogram\nd_seconds_sum 1.0\n";
        assert_eq!(plain(open), expected);
    }
}
