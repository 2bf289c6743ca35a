//! The setters of operations' parameters: the generator's drop why a value cannot be used, and name types as tokens are written.

use quote::ToTokens as _;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ImplItemFn, parse_quote};

/// The bound that the generator gives to what a setter takes.
const BOUND: &str = "V : std :: convert :: TryInto <";

/// Lets a setter of a parameter tell why a value is refused.
pub(super) fn finish(setter: &mut ImplItemFn) {
    let Some(bounds) = &mut setter.sig.generics.where_clause else { return };
    let told = bounds.predicates.to_token_stream().to_string();
    // That of the whole body tells it already.
    if !told.starts_with(BOUND) || told.contains("Display") {
        return;
    }
    bounds.predicates.push(parse_quote!(V::Error: ::std::fmt::Display));
    let message = format!("error converting supplied value for {}: {{e}}", setter.sig.ident);
    Reason { told: parse_quote!(|e| format!(#message)) }.visit_block_mut(&mut setter.block);
}

/// Puts a closure that tells the reason in the place of each that drops it.
struct Reason {
    told: Expr,
}

impl VisitMut for Reason {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        if let Expr::Closure(closure) = expression
            && closure.to_token_stream().to_string().starts_with("| _ | \"conversion to ")
        {
            *expression = self.told.clone();
        }
    }
}
