//! Decides how many deliveries to one webhook endpoint may be in flight.

use std::collections::HashMap;

/// Limits of deliveries in flight.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndpointCapacity {
    /// Maximum number of deliveries in flight to an endpoint.
    pub per_endpoint: u32,
    /// Endpoints that currently have a lower limit, with the number of deliveries that may be added. 0 claims no delivery.
    pub reduced: HashMap<String, u32>,
}

impl EndpointCapacity {
    /// Returns a capacity with the same limit for every endpoint.
    pub fn at_most(per_endpoint: u32) -> Self {
        Self { per_endpoint, reduced: HashMap::new() }
    }

    /// Returns the number of deliveries that may be added for the endpoint while `in_flight` are in flight. A failing endpoint gets
    /// one at a time.
    pub fn free(&self, endpoint_id: &str, in_flight: u32, is_failing: bool) -> u32 {
        let at_most = if is_failing { self.per_endpoint.min(1) } else { self.per_endpoint };
        let free = at_most.saturating_sub(in_flight);
        self.reduced.get(endpoint_id).map_or(free, |reduced| free.min(*reduced))
    }
}
