import { configError } from '../services/config-error.ts'
import type { Environment } from './read.ts'

/** The variables with the collector's URL, in OpenTelemetry's order of precedence. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']

/** Returns whether to export spans (interface 14.20). @throws ConfigError when the collector's URL is malformed */
export function exportsSpans(env: Environment): boolean {
  const textOf = (name: string) => env[name]?.trim() ?? ''
  const isDisabled = textOf('OTEL_SDK_DISABLED').toLowerCase() === 'true'
  const endpoint = ENDPOINTS.find(textOf)
  if (isDisabled || endpoint === undefined || textOf('OTEL_TRACES_EXPORTER') === 'none') return false
  if (URL.canParse(textOf(endpoint)) && /^https?:/i.test(textOf(endpoint))) return true
  throw configError(endpoint, 'is malformed', 'an http or https URL')
}
