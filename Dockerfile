# Pin the base to a digest that you have verified: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
# Each stage can use another image, for example a distroless one: --build-arg RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian12
ARG NODE_IMAGE=node:24-bookworm-slim
ARG DEPENDENCIES_IMAGE=${NODE_IMAGE}
ARG BUILD_IMAGE=${NODE_IMAGE}
ARG RUNTIME_IMAGE=${NODE_IMAGE}

FROM ${DEPENDENCIES_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Optional packages are left out too, or TypeScript, an optional peer of valibot, would be installed.
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
# Mount config.json here, or set everything in CONTINUATION_… variables. `serve` writes no files.
WORKDIR /etc/continuation-point
# Distroless images have Node in /nodejs/bin.
ENV NODE_ENV=production \
    PATH=${PATH}:/nodejs/bin \
    CONTINUATION_HOST=0.0.0.0
EXPOSE 8080 9090
# Numeric, so that an orchestrator can tell that it is not root.
USER 65532:65532
# Distroless images have neither a shell nor curl, so Node makes the request. The port is the one of `admin` in the config.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9090/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
