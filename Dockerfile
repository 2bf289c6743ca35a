# Two images from one build: `docker build --target conformance .` is the suite, `docker build --target server .` the reference server.
ARG RUST_VERSION=1.95
ARG DEBIAN_VERSION=bookworm

FROM rust:${RUST_VERSION}-slim-${DEBIAN_VERSION} AS build
# SQLite and ring are compiled from C.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN cargo build --release --locked --package contentgen-conformance --package contentgen-server-stub --bins

FROM debian:${DEBIAN_VERSION}-slim AS base
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --create-home contentgen

FROM base AS conformance
COPY --from=build /source/target/release/contentgen-conformance /usr/local/bin/
# Where the configuration is looked for and the reports are written: mount a folder that the user 10001 may write to.
WORKDIR /work
RUN chown contentgen /work
USER contentgen
ENTRYPOINT ["contentgen-conformance"]
CMD ["--help"]

FROM base AS server
COPY --from=build /source/target/release/contentgen-server /usr/local/bin/
# The database and the key that seals its secrets.
RUN mkdir /data && chown contentgen /data
# Give CONTENTGEN_PUBLIC_URL to the container: the address under which readers reach it. The server does not start without it.
ENV CONTENTGEN_LISTEN=0.0.0.0:8080 \
    CONTENTGEN_DATABASE=sqlite:/data/server.db
VOLUME /data
EXPOSE 8080
USER contentgen
# A process with any role answers there, because CONTENTGEN_LISTEN is set.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${CONTENTGEN_LISTEN##*:} && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && grep -q ' 200 ' <&3"]
ENTRYPOINT ["contentgen-server"]
CMD ["serve"]
