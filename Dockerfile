# Node with long-term support until 2029-04-30. renovate.json asks for newer ones.
ARG NODE_IMAGE=docker.io/library/node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1

# Compiles on the platform of the builder: the output is JavaScript and runs on every platform.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig*.json ./
COPY packaging ./packaging
COPY docs/runbooks ./docs/runbooks
COPY src ./src
# What `setup` fills in or copies is part of the bundle.
COPY config/alertmanager ./config/alertmanager
COPY config/prometheus ./config/prometheus
RUN npm run build && node packaging/bundle.mjs bundle && mkdir state

FROM ${NODE_IMAGE} AS node

# Reads the image of Node.js for the platform of the target, and runs on the builder's, so no emulator is needed.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS root
COPY packaging/image-root.mjs ./
RUN node --disable-sigusr1 --eval "" || { echo "NODE_IMAGE: expected Node.js 22.14 or later"; exit 1; }
RUN --mount=type=bind,from=node,target=/node node image-root.mjs /node /root-of-image

# Node.js, its libraries and the program: no shell, no npm and no package manager.
FROM scratch
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="hoster-exporter" \
      org.opencontainers.image.description="Prometheus exporter for hosters: the fleet, its tunnels and the balance as metrics." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV PATH=/usr/local/bin NODE_ENV=production REVISION=${REVISION} HOSTER_WEB_LISTEN_ADDRESS=:9823
# Makes glibc return freed memory to the system: pages of a large fleet are made anew at each poll.
ENV MALLOC_MMAP_THRESHOLD_=131072
COPY --from=root /root-of-image /
WORKDIR /app
# The bundled program of the Debian package, with the licences of what is in it.
COPY --from=build /build/bundle ./
# Mount points of volumes for HOSTER_STATE_FILE and HOSTER_WEB_SOCKET; a named volume takes over the owner. Nothing else is
# ever written.
COPY --from=build --chown=65532:65532 /build/state /var/lib/hoster-exporter
COPY --from=build --chown=65532:65532 /build/state /run/hoster-exporter
# An unprivileged user, as a number, so that Kubernetes can check that it is not root.
USER 65532:65532
EXPOSE 9823
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["node", "/app/dist/main.js", "healthcheck"]
# SIGUSR1 would open the inspector while Node itself starts.
ENTRYPOINT ["node", "--disable-sigusr1", "/app/dist/main.js"]
