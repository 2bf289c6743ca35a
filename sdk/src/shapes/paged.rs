//! Operations that answer in pages: how to ask for the next one, how to take one apart, and the ways to walk over all of them.

/// What makes the builder of such an operation a stream.
macro_rules! paged {
    ($builder:ident: $page:ty, $item:ty) => {
        impl<'a> $builder<'a> {
            /// All pages from here on, fetched one after the other as they are asked for.
            pub fn pages(self) -> crate::pagination::Pages<Self> {
                crate::pagination::Pages::new(self)
            }
            /// All items from here on, over all pages.
            pub fn items(self) -> crate::pagination::Items<Self> {
                crate::pagination::Items::new(self)
            }
        }
        impl crate::sealed::Sealed for $builder<'_> {}
        impl<'a> crate::pagination::Paged for $builder<'a> {
            type Page = $page;
            type Item = $item;
            type Fetch = crate::pagination::Fetch<'a, $page>;
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
