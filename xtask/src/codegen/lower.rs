//! Makes progenitor's input: the document without parts that progenitor does not support or would enforce on responses. Omits bounds,
//! defaults and formats, because one overlong text must not make an article unreadable; `bounds` checks those of requests.

use std::borrow::BorrowMut;
use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};
use openapiv3::{
    AdditionalProperties, AnySchema, ArrayType, Components, Info, IntegerFormat, IntegerType, MediaType, ObjectType,
    OpenAPI, ParameterSchemaOrContent, PathItem, ReferenceOr, RequestBody, Response, Responses, Schema, SchemaData,
    SchemaKind, StatusCode, StringFormat, StringType, Type, VariantOrUnknownOrEmpty,
};

use super::document::Document;
use super::operation::Operation;
use super::schema::{OPEN_VOCABULARY, Part, SCHEMAS, object, texts};
use super::words::snake;

/// The members that a server of the profile `core` promises of a schema.
pub(super) const CORE_REQUIRED: &str = "x-core-required";

/// The document for progenitor.
pub(super) fn lower(document: &Document) -> Result<OpenAPI> {
    let requests = document.requests();
    let mut components = Components::default();
    for (name, schema) in &document.schemas {
        let mut lowered = schema.clone();
        component(document, &mut lowered, requests.contains(name)).with_context(|| format!("the schema `{name}`"))?;
        components.schemas.insert(name.clone(), ReferenceOr::Item(lowered));
    }
    let info = Info { title: "API".to_owned(), version: document.version.clone(), ..Info::default() };
    let components = Some(components);
    let mut lowered = OpenAPI { openapi: "3.0.3".to_owned(), info, components, ..OpenAPI::default() };
    for operation in &document.operations {
        let empty = || ReferenceOr::Item(PathItem::default());
        let path = lowered.paths.paths.entry(operation.path.clone()).or_insert_with(empty);
        let ReferenceOr::Item(path) = path else { continue };
        let place = match operation.method.as_str() {
            "get" => &mut path.get,
            "put" => &mut path.put,
            "post" => &mut path.post,
            "delete" => &mut path.delete,
            "patch" => &mut path.patch,
            other => {
                bail!("the operation `{}` has the method {other}, which the client does not support", operation.id)
            }
        };
        *place = Some(method(document, operation)?);
    }
    Ok(lowered)
}

fn method(document: &Document, operation: &Operation) -> Result<openapiv3::Operation> {
    let content = |schema: &String| {
        let media = MediaType { schema: Some(reference(schema)), ..MediaType::default() };
        [("application/json".to_owned(), media)].into_iter().collect()
    };
    let mut parameters = operation.parameters.clone();
    for parameter in &mut parameters {
        let (openapiv3::Parameter::Query { parameter_data, .. }
        | openapiv3::Parameter::Header { parameter_data, .. }
        | openapiv3::Parameter::Path { parameter_data, .. }
        | openapiv3::Parameter::Cookie { parameter_data, .. }) = &mut parameter.written;
        part(document, &mut parameter.schema)?;
        parameter_data.format = ParameterSchemaOrContent::Schema(parameter.schema.clone());
    }
    let request_body = operation.body.as_ref().map(|body| {
        let description = operation.body_description.clone();
        ReferenceOr::Item(RequestBody { description, content: content(body), required: true, ..RequestBody::default() })
    });
    let answer = operation.answer.as_ref().map(content).unwrap_or_default();
    let success = Response { description: "a success".to_owned(), content: answer, ..Response::default() };
    let responses = [(StatusCode::Range(2), ReferenceOr::Item(success))].into_iter().collect();
    Ok(openapiv3::Operation {
        operation_id: Some(operation.id.clone()),
        summary: operation.written.summary.clone(),
        description: operation.written.description.clone(),
        parameters: parameters.into_iter().map(|parameter| ReferenceOr::Item(parameter.written)).collect(),
        request_body,
        responses: Responses { responses, ..Responses::default() },
        ..openapiv3::Operation::default()
    })
}

fn reference<S>(name: &str) -> ReferenceOr<S> {
    ReferenceOr::ref_(&format!("{SCHEMAS}{name}"))
}

/// Lowers a named schema.
fn component(document: &Document, schema: &mut Schema, is_request: bool) -> Result<()> {
    let required = required(document, schema);
    let is_open = schema.schema_data.extensions.contains_key(OPEN_VOCABULARY);
    match &mut schema.schema_kind {
        // Hand-written types replace this one and the next.
        kind if is_open => *kind = SchemaKind::Type(Type::String(StringType::default())),
        kind @ SchemaKind::OneOf { .. } => *kind = SchemaKind::Type(Type::Object(ObjectType::default())),
        SchemaKind::Type(Type::String(text)) if !text.enumeration.is_empty() => {}
        SchemaKind::Type(Type::Object(object)) if !object.properties.is_empty() => {
            let mut fields = BTreeSet::new();
            for (name, below) in &mut object.properties {
                if !fields.insert(snake(name)) {
                    bail!("two of its fields would be called `{}` in Rust; one of them is {name:?}", snake(name));
                }
                part(document, below)?;
            }
            // Setters fill in requests one field after the other, and `bounds` finds those that are missing.
            object.required = if is_request { Vec::new() } else { required };
            let any = Schema { schema_data: SchemaData::default(), schema_kind: SchemaKind::Any(AnySchema::default()) };
            let any = AdditionalProperties::Schema(Box::new(ReferenceOr::Item(any)));
            object.additional_properties = (!is_request).then_some(any);
        }
        _ => inline(document, schema)?,
    }
    keep_description(schema);
    Ok(())
}

fn keep_description(schema: &mut Schema) {
    let description = schema.schema_data.description.take();
    schema.schema_data = SchemaData { description, ..SchemaData::default() };
}

/// The members that are always there. Null and absence mean the same, so one that may be null need not be.
fn required(document: &Document, schema: &Schema) -> Vec<String> {
    if let Some(core) = texts(schema, CORE_REQUIRED) {
        return core.into_iter().map(str::to_owned).collect();
    }
    let Some(object) = object(schema) else { return Vec::new() };
    let may_be_null = |name: &String| {
        let member = object.properties.get(name).map(Part::of);
        let schemas = member.into_iter().flat_map(|member| [member.written(), document.meaning(member)]);
        schemas.flatten().any(|schema| schema.schema_data.nullable)
    };
    object.required.iter().filter(|name| !may_be_null(name)).cloned().collect()
}

/// Lowers a schema inside of another one.
fn part<S: BorrowMut<Schema>>(document: &Document, part: &mut ReferenceOr<S>) -> Result<()> {
    if let Some(name) = Part::of(part).name() {
        let opened = document.opened(name);
        if !document.schemas.contains_key(opened) {
            bail!("it refers to `{name}`, which is not in the document");
        }
        *part = reference(opened);
    } else if let ReferenceOr::Item(schema) = part {
        inline(document, schema.borrow_mut())?;
    }
    Ok(())
}

fn inline(document: &Document, schema: &mut Schema) -> Result<()> {
    let SchemaKind::Type(kind) = &mut schema.schema_kind else { bail!("it has a part without a `type`") };
    match kind {
        Type::Integer(integer) => *integer = IntegerType { format: width(integer), ..IntegerType::default() },
        Type::String(text) => {
            let time = VariantOrUnknownOrEmpty::Item(StringFormat::DateTime);
            let format = if text.format == time { time } else { VariantOrUnknownOrEmpty::Empty };
            *text = StringType { format, ..StringType::default() };
        }
        Type::Array(array) => {
            let mut items = array.items.take().context("it has an array without `items`")?;
            part(document, &mut items)?;
            *array = ArrayType { items: Some(items), min_items: None, max_items: None, unique_items: false };
        }
        Type::Object(object) if object.properties.is_empty() => {
            let mut values = object.additional_properties.take();
            match &mut values {
                Some(AdditionalProperties::Schema(values)) => part(document, values)?,
                any => *any = Some(AdditionalProperties::Any(true)),
            }
            *object = ObjectType { additional_properties: values, ..ObjectType::default() };
        }
        Type::Object(_) => bail!("it has an inline object; move it to `components/schemas` under a name"),
        Type::Number(_) | Type::Boolean(_) => {}
    }
    keep_description(schema);
    Ok(())
}

/// An unsigned number of a fitting width where the document excludes negative ones.
fn width(integer: &IntegerType) -> VariantOrUnknownOrEmpty<IntegerFormat> {
    let int64 = VariantOrUnknownOrEmpty::Item(IntegerFormat::Int64);
    let is_large = integer.maximum.is_some_and(|maximum| maximum > i64::from(u32::MAX));
    match integer.minimum {
        None | Some(..0) => int64,
        _ if is_large || integer.format == int64 => VariantOrUnknownOrEmpty::Unknown("uint64".to_owned()),
        _ => VariantOrUnknownOrEmpty::Unknown("uint32".to_owned()),
    }
}
