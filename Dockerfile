# syntax=docker/dockerfile:1
# Two images: --target slim, and --target full with a browser, ffmpeg and what models on this machine run with.
# Debian 12 or later with Node 24.12 or later and a user "node"; another registry's: --build-arg NODE_IMAGE=…
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY composition/bundled-node composition/bundled-node
COPY clients/typescript/package.json clients/typescript/
COPY console/package.json console/
COPY adapters/embedded-postgres/binaries.ts adapters/embedded-postgres/
COPY deploy/install-packages deploy/

FROM manifests AS packages
# Packages of docs/packages.md that users install by name:
# --build-arg LLM_PACKAGES="@ai-sdk/anthropic @ai-sdk/google @ai-sdk/amazon-bedrock"
ARG LLM_PACKAGES=""
RUN deploy/install-packages $LLM_PACKAGES

FROM ${NODE_IMAGE} AS console
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
COPY composition/bundled-node composition/bundled-node
COPY clients clients
COPY console console
RUN npm ci --ignore-scripts && node node_modules/vite/bin/vite.js build console

FROM ${NODE_IMAGE} AS program
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 KNOWLEDGER_DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node -m 700 /data
COPY package.json LICENSE NOTICE ./
COPY domain domain
COPY application application
COPY adapters adapters
COPY composition composition
# For the commands that ask a service.
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

FROM program AS slim
COPY --from=packages /app/node_modules node_modules

FROM manifests AS full-packages
ARG LLM_PACKAGES=""
RUN deploy/install-packages onnxruntime-node @huggingface/tokenizers $LLM_PACKAGES

FROM program AS full
USER root
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium-headless-shell ffmpeg \
  && rm -rf /var/lib/apt/lists/*
USER node
COPY --from=full-packages /app/node_modules node_modules
