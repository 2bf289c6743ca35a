//! One operation: its description, its parameters, its responses, and the command that calls it. For schemas see `schema`, for responses
//! `answers`.

use pulldown_cmark::HeadingLevel;

use super::constraint::{bounds, kind, link, reference};
use super::markup::{escape, markdown};
use super::node::Node;
use super::{answers, badge, sample, schema};

/// Section of the document with the webhooks.
pub(super) const WEBHOOKS: &str = "x-webhooks";
/// The methods that OpenAPI knows.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// The functions whose lines are the Rust samples. A test of the examples runs them.
const RUST_SAMPLES: &str = include_str!("../../../examples/tests/server/samples.rs");

/// The server that the commands of the reference call.
#[derive(Debug)]
pub(super) struct Server<'a> {
    /// Its address, or a shell variable with it.
    pub(super) base_url: &'a str,
    /// Responses of the reference server to the commands, by operation: maps of `status` and `body`.
    pub(super) recorded: &'a Node,
    /// Commands of `contentgen`, by operation.
    pub(super) commands: &'a Node,
}

/// An operation and its place in the document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operation<'tree> {
    /// The method, in lower case.
    pub(super) method: &'tree str,
    /// The path, or the name of the event.
    pub(super) path: &'tree str,
    /// Its part of the document.
    pub(super) node: &'tree Node,
}

impl<'tree> Operation<'tree> {
    /// All operations of a section that maps names to path items, in the order of the document.
    pub(super) fn of(document: &'tree Node, section: &str) -> Vec<Self> {
        let items = document.members_of(section).iter();
        items
            .flat_map(|(path, item)| {
                let methods = item.members().iter().filter(|(method, _)| METHODS.contains(&method.as_str()));
                methods.map(move |(method, node)| Self { method, path, node })
            })
            .collect()
    }

    /// Its name, which is its anchor too.
    pub(super) fn id(&self) -> &'tree str {
        self.node.text("operationId").unwrap_or_default()
    }

    /// Its first tag.
    pub(super) fn tag(&self) -> &'tree str {
        self.node.items_of("tags").first().and_then(Node::as_text).unwrap_or_default()
    }

    /// Its section of the reference. With the address of the server it shows how to call it; an event has none.
    pub(super) fn section(&self, document: &Node, server: Option<&Server<'_>>) -> String {
        let summary = escape(self.node.text("summary").unwrap_or_default());
        let description = markdown(self.node.text("description").unwrap_or_default(), HeadingLevel::H4);
        let call = server.map(|server| self.call(document, server)).unwrap_or_default();
        format!(
            "<section class=\"operation\" id=\"{id}\"><div class=\"text\"><h3>{summary}</h3>\
             <p class=\"route\"><span class=\"method {method}\">{METHOD}</span> <code>{path}</code></p>\
             <p class=\"marks\">{marks}{facts}</p>{description}{invariants}{parameters}{request}{answers}</div>\
             <div class=\"side\">{call}{examples}</div></section>",
            id = self.id(),
            method = self.method,
            METHOD = self.method.to_uppercase(),
            path = escape(self.path),
            marks = badge::provenance(self.node),
            facts = self.facts(server.is_some()),
            invariants = schema::invariants(self.node),
            parameters = self.parameters(document),
            request = self.request(document),
            answers = answers::section(document, self.node),
            examples = answers::examples(document, self.node),
        )
    }

    /// Shows the command that calls it, and the response of the reference server.
    fn call(&self, document: &Node, server: &Server<'_>) -> String {
        let command = escape(&self.command(document, server.base_url));
        let response = server.recorded.get(self.id()).map(|recorded| {
            let status = recorded.get("status").map(Node::plain).unwrap_or_default();
            let body = recorded.get("body").map(sample::block).unwrap_or_default();
            format!("<details><summary>Response of the reference server: {status}</summary>{body}</details>")
        });
        let shown = |name: &str, sample: Option<String>| {
            sample.map(|sample| {
                let sample = escape(&sample);
                format!("<details><summary>{name}</summary><pre class=\"code\"><code>{sample}</code></pre></details>")
            })
        };
        let contentgen = server.commands.text(self.id()).map(str::to_owned);
        let samples = [shown("contentgen", contentgen), shown("Rust", rust_sample(self.id())), response];
        format!(
            "<figure><figcaption>Call it</figcaption><pre class=\"code\"><code>{command}</code></pre></figure>{}",
            samples.into_iter().flatten().collect::<String>()
        )
    }

    /// Returns a `curl` command that calls it, with words of the document's examples. `base_url` is the address of a server, or a shell
    /// variable with it. The key, the website and the ids of the path are shell variables, so that the command runs unchanged once they are
    /// set.
    fn command(&self, document: &Node, base_url: &str) -> String {
        let mut path = self.path.to_owned();
        for parameter in self.node.items_of("parameters") {
            let parameter = document.resolve(parameter);
            if let (Some("path"), Some(name)) = (parameter.text("in"), parameter.text("name")) {
                path = path.replace(&format!("{{{name}}}"), &format!("${}", variable(self.path, name)));
            }
        }
        let verb = match self.method {
            "get" => String::new(),
            method => format!(" -X {}", method.to_uppercase()),
        };
        let mut lines = vec![format!("curl{verb} \"{base_url}{path}\"")];
        if !Self::needs_no_key(self.node) {
            lines.push("  -H \"Authorization: Bearer $CONTENTGEN_API_KEY\"".to_owned());
        }
        let body = self.node.get("requestBody").and_then(|body| body.get("content")?.get("application/json"));
        if let Some(content) = body {
            lines.push("  -H 'Content-Type: application/json'".to_owned());
            let first = content.members_of("examples").first().and_then(|(_, example)| example.get("value"));
            if let Some(example) = content.get("example").or(first) {
                lines.push(format!("  -d '{}'", with_own_website(example)));
            }
        }
        lines.join(" \\\n")
    }

    /// Returns true if it is called without a key.
    pub(super) fn needs_no_key(node: &Node) -> bool {
        node.get("security").is_some_and(|security| security.items().is_empty())
    }

    /// The scope that it needs and the quota that it is charged to, or that it needs no key.
    fn facts(&self, is_ours_to_call: bool) -> String {
        let no_key = (is_ours_to_call && Self::needs_no_key(self.node))
            .then(|| "<span class=\"mark fact\">no key needed</span>".to_owned());
        let scope = self
            .node
            .text("x-required-scope")
            .map(|scope| format!("<span class=\"mark fact\">scope {}</span>", escape(scope)));
        let policy = self
            .node
            .text("x-rate-limit-policy")
            .map(|name| format!("<span class=\"mark fact\">quota {}</span>", escape(name)));
        no_key.into_iter().chain(scope).chain(policy).collect()
    }

    fn parameters(&self, document: &Node) -> String {
        let parameters = self.node.items_of("parameters").iter().map(|parameter| document.resolve(parameter));
        let rows: Vec<_> = parameters.map(parameter_row).collect();
        if rows.is_empty() {
            return String::new();
        }
        format!(
            "<h4>Parameters</h4><div class=\"wide\"><table class=\"properties\"><tbody>{}</tbody></table></div>",
            rows.concat()
        )
    }

    fn request(&self, document: &Node) -> String {
        let content = self.node.get("requestBody").map(|body| body.members_of("content")).unwrap_or_default();
        let mut bodies: Vec<(&str, Vec<&str>)> = Vec::new();
        for (media_type, content) in content {
            let Some(reference) = content.get("schema").and_then(reference) else { continue };
            match bodies.iter_mut().find(|(known, _)| *known == reference) {
                Some((_, media_types)) => media_types.push(media_type),
                None => bodies.push((reference, vec![media_type])),
            }
        }
        let sections = bodies.iter().map(|(reference, media_types)| {
            let body = document.follow(reference).map(schema::body).unwrap_or_default();
            let media_types = if content.len() > 1 { media_types_of(media_types) } else { String::new() };
            format!("<h4>Body: {}</h4>{media_types}{body}", link(reference))
        });
        sections.collect()
    }
}

/// Returns the lines of the Rust sample of an operation, without the last one, which returns `Ok(())`.
fn rust_sample(operation: &str) -> Option<String> {
    let (_, rest) = RUST_SAMPLES.split_once(&format!("\nasync fn {operation}("))?;
    let (_, body) = rest.split("\n}\n").next()?.split_once("{\n")?;
    let lines: Vec<_> = body.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    Some(lines.split_last()?.1.join("\n"))
}

/// Returns the shell variable for a parameter of a path: `JOB_ID` for `job_id`, `ARTICLE_ID` for `id` below `/articles/`.
fn variable(path: &str, name: &str) -> String {
    match name {
        "website_id" => "CONTENTGEN_WEBSITE_ID".to_owned(),
        "id" => {
            let list = path.split("/{id}").next().and_then(|list| list.rsplit('/').next()).unwrap_or_default();
            format!("{}_ID", list.trim_end_matches('s').to_uppercase())
        }
        name => name.to_uppercase(),
    }
}

/// Returns a body for a shell's single quotes, with the website of the variable in place of the example's.
fn with_own_website(example: &Node) -> String {
    let line = sample::line(example).replace('\'', "'\\''");
    match example.text("website_id") {
        Some(website) => line.replace(website, "'\"$CONTENTGEN_WEBSITE_ID\"'"),
        None => line,
    }
}

/// Names the media types of a body.
fn media_types_of(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("<code>{}</code>", escape(name))).collect();
    format!("<p class=\"soft\">Sent as {}.</p>", names.join(" or "))
}

fn parameter_row(parameter: &Node) -> String {
    let schema = parameter.get("schema");
    let details = schema.map(bounds).unwrap_or_default();
    let details = if details.is_empty() {
        String::new()
    } else {
        format!("<div class=\"bounds\">{}</div>", details.join(" · "))
    };
    let need = if parameter.is_true("required") { "<span class=\"required\">required</span>" } else { "" };
    format!(
        "<tr><th><code>{}</code><span class=\"place\">{}</span>{need}</th><td><div><span class=\"kind\">{}</span> {}</div>{}{details}\
         <div class=\"soft\">e.g. <code>{}</code></div></td></tr>",
        escape(parameter.text("name").unwrap_or_default()),
        parameter.text("in").unwrap_or_default(),
        schema.map(kind).unwrap_or_default(),
        badge::provenance(parameter),
        markdown(parameter.text("description").unwrap_or_default(), HeadingLevel::H5),
        escape(&parameter.get("example").map(Node::plain).unwrap_or_default()),
    )
}
