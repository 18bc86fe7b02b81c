# The server with only its production dependencies. deploy/README.md describes how to build and run it.
# `--target sources` also has the development network.
ARG NODE_IMAGE=node:22-bookworm-slim

# Reinstalls the packages only when these files change, and caches downloads in the builder. The secret may contain
# registry settings.
FROM ${NODE_IMAGE} AS sources
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
COPY packages/devnet/package.json packages/devnet/
COPY packages/playground/package.json packages/playground/
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=cache,target=/root/.npm \
    npm ci --omit=peer --ignore-scripts --no-audit --no-fund
COPY . .

FROM sources AS built
RUN npm run build

# The packages outside the bundle.
FROM ${NODE_IMAGE} AS production
WORKDIR /app
COPY --from=built /app/dist/package.json /app/dist/package-lock.json ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund && mkdir data

# Runs no command, so the base image needs no shell.
FROM ${NODE_IMAGE}
ARG VERSION
ARG REVISION
LABEL org.opencontainers.image.title="transaction-back-end" \
      org.opencontainers.image.description="Transaction back end between a payment widget and a Cosmos SDK chain" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production
WORKDIR /app
# First, because the first copy decides to whom /app belongs.
COPY LICENSE deploy/healthcheck.mjs ./
# The embedded store, the only folder that the server writes to. Empty with DATABASE_URL.
COPY --from=production --chown=1000:1000 /app/data data
COPY --from=production /app/node_modules node_modules
COPY --from=built /app/dist dist
VOLUME /app/data
# A number, because orchestrators that forbid root cannot resolve a name.
USER 1000:1000
EXPOSE 3001
# /health, not /ready: a restart does not fix what /ready reports.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "healthcheck.mjs"]
STOPSIGNAL SIGTERM
# Node itself is process 1, so that it gets the signal. Keep the options the same as in `npm start`.
CMD ["node", "--enable-source-maps", "--single-threaded-gc", "--max-semi-space-size=8", "dist/server.js"]
