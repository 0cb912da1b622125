#!/usr/bin/env bash
# An S3 server on this machine only, to try things out: S3Proxy with its objects in files. Built by 'make build'.
#   server.sh up     starts it, with a bucket 'lake' and keys of its own, and says how to use it
#   server.sh down   stops it; the objects stay
# LOCAL_S3_DIRECTORY (default: local-s3-data here) holds objects, keys, log and process id; LOCAL_S3_PORT its port (9090).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=${LOCAL_S3_DIRECTORY:-$here/../local-s3-data}
port=${LOCAL_S3_PORT:-9090}
mkdir -p "$data"
data=$(cd "$data" && pwd)
pid_file=$data/server.pid

running() {
  # Of a process id that another program has by now, the command line tells.
  [[ -f $pid_file ]] && ps -p "$(<"$pid_file")" -o args= 2>/dev/null | grep -q -- "--properties $data/server.properties"
}

answers() {
  curl --silent --output /dev/null --max-time 2 "http://127.0.0.1:$port/"
}

random() {
  head -c 400 /dev/urandom | base64 | tr -dc 'A-Za-z0-9' | head -c "$1"
}

up() {
  if running; then
    echo "It runs already, process $(<"$pid_file"); 'make s3-down' stops it."
    return
  fi
  if [[ ! -d $here/target/jars ]]; then
    echo "The S3 server's jars are not there yet: run 'make build'." >&2
    exit 5
  fi
  if answers; then
    echo "Something else answers on port $port: choose another with LOCAL_S3_PORT." >&2
    exit 5
  fi
  umask 077
  mkdir -p "$data/objects/lake"
  if [[ ! -f $data/keys.env ]]; then
    printf 'export AWS_ACCESS_KEY_ID=%s\nexport AWS_SECRET_ACCESS_KEY=%s\n' "$(random 16)" "$(random 32)" > "$data/keys.env"
  fi
  # shellcheck source=/dev/null
  source "$data/keys.env"
  cat > "$data/server.properties" <<EOF
s3proxy.endpoint=http://127.0.0.1:$port
s3proxy.authorization=aws-v2-or-v4
s3proxy.identity=$AWS_ACCESS_KEY_ID
s3proxy.credential=$AWS_SECRET_ACCESS_KEY
jclouds.provider=filesystem-nio2
jclouds.identity=unused
jclouds.credential=unused
jclouds.filesystem.basedir=$data/objects
EOF
  cat > "$data/spark.properties" <<EOF
spark.hadoop.fs.s3a.endpoint=http://127.0.0.1:$port
spark.hadoop.fs.s3a.endpoint.region=us-east-1
spark.hadoop.fs.s3a.path.style.access=true
spark.hadoop.fs.s3a.attempts.maximum=3
spark.hadoop.fs.s3a.retry.limit=3
EOF
  nohup "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
    -Dlogback.configurationFile="$here/logback.xml" -cp "$here/target/jars/*" \
    org.gaul.s3proxy.Main --properties "$data/server.properties" > "$data/server.log" 2>&1 < /dev/null &
  echo $! > "$pid_file"
  for _ in $(seq 150); do
    if ! running; then
      echo "It did not start; $data/server.log says why." >&2
      exit 5
    fi
    if answers; then
      echo "S3 on http://127.0.0.1:$port, bucket lake, process $(<"$pid_file"). In each terminal:"
      echo "  source $data/keys.env"
      echo "  export TIDEMARK_PROPERTIES_FILE=$data/spark.properties"
      echo "  export TIDEMARK_WAREHOUSE=s3a://lake/warehouse"
      return
    fi
    sleep 0.2
  done
  echo "It does not answer on port $port; $data/server.log may say why." >&2
  exit 5
}

down() {
  if running; then
    kill "$(<"$pid_file")"
    while running; do sleep 0.1; done
    echo "Stopped; its objects stay in $data/objects."
  else
    echo "It does not run."
  fi
  rm -f "$pid_file"
}

case ${1:-} in
  up) up ;;
  down) down ;;
  *) echo "usage: server.sh up|down" >&2; exit 2 ;;
esac
