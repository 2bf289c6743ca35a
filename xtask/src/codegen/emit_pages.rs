//! Writes what makes an operation that answers in pages a stream: how to ask for the next page, how to take one apart,
//! and the methods `pages` and `items` on its builder.

use quote::{format_ident, quote};
use syn::Item;

use super::operations::PageOperation;
use super::words::pascal;

/// The items for one operation, to stand in the module of the builders.
pub(super) fn items(operation: &PageOperation) -> syn::Result<Vec<Item>> {
    let builder = format_ident!("{}", pascal(&operation.operation));
    let page = format_ident!("{}", operation.page);
    let item = format_ident!("{}", operation.item);
    let tokens = quote! {
        impl<'a> #builder<'a> {
            /// All pages from here on, fetched one after the other as they are asked for.
            pub fn pages(self) -> crate::pagination::Pages<'a, Self> {
                crate::pagination::Pages::new(self)
            }
            /// All items from here on, over all pages.
            pub fn items(self) -> crate::pagination::Items<'a, Self> {
                crate::pagination::Items::new(self)
            }
        }
        impl crate::sealed::Sealed for #builder<'_> {}
        impl<'a> crate::pagination::Paged<'a> for #builder<'a> {
            type Page = types::#page;
            type Item = types::#item;
            fn fetch(&self, page_token: Option<String>) -> crate::pagination::Fetch<'a, Self::Page> {
                let mut request = self.clone();
                if let Some(page_token) = page_token {
                    request = request.page_token(page_token);
                }
                Box::pin(request.send())
            }
            fn next_page(page: &Self::Page) -> Option<&str> {
                page.next_page.as_deref()
            }
            fn into_items(page: Self::Page) -> Vec<Self::Item> {
                page.items
            }
        }
    };
    Ok(syn::parse2::<syn::File>(tokens)?.items)
}
