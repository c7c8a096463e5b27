# Pin the base to the digest that you have checked: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
# Each stage can have an image of its own; distroless, say: --build-arg RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian12
ARG NODE_IMAGE=node:24-bookworm-slim
ARG DEPENDENCIES_IMAGE=${NODE_IMAGE}
ARG BUILD_IMAGE=${NODE_IMAGE}
ARG RUNTIME_IMAGE=${NODE_IMAGE}

FROM ${DEPENDENCIES_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Optional ones are left out too: TypeScript is an optional peer of a dependency.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM ${BUILD_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY bundle.mjs tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build

FROM ${RUNTIME_IMAGE} AS runtime
ARG RUNTIME_IMAGE
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="continuation-point" \
      org.opencontainers.image.description="Continuation points for co-browsing: the URLs on your own site that carry httpOnly cookies into a session" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="${RUNTIME_IMAGE}"
WORKDIR /app
COPY package.json config.schema.json LICENSE ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Mount config.json here, or say it all in CONTINUATION_… variables. Nothing is ever written.
WORKDIR /etc/continuation-point
# Distroless images have Node in /nodejs/bin.
ENV NODE_ENV=production \
    PATH=${PATH}:/nodejs/bin \
    CONTINUATION_HOST=0.0.0.0
EXPOSE 8080 9090
# A number, so that an orchestrator can see that it is not root.
USER 65532:65532
# No shell and no curl: Node asks. The port is that of `admin` in the config.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9090/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
