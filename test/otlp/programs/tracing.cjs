// The official SDK as an application sets it up: only the address and the key of the service are ours.
const { resourceFromAttributes } = require('@opentelemetry/resources');
const { BatchSpanProcessor, NodeTracerProvider } = require('@opentelemetry/sdk-trace-node');
const { OTLPTraceExporter: JsonExporter } = require('@opentelemetry/exporter-trace-otlp-http');
const { OTLPTraceExporter: ProtobufExporter } = require('@opentelemetry/exporter-trace-otlp-proto');

exports.startTracing = (serviceName) => {
  // OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS say where to, and with which key.
  const Exporter = process.env.EXPORTER === 'json' ? JsonExporter : ProtobufExporter;
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new BatchSpanProcessor(new Exporter())],
  });
  provider.register();
  return provider;
};
