/** The addresses of the servers that the tests of the engines use. Without one of them a test fails; it is never skipped. */
function addressOf(variable: string, engine: string): string {
  const address = process.env[variable];
  if (!address) throw new Error(`${variable} is not set: run eval "$(ops/engines start ${engine})" first`);
  return address;
}

export const kafkaBrokers = (): string => addressOf('KAFKA_BROKERS', 'kafka');
export const elasticsearchUrl = (): string => addressOf('ELASTICSEARCH_URL', 'elasticsearch');
