//! Builders of operations: what each one contains, and how it is sent with an asynchronous or a blocking client.

/// Defines the builder of an operation. Its setters are generated.
macro_rules! operation {
    ($(#[$said:meta])* $builder:ident = $operation:ident -> $response:ty $(, body: $body:ty)? $(, items: $item:ty)?) => {
        $(#[$said])*
        #[derive(Clone, Debug)]
        #[must_use = "a request does nothing until it is sent"]
        pub struct $builder<C = crate::Client> {
            pub(crate) client: C,
            pub(crate) call: crate::call::Call,
            $( body: $body, )?
        }
        impl<C> $builder<C> {
            pub(crate) fn new(client: C, ids: &[(&str, String)]) -> Self {
                let call = crate::call::Call::new(&super::facts::$operation, ids);
                Self { client, call, $( body: <$body>::new() )? }
            }
            /// Separates the client from the complete request.
            pub(crate) fn complete(self) -> (C, crate::call::Call) {
                (self.client, self.call $( .with_body::<$body>(&self.body) )?)
            }
        }
        impl $builder {
            /// Sends the request.
            ///
            /// # Errors
            ///
            /// [`Error`](crate::Error): a request that is refused before it is sent, a failed or timed out connection, an error response,
            /// or a response that cannot be read.
            pub async fn send(self) -> ::std::result::Result<crate::Response<$response>, crate::Error> {
                let (client, call) = self.complete();
                call.send(client).await
            }
        }
        #[cfg(feature = "blocking")]
        impl $builder<crate::blocking::Client> {
            /// Sends the request and waits for the response.
            ///
            /// # Errors
            ///
            /// [`Error`](crate::Error): a request that is refused before it is sent, a failed or timed out connection, an error response,
            /// or a response that cannot be read.
            ///
            /// # Panics
            ///
            /// Inside asynchronous code: see [`blocking`](crate::blocking).
            pub fn send(self) -> ::std::result::Result<crate::Response<$response>, crate::Error> {
                let (client, call) = self.complete();
                client.wait(call.send(client.api()))
            }
        }
        $( crate::shapes::paged! { $builder: $response, $item } )?
    };
}
pub(crate) use operation;

/// Implements pagination for the builder of an operation and for its pages.
macro_rules! paged {
    ($builder:ident: $page:ty, $item:ty) => {
        impl $builder {
            /// Returns all pages from here on, fetched in order on demand.
            pub fn pages(self) -> crate::pagination::Pages<$page> {
                crate::pagination::Pages::new(self.client, self.call)
            }
            /// Returns all items from here on, over all pages.
            pub fn items(self) -> crate::pagination::Items<$page> {
                crate::pagination::Items::new(self.client, self.call)
            }
        }
        #[cfg(feature = "blocking")]
        impl $builder<crate::blocking::Client> {
            /// Returns all pages from here on, fetched in order on demand.
            pub fn pages(self) -> crate::blocking::Pages<$page> {
                crate::blocking::Pages::new(self.client, self.call)
            }
            /// Returns all items from here on, over all pages.
            pub fn items(self) -> crate::blocking::Items<$page> {
                crate::blocking::Items::new(self.client, self.call)
            }
        }
        impl crate::pagination::sealed::Sealed for $page {}
        impl crate::pagination::Paged for $page {
            type Item = $item;
            fn next_page(&self) -> Option<&str> {
                self.next_page.as_deref()
            }
            fn is_empty(&self) -> bool {
                self.items.is_empty()
            }
            fn into_items(self) -> Vec<Self::Item> {
                self.items
            }
        }
    };
}
pub(crate) use paged;
