//! One statement for many runs of a statement: the values of all runs travel as arrays, one for each parameter, and the rows
//! that `unnest` makes of them take the places of the parameters. A server spends several times less on a row than on a
//! statement.

use std::fmt::Write as _;

use tokio_postgres::types::Type;

/// What the rows of values are called; their columns are `p1`, `p2`, … and `number`, which counts the runs from 1.
const RUNS: &str = "run";

/// How a statement is run many times.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Many {
    /// One statement that answers with the number of the run before each row: of what was found, or of what was changed.
    Numbered(String),
    /// One statement that adds one row for each run.
    Added(String),
}

impl Many {
    /// `sql` with `$1`, `$2`, … of these types for any number of runs. `None` for a statement that must be run one by one.
    pub(super) fn of(sql: &str, types: &[Type]) -> Option<Self> {
        let source = source(types);
        let sql = rows_for_parameters(sql.trim());
        match sql.split_whitespace().next()? {
            "SELECT" => Some(Self::Numbered(format!(
                "SELECT {RUNS}.number, found.* FROM {source} CROSS JOIN LATERAL ({sql}) AS found ORDER BY {RUNS}.number"
            ))),
            "UPDATE" => numbered(&sql, "FROM", &source),
            "DELETE" => numbered(&sql, "USING", &source),
            // Rows that meet a conflict could not be told from those that were added.
            "INSERT" if !sql.contains("ON CONFLICT") => {
                let (head, values) = sql.split_once("VALUES (")?;
                let values = values.strip_suffix(')')?;
                Some(Self::Added(format!("{head}SELECT {values} FROM {source} ORDER BY {RUNS}.number")))
            }
            _ => None,
        }
    }
}

/// A statement that changes what its last condition selects.
fn numbered(sql: &str, keyword: &str, source: &str) -> Option<Many> {
    let (head, condition) = sql.rsplit_once("WHERE ")?;
    Some(Many::Numbered(format!("{head}{keyword} {source} WHERE {condition} RETURNING {RUNS}.number")))
}

fn source(types: &[Type]) -> String {
    let list = |item: fn(usize, &Type) -> String| {
        types.iter().enumerate().map(|(index, of)| item(index + 1, of)).collect::<Vec<_>>().join(", ")
    };
    let arrays = list(|number, of| format!("${number}::{}[]", of.name()));
    let columns = list(|number, _| format!("p{number}"));
    format!("unnest({arrays}) WITH ORDINALITY AS {RUNS} ({columns}, number)")
}

fn rows_for_parameters(sql: &str) -> String {
    let mut pieces = sql.split('$');
    let mut replaced = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        write!(replaced, "{RUNS}.p{piece}").expect("writing to a String does not fail");
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_become_columns_of_the_runs() {
        let types = [Type::TEXT, Type::INT8];
        let source = "unnest($1::text[], $2::int8[]) WITH ORDINALITY AS run (p1, p2, number)";
        let numbered = |text: &str| Some(Many::Numbered(text.replace("{source}", source)));
        assert_eq!(
            Many::of("UPDATE a SET b = (SELECT c FROM d WHERE e = 1) + $2 WHERE id = $1", &types),
            numbered(
                "UPDATE a SET b = (SELECT c FROM d WHERE e = 1) + run.p2 FROM {source} WHERE id = run.p1 \
                 RETURNING run.number"
            )
        );
        assert_eq!(
            Many::of("DELETE FROM a WHERE id = $1 AND b = $2", &types),
            numbered("DELETE FROM a USING {source} WHERE id = run.p1 AND b = run.p2 RETURNING run.number")
        );
        assert_eq!(
            Many::of("SELECT a FROM b WHERE c = $1 LIMIT $2", &types),
            numbered(
                "SELECT run.number, found.* FROM {source} CROSS JOIN LATERAL (SELECT a FROM b WHERE c = run.p1 \
                 LIMIT run.p2) AS found ORDER BY run.number"
            )
        );
    }

    #[test]
    fn rows_are_added_in_the_order_of_the_runs_unless_they_may_conflict() {
        let source = "unnest($1::text[]) WITH ORDINALITY AS run (p1, number)";
        assert_eq!(
            Many::of("INSERT INTO a (b, c) VALUES ($1, 'd')", &[Type::TEXT]),
            Some(Many::Added(format!("INSERT INTO a (b, c) SELECT run.p1, 'd' FROM {source} ORDER BY run.number")))
        );
        assert_eq!(Many::of("INSERT INTO a (b) VALUES ($1) ON CONFLICT DO NOTHING", &[Type::TEXT]), None);
    }
}
