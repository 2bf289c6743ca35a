//! Reads and changes the query of a list as pairs.

use super::request::Request;

impl Request {
    /// Returns names and values of the query, decoded, in their order.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let query = self.query.as_deref().unwrap_or_default();
        url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
    }

    /// Returns the first value of a parameter, decoded.
    pub fn parameter(&self, name: &str) -> Option<String> {
        self.parameters().into_iter().find(|(found, _)| found == name).map(|(_, value)| value)
    }

    /// Replaces the query. Removes it if there are no pairs.
    pub fn set_parameters(&mut self, pairs: &[(String, String)]) {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(pairs);
        self.query = Some(query.finish()).filter(|query| !query.is_empty());
    }

    /// Sets a parameter, at its current place or else at the end.
    pub fn set_parameter(&mut self, name: &str, value: &str) {
        let mut pairs = self.parameters();
        match pairs.iter_mut().find(|(found, _)| found == name) {
            Some(pair) => value.clone_into(&mut pair.1),
            None => pairs.push((name.to_owned(), value.to_owned())),
        }
        self.set_parameters(&pairs);
    }

    /// Removes every occurrence of a parameter.
    pub fn remove_parameter(&mut self, name: &str) {
        let mut pairs = self.parameters();
        let before = pairs.len();
        pairs.retain(|(found, _)| found != name);
        if pairs.len() < before {
            self.set_parameters(&pairs);
        }
    }
}
