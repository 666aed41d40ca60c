# docker build --tag aoti-lint .
# docker run --rm --volume "$PWD:/src:ro" aoti-lint .
FROM python:3.12-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY aoti_lint aoti_lint
COPY rules rules
RUN python -m venv /opt/aoti-lint && /opt/aoti-lint/bin/pip install --no-cache-dir .

FROM python:3.12-slim
COPY --from=build /opt/aoti-lint /opt/aoti-lint
ENV PATH="/opt/aoti-lint/bin:$PATH"
RUN useradd --create-home --uid 1000 lint
USER 1000:1000
WORKDIR /src
# Isolated: Python itself would import from the folder that is checked.
ENTRYPOINT ["/opt/aoti-lint/bin/python", "-I", "-m", "aoti_lint"]
