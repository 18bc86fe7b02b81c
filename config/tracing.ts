import { configError } from '../services/config-error.ts'
import type { Environment } from './read.ts'

/** Where spans go, in the order in which OpenTelemetry looks. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']

/**
 * Whether spans are exported (interface 14.20). Its other variables the SDK of OpenTelemetry reads itself.
 * @throws ConfigError when the collector has no URL
 */
export function exportsSpans(env: Environment): boolean {
  const textOf = (name: string) => env[name]?.trim() ?? ''
  const isDisabled = textOf('OTEL_SDK_DISABLED').toLowerCase() === 'true'
  const endpoint = ENDPOINTS.find(textOf)
  if (isDisabled || endpoint === undefined || textOf('OTEL_TRACES_EXPORTER') === 'none') return false
  if (URL.canParse(textOf(endpoint)) && /^https?:/i.test(textOf(endpoint))) return true
  throw configError(endpoint, 'is malformed', 'an http or https URL')
}
