# syntax=docker/dockerfile:1

# Builds with all dependencies.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run -s build && npm run -s build:image -- /app

# Runs with what the build needs. Only /data and /tmp are written to.
FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Spotline" \
      org.opencontainers.image.description="Self-hosted market data for foreign exchange and CFDs" \
      org.opencontainers.image.licenses="MIT"
# With the settings of malloc, glibc returns freed memory to the system.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    PORT=3000 \
    SPOTLINE_HOST=0.0.0.0 \
    SPOTLINE_DATA_DIR=/data
COPY --from=build /app /app
RUN ln -s /app/cli/launch.mjs /usr/local/bin/spotline \
    && install -d -o node -g node -m 700 /data
WORKDIR /app
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --retries=3 \
    CMD ["node", "scripts/health-probe.mjs"]
CMD ["node", "dist/server.mjs"]
