//! The measured number of requests of each requirement, by quota.

/// A line for each requirement and quota: the number of requests of so many cases to the reference server (`cargo trials costs`).
pub(super) const MEASURED: &str = include_str!("costs.csv");

#[cfg(test)]
mod tests {
    use super::MEASURED;
    use crate::requirements::catalogue;

    #[test]
    fn what_is_measured_names_requirements_that_are_there() {
        let catalogue = catalogue();
        assert!(MEASURED.lines().count() > 100);
        for line in MEASURED.lines().skip(1) {
            let named = line.split(',').next().unwrap_or_default();
            assert!(catalogue.iter().any(|requirement| requirement.id == named), "{named} is gone: cargo trials costs");
        }
    }
}
