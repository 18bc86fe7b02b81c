import { setTimeout as delay } from 'node:timers/promises'
import { DiagLogLevel, diag, trace } from '@opentelemetry/api'
import { setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { onceAMinute } from '../async/once-a-minute.ts'
import type { Logger } from '../logger.ts'
import { version } from '../version.ts'
import { outsideTraces } from './index.ts'

/** How long a stop waits for the collector, in milliseconds: what it does not take by then is lost. */
const STOP_MS = 2000

/** Of what a collector answers, the log has so many characters. */
const LONGEST_PROBLEM = 200

/** They may carry the key of the collector, and are for the SDK alone. */
const SECRETS = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']

const nothing = () => {}

/**
 * Exports spans to a collector from now on. The SDK reads its settings from the environment, keeps spans in a queue of its own, and
 * drops what does not fit, so that nothing waits for a collector.
 * @returns sends what is left, and stops
 */
export function startExport(log: Logger): () => Promise<void> {
  const note = onceAMinute<string>((failures, text) => {
    const problem = text.slice(0, LONGEST_PROBLEM)
    outsideTraces(() => log.warn({ failures, problem }, 'spans could not be exported'))
  })
  diag.setLogger(
    { error: note, warn: note, info: nothing, debug: nothing, verbose: nothing },
    DiagLogLevel.WARN
  )
  setGlobalErrorHandler(error => note(textOf(error)))

  const named = resourceFromAttributes({ 'service.name': 'transaction-back-end', 'service.version': version })
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())]
  })
  for (const name of SECRETS) delete process.env[name]
  trace.setGlobalTracerProvider(provider)
  return async () => {
    const stopped = provider.shutdown().catch(error => note(textOf(error)))
    await Promise.race([stopped, delay(STOP_MS, undefined, { ref: false })])
  }
}

/** That several addresses refused a connection is an error without a message. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = 'code' in error ? `${error.code} ` : ''
  return `${code}${error.message || error.name}`
}
