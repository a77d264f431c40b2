# docker build -t argosy . && docker run --rm -v "$PWD:/work" argosy verify prog.c
FROM python:3.12-slim
RUN apt-get update && apt-get install -y --no-install-recommends gcc g++ libc6-dev && rm -rf /var/lib/apt/lists/*
COPY . /opt/argosy
RUN pip install --no-cache-dir /opt/argosy
WORKDIR /work
ENTRYPOINT ["argosy"]
