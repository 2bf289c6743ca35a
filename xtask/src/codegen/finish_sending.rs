//! The change to the bodies that send: the generator puts one request together and hands it on; here that becomes a closure, by
//! which our own function puts it together as often as it has to be sent.

use anyhow::{Context as _, Result};
use quote::ToTokens as _;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprLet, ExprStruct, Member, Stmt, parse_quote};

/// Changes the body of a method that sends, which has to look like those that progenitor 0.15 writes.
pub(super) fn finish(body: &mut Block) -> Result<()> {
    let place = |begin: &str| {
        let found = body.stmts.iter().position(|statement| text(statement).starts_with(begin));
        found.with_context(|| {
            format!("the generator wrote no statement `{begin} …`; `finish_sending` has to follow its new form")
        })
    };
    let (url, info, response) = (place("let url =")?, place("let info =")?, place("let response =")?);
    let operation = operation(&body.stmts[info]).context(
        "the generator's `let info = …` names no `operation_id`; `finish_sending` has to follow its new form",
    )?;
    let mut building: Vec<Stmt> = body.stmts[url..info].to_vec();
    // A header of the generator's own, which no server of this API reads.
    building.retain(|statement| !text(statement).contains("HeaderName :: from_static (\"api-version\")"));
    for statement in &mut building {
        if text(statement).contains("HeaderMap :: with_capacity") {
            // Most requests have no headers but those that all of them have.
            *statement = parse_quote! {
                #[allow(unused_mut)]
                let mut header_map = ::reqwest::header::HeaderMap::new();
            };
        }
        Borrow.visit_stmt_mut(statement);
    }
    let sending: Block = parse_quote!({
        let build = || -> ::std::result::Result<::reqwest::Request, Error<()>> {
            #(#building)*
            Ok(request)
        };
        let response = crate::call::send(client, #operation, &build).await?;
    });
    body.stmts.splice(url..=response, sending.stmts);
    Own { operation }.visit_block_mut(body);
    Ok(())
}

fn text(statement: &Stmt) -> String {
    statement.to_token_stream().to_string()
}

/// The operation's name in `let info = OperationInfo { operation_id: "…" };`.
fn operation(statement: &Stmt) -> Option<Expr> {
    let Stmt::Local(local) = statement else { return None };
    let Expr::Struct(ExprStruct { fields, .. }) = &*local.init.as_ref()?.expr else { return None };
    let is_id = |member: &Member| matches!(member, Member::Named(name) if name == "operation_id");
    fields.iter().find(|field| is_id(&field.member)).map(|field| field.expr.clone())
}

/// Our own answers and errors in the place of the generator's.
struct Own {
    operation: Expr,
}

impl VisitMut for Own {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        match expression.to_token_stream().to_string().as_str() {
            "Error :: InvalidRequest" => {
                let operation = &self.operation;
                *expression = parse_quote!(|reason| crate::Error::not_sent(reason).before_sending(#operation));
            }
            "Error :: UnexpectedResponse (response)" => *expression = parse_quote!(response.unexpected()),
            "ResponseValue :: from_response (response) . await" => {
                *expression = parse_quote!(crate::Response::decode(response));
            }
            _ => {}
        }
    }
}

/// Takes parameters by reference, since they are needed again when the request is.
struct Borrow;

impl VisitMut for Borrow {
    fn visit_expr_let_mut(&mut self, condition: &mut ExprLet) {
        visit_mut::visit_expr_let_mut(self, condition);
        let parameter = &condition.expr;
        *condition.expr = parse_quote!(&#parameter);
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::finish;

    #[test]
    fn a_form_that_the_generator_did_not_have_is_named() {
        let refusal = finish(&mut parse_quote!({
            let url = 1;
            let info = 2;
        }))
        .expect_err("no response is awaited");
        assert!(refusal.to_string().contains("no statement `let response = …`"), "{refusal}");
        let mut nameless = parse_quote!({
            let url = 1;
            let info = 2;
            let response = 3;
        });
        assert!(finish(&mut nameless).expect_err("no operation is named").to_string().contains("`operation_id`"));
    }
}
