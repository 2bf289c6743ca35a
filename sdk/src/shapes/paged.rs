//! Operations that return pages: how to request the next page, take its items, and iterate over all pages.

/// Implements pagination for the builder of such an operation.
macro_rules! paged {
    ($builder:ident: $page:ty, $item:ty) => {
        impl<'a> $builder<'a> {
            /// Returns all pages from here on, fetched in order on demand.
            pub fn pages(self) -> crate::pagination::Pages<Self> {
                crate::pagination::Pages::new(self)
            }
            /// Returns all items from here on, over all pages.
            pub fn items(self) -> crate::pagination::Items<Self> {
                crate::pagination::Items::new(self)
            }
        }
        impl crate::sealed::Sealed for $builder<'_> {}
        impl<'a> crate::pagination::Paged for $builder<'a> {
            type Page = $page;
            type Item = $item;
            type Fetch = crate::pagination::Fetch<'a, $page>;
            fn page_token(&self) -> Option<&str> {
                self.page_token.as_ref().ok()?.as_deref()
            }
            fn fetch(&self, page_token: Option<String>) -> Self::Fetch {
                let mut request = self.clone();
                if let Some(page_token) = page_token {
                    request = request.page_token(page_token);
                }
                Box::pin(request.send())
            }
            fn next_page(page: &Self::Page) -> Option<&str> {
                page.next_page.as_deref()
            }
            fn is_empty(page: &Self::Page) -> bool {
                page.items.is_empty()
            }
            fn into_items(page: Self::Page) -> Vec<Self::Item> {
                page.items
            }
        }
    };
}
pub(crate) use paged;
