# The server with its production dependencies. `--target sources` has the development network too.
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS sources
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .

FROM sources AS built
RUN npm run build && npm prune --omit=dev

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=built /app/node_modules node_modules
COPY --from=built /app/dist dist
# For the embedded store; with DATABASE_URL it stays empty.
RUN mkdir data && chown 1000:1000 data
# A number, because orchestrators that refuse root cannot know what a name stands for.
USER 1000:1000
EXPOSE 3001
CMD ["node", "--enable-source-maps", "--max-semi-space-size=4", "dist/server.js"]
