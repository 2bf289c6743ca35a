//! The change to the bodies that send: the generator puts one request together and hands it on; here that becomes a closure, by
//! which our own function puts it together as often as it has to be sent.

use quote::ToTokens as _;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprLet, ExprStruct, Member, Stmt, parse_quote};

/// Changes the body of a method that sends. One that does not look like those that the generator writes is left alone, and does
/// not compile.
pub(super) fn finish(body: &mut Block) {
    let place = |begin: &str| body.stmts.iter().position(|statement| text(statement).starts_with(begin));
    let (Some(url), Some(info), Some(response)) = (place("let url ="), place("let info ="), place("let response ="))
    else {
        return;
    };
    let Some(operation) = operation(&body.stmts[info]) else { return };
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
    Own.visit_block_mut(body);
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
struct Own;

impl VisitMut for Own {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        match expression.to_token_stream().to_string().as_str() {
            "Error :: InvalidRequest" => *expression = parse_quote!(crate::Error::not_sent),
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
