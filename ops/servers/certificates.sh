#!/usr/bin/env bash
# Makes certificates for tests in a directory: those of an authority (ca.pem) and of one that signed nothing (other-ca.pem), and,
# signed by the first, NAME.pem with its key NAME.key for
#   server    the server at 127.0.0.1, and under no other name
#   expired   the same, until yesterday
#   client    a client
set -euo pipefail
cd "$1"

authority() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=$1" -keyout "$1.key" -out "$1.pem"
}

# signed NAME DAYS EXTENSION
signed() {
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days "$2" -extfile <(echo "$3") -out "$1.pem"
}

{
  authority ca
  authority other-ca
  signed server 30 'subjectAltName=IP:127.0.0.1'
  signed expired -1 'subjectAltName=IP:127.0.0.1'
  signed client 30 'extendedKeyUsage=clientAuth'
} 2> openssl.log || { cat openssl.log >&2; exit 1; }
chmod 600 ./*.key
