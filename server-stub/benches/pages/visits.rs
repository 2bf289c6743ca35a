//! Pages that the bench requests. Each has several addresses, so that requests read different rows.

use contentgen_server_stub::domain::id::Kind;

use crate::population::Population;

/// Pages by name, with their addresses.
pub(crate) struct Visits(Vec<(&'static str, Vec<String>)>);

impl Visits {
    /// Returns the pages of the only account.
    pub(crate) fn of(population: &Population) -> Self {
        let owner = &population.owners[0];
        let [busy, quiet] = &owner.websites;
        let endpoint = &owner.endpoint_ids[0];
        let some = |kind: Kind, count: u64| -> Vec<String> {
            (0..20).map(|step| population.id(kind, count / 40 + step * count / 25)).collect()
        };
        let each = |ids: Vec<String>, path: &str| ids.into_iter().map(|id| path.replace("{id}", &id)).collect();
        let one = |path: &str| vec![path.to_owned()];
        let (size, deliveries) = (population.size, 2 * population.size * population.endpoints);
        Self(vec![
            ("overview", one("/dashboard")),
            ("websites", one("/dashboard/websites")),
            ("a website", one(&format!("/dashboard/websites/{busy}"))),
            ("keys", one("/dashboard/keys")),
            ("Brand DNA", one("/dashboard/voices")),
            ("pipeline", one("/dashboard/pipeline")),
            ("pipeline of a quiet website", one(&format!("/dashboard/pipeline?website_id={quiet}"))),
            ("a post", each(some(Kind::Post, size), "/dashboard/pipeline/{id}")),
            ("articles", one("/dashboard/articles")),
            ("articles, drafts", one("/dashboard/articles?status=draft")),
            ("articles, search that finds many", one("/dashboard/articles?search=winter")),
            ("articles, search that finds one", one(&format!("/dashboard/articles?search={}", size / 2))),
            ("articles, search that finds nothing", one("/dashboard/articles?search=nothing+like+it")),
            ("an article", each(some(Kind::Article, size), "/dashboard/articles/{id}")),
            ("leads", one("/dashboard/leads")),
            ("leads, search that finds nothing", one("/dashboard/leads?search=nothing+like+it")),
            ("leads of a quiet website", one(&format!("/dashboard/leads?website_id={quiet}"))),
            ("a lead", each(some(Kind::Lead, size), "/dashboard/leads/{id}")),
            ("hooks", one("/dashboard/hooks")),
            ("an endpoint", one(&format!("/dashboard/hooks/{endpoint}"))),
            ("deliveries", one("/dashboard/hooks/deliveries")),
            ("deliveries, given up", one("/dashboard/hooks/deliveries?status=exhausted")),
            ("deliveries, pending", one("/dashboard/hooks/deliveries?status=pending")),
            ("deliveries of tests, an empty list", one("/dashboard/hooks/deliveries?event=hook.test")),
            ("a delivery", each(some(Kind::Delivery, deliveries), "/dashboard/hooks/deliveries/{id}")),
            ("account", one("/dashboard/account")),
            ("audit trail", one("/dashboard/account/audit")),
        ])
    }

    /// Returns all pages, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static str, &[String])> {
        self.0.iter().map(|(name, addresses)| (*name, addresses.as_slice()))
    }
}
