# ScaleBox as an unprivileged container: an ordinary user, no capability, a read-only root. docs/deployment.md says how to run it.
ARG DEBIAN=trixie-slim

FROM debian:${DEBIAN} AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY requirements.lock requirements-dev.lock ./
RUN python3 -m venv /opt/scalebox \
    && /opt/scalebox/bin/python -m pip install --no-cache-dir --require-hashes -r requirements.lock
# The build backend comes from the lock file too; what else is in that file stays in this stage.
RUN python3 -m venv /opt/build \
    && /opt/build/bin/python -m pip install --no-cache-dir --require-hashes -r requirements-dev.lock
COPY pyproject.toml README.md LICENSE ./
COPY scalebox scalebox
RUN /opt/build/bin/python -m pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheel . \
    && /opt/scalebox/bin/python -m pip install --no-cache-dir --no-deps /wheel/*.whl \
    && /opt/scalebox/bin/python -m pip uninstall --yes pip

FROM debian:${DEBIAN}
# Programs run under the distribution's interpreter; the service's own environment in /opt is outside of what they may read.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ gcc libc6-dev python3 python3-numpy tini \
    && rm -rf /var/lib/apt/lists/* /var/log/* /usr/share/doc/* /usr/share/man/* \
    && useradd --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin scalebox
COPY --from=build /opt/scalebox /opt/scalebox
# Further languages: docker build --build-arg LANGUAGES="java go rust", or LANGUAGES=all. What each takes: docs/languages.md.
ARG LANGUAGES=""
RUN if [ -n "$LANGUAGES" ]; then /opt/scalebox/bin/scalebox toolchains install --yes $LANGUAGES && rm -rf /var/lib/apt/lists/* /root/.npm /root/.cache; fi
ENV PATH=/opt/scalebox/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/tmp \
    SCALEBOX_PORT=8080 \
    SCALEBOX_LOG_FORMAT=json
# By number, so that Kubernetes can tell that it is not root.
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["/usr/bin/python3", "-I", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['SCALEBOX_PORT'] + '/healthz', timeout=4)"]
# tini reaps what is left to process 1 and passes signals on. `serve` on an address that others reach refuses to start without
# SCALEBOX_API_KEY; every other command (`doctor`, `selftest`, `run`) works without one.
ENTRYPOINT ["/usr/bin/tini", "--", "/opt/scalebox/bin/scalebox"]
CMD ["serve", "--host", "0.0.0.0"]
