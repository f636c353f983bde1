# syntax=docker/dockerfile:1

# The result holds one static binary and nothing else: no shell to break into,
# no package to update. It runs as an ordinary user and writes nothing outside
# /data, so that it can run with a read-only root.

FROM golang:1.26-bookworm AS build
WORKDIR /src
# The modules change less often than the code; a layer of their own is reused.
COPY go.mod go.sum ./
RUN go mod download
# Named one by one, so that no local database or tool gets into the build.
COPY cmd cmd
COPY internal internal
COPY migrations migrations
COPY web web
ARG VERSION=dev
# Without cgo the binary needs no C library. The empty folder becomes the mount
# point of the embedded database: the final image has no shell to make it with.
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /out/server ./cmd/server \
    && mkdir /out/data

# Static brings the certificates (webhooks go out over TLS), the time zones and
# the user 65532; scratch would bring none of them.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/server /server
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
WORKDIR /data
VOLUME /data
# Inside a container loopback is reachable by nobody.
ENV VIENKART_ADDR=0.0.0.0:8080 \
    VIENKART_DATABASE_URL=sqlite:/data/vienkart.db
EXPOSE 8080
# Ready, not only alive: the database answers, takes writes, and has the schema
# that this binary knows.
HEALTHCHECK --interval=5s --timeout=6s --start-period=10s --retries=12 CMD ["/server", "ready"]
ENTRYPOINT ["/server"]
CMD ["serve"]
