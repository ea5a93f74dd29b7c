FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# Shown by "sedmabot version"; a release sets all three.
ARG VERSION= COMMIT= DATE=
ARG TARGETOS TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath \
    -ldflags="-s -w -X main.release=$VERSION -X main.commit=$COMMIT -X main.date=$DATE" -o /sedmabot ./cmd/sedmabot
# The licences of the dependencies, and the pages about running the bot.
RUN bash .ci/licenses /doc/licenses && cp LICENSE PRIVACY.md TERMS.md config.example.yaml /doc/ && cp -r cmd/sedmabot/deploy /doc/deploy
# The data folder must belong to the user that the bot runs as.
RUN mkdir /data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /sedmabot /sedmabot
COPY --from=build /doc /usr/share/doc/sedmabot
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
ENV SEDMABOT_STORE_PATH=/data/sedmabot.db
# The playground, for "docker run -p 8080:8080". Only the address that it prints lets anybody in.
ENV SEDMABOT_PLAYGROUND_LISTEN=0.0.0.0:8080
VOLUME /data
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s CMD ["/sedmabot", "healthcheck"]
ENTRYPOINT ["/sedmabot"]
